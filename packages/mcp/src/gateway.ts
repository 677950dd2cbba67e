import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { HooksError, type Principal } from '@hooks/core';
import { Attachment, sharedOptions } from '@hooks/core/adapter';
import { checkOptions, needed, type OptionChecks, optionKinds } from '@hooks/core/options';
import { RequestStates } from './approval/request-state.ts';
import { Connection } from './connection.ts';
import { fromClient } from './gate.ts';
import {
  errorResponse,
  isModern,
  type Message,
  PARSE_ERROR,
  parseMessage,
  SERVER_ERROR,
  UnreadableMessage,
} from './message/message.ts';
import { type CommonOptions, OF_ALL, warningsTo } from './options.ts';
import { userOf } from './session.ts';
import { supports } from './supports.ts';
import type { KnownTools } from './tools/offer.ts';
import { Exchange } from './transport/exchange.ts';
import { deviatingParam } from './transport/param-headers.ts';
import { checkUpstream, type HttpUpstream } from './transport/upstream.ts';

/** Options of {@link gateway}. */
export interface GatewayOptions extends CommonOptions {
  /** The servers, by the prefix of their paths: `files` is reached at `/files`. */
  readonly upstreams: Readonly<Record<string, HttpUpstream>>;
  /**
   * The host names that clients use, with a port (`localhost:3000`) or for any port. Requests to others are refused, because a web
   * page could point its own name at a gateway on your machine. A web page can only send requests if it is of the
   * gateway's own origin, or if this option lists its host, with the port unless that is the scheme's own.
   * Default: `localhost`, `127.0.0.1` and `[::1]`, and no other web pages.
   */
  readonly hosts?: readonly string[] | undefined;
  /**
   * Returns the user of a request, after checking the authorization in its headers. If it throws, the request is
   * refused. A session belongs to the user who opened it; without this option, to the `authorization` header that
   * opened it.
   */
  readonly principal?: ((request: IncomingMessage) => Principal | undefined) | undefined;
}

const OF_GATEWAY: OptionChecks<GatewayOptions> = {
  ...OF_ALL,
  upstreams: needed(optionKinds.object),
  hosts: optionKinds.texts,
  principal: optionKinds.callback,
};

/** A gateway, as a request handler. */
export interface Gateway {
  /** Give it to `createServer` of `node:http` or `node:https`. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** Cancels all calls and closes the sessions. */
  close(): Promise<void>;
}

/** Limits how much memory a stranger can use. */
const LONGEST_BODY = 64 * 2 ** 20;

/** How many sessions and tool lists are kept. */
const REMEMBERED = 10_000;

/**
 * A gateway between MCP clients and servers over Streamable HTTP. Hooks decide about tool calls and results. Everything
 * else passes with its headers, including the client's authorization.
 *
 * @throws HooksError `UNSUPPORTED_EVENT` if a hook may refuse on an event that never fires here, and `CONFIG_INVALID` if
 * no request can be made with the URL or the headers of a server, or have a host in `hosts`
 * @example
 * ```ts
 * const { handle } = gateway({ hooks, upstreams: { files: { url: 'https://files.acme.test/mcp' } } });
 * createServer(handle).listen(8080, '127.0.0.1'); // clients use http://127.0.0.1:8080/files
 * ```
 */
