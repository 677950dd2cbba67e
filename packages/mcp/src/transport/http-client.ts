import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { type Fields, isFields, isModern, keyOf, type Message, type RpcMessage } from '../message/message.ts';

/** An MCP server to reach over HTTP. */
export interface HttpUpstream {
  readonly url: string | URL;
  /** Sent with each request, for example `authorization`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

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
  readonly #events: HttpEvents;

  private constructor(transport: StreamableHTTPClientTransport, events: HttpEvents) {
    this.#transport = transport;
    this.#events = events;
    transport.onmessage = (received) => this.#receive(received as RpcMessage);
    transport.onerror = (error) => events.onWarning(error.message);
  }

  static async open({ url, headers = {} }: HttpUpstream, events: HttpEvents): Promise<HttpConnection> {
    // Loaded on demand, because most servers are processes.
    const { StreamableHTTPClientTransport: Transport } = await import('@modelcontextprotocol/client');
    const transport = new Transport(new URL(url), { requestInit: { headers: { ...headers } } });
    await transport.start();
    return new HttpConnection(transport, events);
  }

  /** Rejects if the server cannot be reached or refuses. */
  async send({ json }: Message): Promise<void> {
    const { id, method } = json;
    if (method === 'notifications/cancelled') {
      const request = this.#modern.get(keyOf(json.params?.['requestId']));
      if (request) return request.abort();
    }
    if (method === undefined || id === undefined || id === null) return this.#transport.send(json as Sent);
    const abort = new AbortController();
    if (isModern(json)) this.#modern.set(keyOf(id), abort);
    const fail = (): void =>
      this.#events.onFailure(id, new Error('the server closed the stream without an answer'));
    try {
      await this.#transport.send(json as Sent, { requestSignal: abort.signal, onRequestStreamEnd: fail });
    } catch (error) {
      this.#modern.delete(keyOf(id));
      if (!abort.signal.aborted) throw error;
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

/** The negotiated protocol version, if this is the result of `initialize`. */
function initializedVersion(result: Fields | undefined): string | undefined {
  const { protocolVersion, capabilities } = result ?? {};
  return typeof protocolVersion === 'string' && isFields(capabilities) ? protocolVersion : undefined;
}
