import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Why a request is refused. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
}

/** The conditions for access: the token of this process, from the page that this process serves. */
export interface Access {
  readonly token: string;
  /** The host names of this server: `127.0.0.1:4020`, `localhost:4020`. */
  readonly hosts: ReadonlySet<string>;
}

/**
 * Refuses requests that do not come from our own page on this machine. The name in `Host` must be ours, because another
 * site could point its own name at this address (DNS rebinding).
 */
export function refuseForeign({ headers }: IncomingMessage, { hosts }: Access): Refusal | undefined {
  if (!hosts.has(headers.host ?? ''))
    return { status: 421, message: 'Open the page by the address that "hooks view" printed.' };
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && !isOwn(origin, hosts)) return { status: 403, message: 'Another origin.' };
  // `none` means that a person typed the address.
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return { status: 403, message: 'Another site.' };
  return undefined;
}

/** Refuses a data request without the token. A request that changes something must come from the page itself. */
export function refuseUnknown(request: IncomingMessage, { token, hosts }: Access): Refusal | undefined {
  const { authorization = '', origin } = request.headers;
  if (!isSame(authorization, `Bearer ${token}`))
    return {
      status: 401,
      message: 'The token is missing or wrong: open the address that "hooks view" printed.',
    };
  // Browsers send `Origin` with every POST and DELETE.
  if (request.method !== 'GET' && (origin === undefined || !isOwn(origin, hosts)))
    return { status: 403, message: 'Only the page itself may change anything.' };
  return undefined;
}

function isOwn(origin: string, hosts: ReadonlySet<string>): boolean {
  return origin.startsWith('http://') && hosts.has(origin.slice('http://'.length));
}

function isSame(one: string, other: string): boolean {
  const [given, expected] = [Buffer.from(one), Buffer.from(other)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}