export function gateway(options: GatewayOptions): Gateway {
  options = checkOptions('gateway', options, OF_GATEWAY);
  const { hooks, upstreams, approval, allowUnsupported = [] } = options;
  const onWarning = warningsTo(options.onWarning);
  const { principal } = options;
  const hosts = options.hosts?.map((host, nth) => checkedHost(host, `hosts.${nth}`));
  const attached = Attachment.of(
    hooks,
    { allowUnsupported, ...(principal && { principal }) },
    { of: 'gateway', takes: sharedOptions, supports },
  );
  for (const [name, upstream] of Object.entries(upstreams)) checkUpstream(upstream, `upstreams.${name}`);
  const states = new RequestStates();
  const sessions = new Map<string, Connection>();
  const toolsOf = new Map<string, KnownTools>();
  /** Connections that end with their request. */
  const alone = new Set<Connection>();

  function connectionFor(server: string, user: string, session?: string): Connection {
    const tools = remember(toolsOf, `${server} ${user}`, () => new Map());
    const id = session === undefined ? undefined : `${server}:${session}`;
    const common = { hooks, approval, allowUnsupported, states, warn: onWarning };
    return new Connection({ ...common, server, user, tools, session: id });
  }

  /** Who sends a request, to which server, in which session. */
  function callerOf(request: IncomingMessage): Caller {
    const { method = '', headers } = request;
    const server = new URL(request.url ?? '/', 'http://localhost').pathname.replace(/^\/|\/$/g, '');
    const upstream = Object.hasOwn(upstreams, server) ? upstreams[server] : undefined;
    if (!isReachedAs(headers, hosts)) throw refusal(403, 'This host name does not belong to the gateway.');
    if (upstream === undefined) throw refusal(404, 'The gateway has no server under this path.');
    if (!['GET', 'POST', 'DELETE'].includes(method)) throw refusal(405, 'Use GET, POST or DELETE.');
    const principal = attached.principal(request);
    const user = userOf(principal, headers.authorization);
    const session = headers['mcp-session-id'];
    const opened = session === undefined ? undefined : sessions.get(`${server} ${session}`);
    // Whether another caller has the session is nobody's business, and a client opens a new one after this status.
    if (session !== undefined && opened?.settings.user !== user)
      throw refusal(404, 'There is no such session of this caller: open a new one.');
    return { server, upstream, principal, user, opened };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { server, upstream, principal, user, opened } = callerOf(request);
    const message = request.method === 'POST' ? await messageOf(request) : undefined;
    const isSessionless = message !== undefined && isModern(message.json);
    const known = isSessionless ? undefined : opened;
    const connection = known ?? connectionFor(server, user);
    const isAlone = known === undefined;
    if (isAlone && !response.destroyed) {
      alone.add(connection);
      response.on('close', () => alone.delete(connection));
    }
    const exchange = new Exchange({
      ...{ connection, request, response, upstream, message },
      ...{ principal, isAlone },
    });
    exchange.onSession = (id) => {
      if (isSessionless) return;
      const lasting = known ?? connectionFor(server, user, id);
      if (isAlone) lasting.client = connection.client;
      remember(sessions, `${server} ${id}`, () => lasting, onForget);
    };
    if (message !== undefined) {
      fromClient(connection, message, exchange);
      exchange.accept();
      return;
    }
    await exchange.relay();
    if (request.method !== 'DELETE' || response.statusCode >= 300) return;
    sessions.delete(`${server} ${request.headers['mcp-session-id']}`);
    await connection.close();
  }

  return {
    handle: (request, response) => {
      handle(request, response).catch((error: Error) => {
        if (error instanceof Refusal) return answer(response, error.status, error.errors);
        onWarning(`a request failed in the gateway: ${error.message}`);
        if (response.headersSent) response.destroy();
        else answer(response, 502, refusal(502, 'The gateway failed on this request.').errors);
      });
    },
    async close() {
      await Promise.all([...sessions.values(), ...alone].map((connection) => connection.close()));
    },
  };
}

interface Caller {
  readonly server: string;
  readonly upstream: HttpUpstream;
  readonly principal: Principal | undefined;
  readonly user: string;
  /** The connection of its session. */
  readonly opened: Connection | undefined;
}

/** The gateway does not accept a request. */
class Refusal extends Error {
  readonly status: number;
  /** The answer: one, or one for each request of a batch. */
  readonly errors: readonly Message[];

  constructor(status: number, errors: readonly Message[]) {
    super(`refused with ${status}`);
    this.status = status;
    this.errors = errors;
  }
}

function refusal(status: number, text: string): Refusal {
  return new Refusal(status, [errorResponse(null, SERVER_ERROR, text)]);
}

function onForget(connection: Connection): void {
  void connection.close();
}

