import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  type Fields,
  isFields,
  isModern,
  keyOf,
  type Message,
  parseMessage,
  type RpcMessage,
} from '../message/message.ts';
import { isEventStream, isJson, isRedirect, readBody } from './body.ts';
import { failureOf, TransportFailure } from './failure.ts';
import { fetchFrom } from './send.ts';
import { checkUpstream, type HttpUpstream } from './upstream.ts';

/** Handles the server's messages. */
export interface HttpEvents {
  onMessage(message: Message): void;
  /** Called when a request will not get a response. */
  onFailure(id: string | number, error: Error): void;
  onWarning(text: string): void;
}

type Sent = Parameters<StreamableHTTPClientTransport['send']>[0];

/** The official client's transport, for sessions, event streams and their resumption. */
export class HttpConnection {
  readonly #transport: StreamableHTTPClientTransport;
  /** Modern requests, which are canceled by closing their stream. */
  readonly #modern: Map<string, AbortController> = new Map();
  /** Requests whose response came as a whole, and not in a stream. */
  readonly #answered: Set<string> = new Set();
  readonly #events: HttpEvents;

  private constructor(
    Transport: typeof StreamableHTTPClientTransport,
    upstream: HttpUpstream,
    events: HttpEvents,
  ) {
    const { url, headers = {} } = upstream;
    const transport = new Transport(new URL(url), {
      requestInit: { headers: { ...headers } },
      fetch: (to, init) => this.#fetch(to, init),
    });
    this.#transport = transport;
    this.#events = events;
    transport.onmessage = (received) => this.#receive(received as RpcMessage);
    transport.onerror = (error) => events.onWarning(failureOf(error).message);
  }

  static async open(upstream: HttpUpstream, events: HttpEvents): Promise<HttpConnection> {
    checkUpstream(upstream, 'upstream');
    // Loaded on demand, because most servers are processes.
    const { StreamableHTTPClientTransport: Transport } = await import('@modelcontextprotocol/client');
    const connection = new HttpConnection(Transport, upstream, events);
    await connection.#transport.start();
    return connection;
  }

  /**
   * Reads the answer to a request before the transport does, which would hand its text on in an error, and takes a
   * message that another parser could read differently.
   */
  async #fetch(to: string | URL, init: RequestInit = {}): Promise<Response> {
    const answer = await fetchFrom(to, init);
    const { id, method } = init.method === 'POST' ? (JSON.parse(String(init.body)) as RpcMessage) : {};
    // The transport follows redirects within the server.
    if (isRedirect(answer)) {
      if (!leadsAway(answer, to)) return answer;
      await answer.body?.cancel();
      throw new TransportFailure(
        `the server answered with HTTP status ${answer.status}, which leads to another origin: set \`url\` to where the server really is`,
      );
    }
    if (id === undefined || id === null || method === undefined) {
      if (answer.ok) return answer;
      await answer.body?.cancel();
      return new Response(null, answer);
    }
    if (answer.ok && answer.status !== 202 && isEventStream(answer)) return answer;
    const { json } = await read(answer);
    this.#answered.add(keyOf(id));
    const headers = { 'content-type': 'application/json', ...sessionIn(answer) };
    return Response.json(json.id === null ? { ...json, id } : json, { headers });
  }

  /** Rejects if the server cannot be reached or refuses. */
  async send({ json }: Message): Promise<void> {
    const { id, method } = json;
    if (method === 'notifications/cancelled') {
      const request = this.#modern.get(keyOf(json.params?.['requestId']));
      if (request) return request.abort();
    }
    if (method === undefined || id === undefined || id === null)
      return this.#transport.send(json as Sent).catch((error) => Promise.reject(failureOf(error)));
    const abort = new AbortController();
    if (isModern(json)) this.#modern.set(keyOf(id), abort);
    const fail = (): void =>
      this.#events.onFailure(id, new Error('the server closed the stream without an answer'));
    try {
      await this.#transport.send(json as Sent, { requestSignal: abort.signal, onRequestStreamEnd: fail });
      if (this.#answered.delete(keyOf(id))) fail();
    } catch (error) {
      this.#modern.delete(keyOf(id));
      if (!abort.signal.aborted) throw failureOf(error);
    }
  }

  #receive(json: RpcMessage): void {
    if (json.method === undefined) {
      this.#modern.delete(keyOf(json.id));
      const version = initializedVersion(json.result);
      // Every later request must have the version in a header.
      if (version !== undefined) this.#transport.setProtocolVersion(version);
    }
    this.#events.onMessage({ json });
  }

  /** Also ends the session at the server. */
  async close(): Promise<void> {
    await this.#transport.terminateSession().catch(() => {}); // The server may have ended it already.
    await this.#transport.close();
  }
}

/** The message in an answer. */
async function read(answer: Response): Promise<Message> {
  const without = `the server answered with HTTP status ${answer.status} and without a response to the request`;
  if (!isJson(answer)) {
    await answer.body?.cancel();
    throw new TransportFailure(without);
  }
  const body = await readBody(answer);
  try {
    return parseMessage(body);
  } catch (error) {
    throw new TransportFailure(`${without}: ${error instanceof Error ? error.message : ''}`);
  }
}

/** Whether a redirect leads to another origin. */
function leadsAway({ headers }: Response, from: string | URL): boolean {
  const to = headers.get('location') ?? '';
  return !URL.canParse(to, String(from)) || new URL(to, from).origin !== new URL(from).origin;
}

/** The header that opens a session. */
function sessionIn({ headers, ok }: Response): Record<string, string> {
  const session = headers.get('mcp-session-id');
  return ok && session !== null ? { 'mcp-session-id': session } : {};
}

/** The negotiated protocol version, if this is the result of `initialize`. */
function initializedVersion(result: Fields | undefined): string | undefined {
  const { protocolVersion, capabilities } = result ?? {};
  return typeof protocolVersion === 'string' && isFields(capabilities) ? protocolVersion : undefined;
}
