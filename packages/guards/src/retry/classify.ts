/** Errors that may disappear on retry. */
export type TransientClass = 'rate-limit' | 'network' | 'timeout' | 'server';

/**
 * The transient class of an error, or undefined if a retry is pointless. Reads HTTP statuses (`status`, `statusCode`,
 * on the error, its `response` or its `cause`) and the codes of Node's and undici's network errors. Ignores error
 * texts.
 */
export function classifyError(error: unknown): TransientClass | undefined {
  for (const candidate of related(error)) {
    const found = ofStatus(statusOf(candidate)) ?? ofCode(candidate['code']) ?? ofName(candidate['name']);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The delay in milliseconds that the error's `Retry-After` header asks for, in seconds or as a date. */
export function retryAfterMs(error: unknown, now: number): number | undefined {
  for (const candidate of related(error)) {
    const value = header(candidate['headers'], 'retry-after');
    if (value === undefined) continue;
    const ms = /^\d+(?:\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
    if (ms >= 0) return ms;
  }
  return undefined;
}

type Fields = { readonly [name: string]: unknown };

/** The error, its response, and its cause with its response. */
function related(error: unknown): readonly Fields[] {
  const found: Fields[] = [];
  let at = error;
  for (let depth = 0; depth < 5 && isFields(at); depth++) {
    found.push(at);
    if (isFields(at['response'])) found.push(at['response']);
    at = at['cause'];
  }
  return found;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function statusOf({ status, statusCode }: Fields): number {
  return Number(status ?? statusCode);
}

function ofStatus(status: number): TransientClass | undefined {
  if (status === 429) return 'rate-limit';
  if (status === 408 || status === 504) return 'timeout';
  if (status === 425 || status === 500 || status === 502 || status === 503 || status === 529) return 'server';
  return undefined;
}

function ofCode(code: unknown): TransientClass | undefined {
  if (typeof code !== 'string') return undefined;
  if (/^(?:ETIMEDOUT|ESOCKETTIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT)$/.test(code)) return 'timeout';
  const network =
    /^(?:ECONNRESET|ECONNREFUSED|ECONNABORTED|EPIPE|EAI_AGAIN|ENETDOWN|ENETUNREACH|EHOSTUNREACH|UND_ERR_SOCKET)$/;
  return network.test(code) ? 'network' : undefined;
}

function ofName(name: unknown): TransientClass | undefined {
  return name === 'TimeoutError' ? 'timeout' : undefined;
}

function header(headers: unknown, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  if (!isFields(headers)) return undefined;
  const value = headers[name] ?? headers['Retry-After'];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