/** The value for a key, created if missing. Evicts the least recently used one. */
function remember<T>(all: Map<string, T>, key: string, make: () => T, forget?: (value: T) => void): T {
  const value = all.get(key) ?? make();
  all.delete(key);
  all.set(key, value);
  const [oldest] = all;
  if (all.size > REMEMBERED && oldest !== undefined) {
    all.delete(oldest[0]);
    forget?.(oldest[1]);
  }
  return value;
}

/** Whether the requested host is one of these, and the origin, if any, is the same or one that the operator lists. */
function isReachedAs(
  { host = '', origin }: IncomingMessage['headers'],
  hosts: readonly string[] = [],
): boolean {
  const requested = hostOf(`http://${host}`);
  const allowed = hosts.length > 0 ? hosts : LOOPBACK;
  if (
    requested === undefined ||
    !allowed.some((name) => name === requested.hostname || name === requested.host)
  )
    return false;
  if (origin === undefined) return true;
  const from = hostOf(origin);
  if (from === undefined || !/^https?:$/.test(from.protocol)) return false;
  return from.host === hostOf(`${from.protocol}//${host}`)?.host || hosts.includes(from.host);
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** A name or an address, and a port that a client can connect to. */
const HOST = /^(?:\w[\w-]{0,62}(?:\.\w[\w-]{0,62})*\.?|\[[\da-f:]+\])(?::[1-9]\d*)?$/;

/** Addresses to listen on, at which no client finds a server: `0.0.0.0` and `::`, and the first in the form of the second. */
const LISTENING = /^(?:0\.0\.0\.0|\[::(?:ffff:0:0)?\])(?::|$)/;

/** A host as URLs spell it. Another text would be the host of no request, and keep everybody out. */
function checkedHost(text: string, at: string): string {
  const host = hostOf(`http://${text}`)?.host ?? '';
  // Clients leave out the port of their scheme.
  const hasUsualPort = host !== hostOf(`https://${text}`)?.host;
  if (!hasUsualPort && HOST.test(host) && !LISTENING.test(host)) return host;
  throw new HooksError(
    'CONFIG_INVALID',
    `${at}: expected the host name that clients use, not 0.0.0.0, and a port only if it is neither 0, 80 nor 443: mcp.acme.test or localhost:3000`,
  );
}

/** A URL of nothing but a host. */
function hostOf(url: string): URL | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  return parsed?.href === `${parsed?.protocol}//${parsed?.host}/` ? parsed : undefined;
}

/** Whether a body is JSON in UTF-8, which is all that the gateway reads. */
function isJson(headers: IncomingMessage['headers']): boolean {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const isUtf8 = parameters.every(
    (each) => !each.includes('charset') || /^\s*charset="?utf-8"?\s*$/.test(each),
  );
  return type.trim() === 'application/json' && isUtf8 && headers['content-encoding'] === undefined;
}

async function messageOf(request: IncomingMessage): Promise<Message> {
  const { headers } = request;
  // A web page may send other types without asking.
  if (!isJson(headers)) throw refusal(415, 'Send application/json, in UTF-8.');
  if (Number(headers['content-length']) > LONGEST_BODY) throw refusal(413, 'The body is too large.');
  let message: Message;
  try {
    message = parseMessage(await body(request));
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    const unreadable = error instanceof UnreadableMessage ? error : new UnreadableMessage(why, PARSE_ERROR);
    throw new Refusal(400, unreadable.answers('The gateway cannot forward this'));
  }
  const header = deviatingParam(message, headers);
  if (header === undefined) return message;
  const text = `The header ${header} is not what the arguments of the call say: send the argument's value, or leave the header out.`;
  throw new Refusal(400, [errorResponse(message.json.id ?? null, HEADER_MISMATCH, text)]);
}

/** MCP's code for a header that does not match the body. */
const HEADER_MISMATCH = -32_001;

async function body(request: IncomingMessage): Promise<Buffer> {
  let length = 0;
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > LONGEST_BODY) request.destroy(new Error('the body is too large'));
  });
  return buffer(request);
}

/** Answers with an error, or with one for each request of a batch. */
function answer(response: ServerResponse, status: number, errors: readonly Message[]): void {
  const [first, ...others] = errors.map(({ json }) => json);
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(others.length === 0 ? first : [first, ...others]));
}
