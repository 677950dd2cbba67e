import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Principal } from '@hooks/core';
import { createParser } from 'eventsource-parser';
import type { Connection, Route } from '../connection.ts';
import { inLine } from '../message/lines.ts';
import {
  type Id,
  isModern,
  type Message,
  parseMessage,
  UnreadableMessage,
  wireForm,
} from '../message/message.ts';
import { isEventStream, isJson, isRedirect, LONGEST, readBody } from './body.ts';
import { failureOf } from './failure.ts';
import { type Answer, send } from './send.ts';
import type { HttpUpstream } from './upstream.ts';

/** A client's request over HTTP. */
export interface Exchanged {
  readonly connection: Connection;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly upstream: HttpUpstream;
  /** The request's body. */
  readonly message: Message | undefined;
  readonly principal: Principal | undefined;
  /** Whether the connection ends with this exchange. */
  readonly isAlone: boolean;
}

/** Headers that apply to a single hop or depend on the body. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  ...['host', 'connection', 'keep-alive', 'transfer-encoding', 'te', 'trailer', 'upgrade', 'expect'],
  ...['content-length', 'content-encoding', 'accept-encoding', 'proxy-authorization', 'proxy-authenticate'],
]);

/** Headers of a server that would lead the client past the gateway. */
const LEADING_HEADERS: ReadonlySet<string> = new Set([
  'location',
  'content-location',
  'refresh',
  'alt-svc',
  'link',
]);

/**
 * A client's request over HTTP, and the requests to the server that follow from it. The response is JSON or a stream.
 */
export class Exchange implements Route {
  readonly #given: Exchanged;
  readonly #abort = new AbortController();
  /** The status of the server's latest answer. A client has to see a 401 or a 404 as such. */
  #status = 200;
  /** Whether something was forwarded to the server. */
  #forwarded = false;
  /** The server numbers its events, so that the client can fetch the rest by another request. */
  #resumable = false;
  /** Called with the id of the session that the server opened or knows. */
  onSession: (id: string) => void = () => {};

  constructor(given: Exchanged) {
    this.#given = given;
    given.response.on('close', () => this.#hungUp());
  }

  get #id(): Message['json']['id'] {
    const { message } = this.#given;
    return message?.json.method === undefined ? undefined : message.json.id;
  }

  #hungUp(): void {
    const { connection, response, isAlone } = this.#given;
    if (response.writableFinished) {
      if (isAlone) void connection.close();
      return;
    }
    this.#abort.abort();
    if (isAlone) void connection.close();
    else if (!this.#resumable && this.#id !== undefined && this.#id !== null) connection.abandon(this.#id);
  }

  get principal(): Principal | undefined {
    return this.#given.principal;
  }

  get isOpen(): boolean {
    const { response } = this.#given;
    return !response.writableEnded && !response.destroyed;
  }

  toClient(message: Message): void {
    const { response } = this.#given;
    if (!this.isOpen) return;
    const { id, method } = message.json;
    const isAnswer = method === undefined && id !== undefined && id === this.#id;
    if (!response.headersSent && isAnswer) {
      const status = message.json.error === undefined ? 200 : this.#status;
      const body = wireForm(message);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(body);
      return;
    }
    const { eventId } = message;
    const line = inLine(message);
    const data = typeof line === 'string' ? line : Buffer.from(line).toString();
    this.#stream();
    this.#write(`${eventId === undefined ? '' : `id: ${eventId}\n`}data: ${data}\n\n`);
    if (isAnswer) response.end();
  }

  async toServer(message: Message, signal?: AbortSignal): Promise<void> {
    const { message: posted } = this.#given;
    const { method, id } = message.json;
    this.#forwarded = true;
    const isRequest = method !== undefined && id !== undefined;
    // In the modern protocol, closing its stream cancels a request, and the signal does that.
    if (message !== posted && !isRequest && posted !== undefined && isModern(posted.json)) return;
    const aborted = signal ? AbortSignal.any([this.#abort.signal, signal]) : this.#abort.signal;
    const answer = await this.#send('POST', aborted, message);
    if (isRequest && id !== null) await this.#take(answer, aborted, id);
    else this.#acknowledge(answer, message === posted);
  }

  /** Forwards a request without a message: GET or DELETE. */
  async relay(): Promise<void> {
    const { method = '' } = this.#given.request;
    const answer = await this.#send(method, this.#abort.signal);
    if (method !== 'GET' || !answer.ok) return this.#acknowledge(answer, true);
    if (!isEventStream(answer)) throw new Error('the server answered with no stream of events');
    copyHeaders(answer, this.#given.response);
    await this.#events(answer.body, this.#abort.signal);
    this.#given.response.end();
  }

  /** Accepts the message, which has no response. */
  accept(): void {
    const isRequest = this.#id !== undefined && this.#id !== null;
    if (!this.#forwarded && !isRequest) this.#given.response.writeHead(202).end();
  }

  end(): void {
    const { response } = this.#given;
    if (!response.headersSent) response.writeHead(202);
    response.end();
  }

  async #send(method: string, signal: AbortSignal, message?: Message): Promise<Answer> {
    const { upstream, request, message: posted } = this.#given;
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers))
      if (!OWN_HEADERS.has(name) && !isDisguisedHeader(name) && value !== undefined)
        headers.set(name, String(value));
    if (message !== undefined) describe(message, headers);
    // These headers repeat arguments by rules in the tool's schema. A server that requires them refuses the changed call.
    if (message !== posted)
      for (const header of [...headers.keys()]) if (header.startsWith('mcp-param-')) headers.delete(header);
    for (const [name, value] of Object.entries(upstream.headers ?? {})) headers.set(name, value);
    const body = message !== undefined && { body: wireForm(message) };
    const answer = await send(upstream.url, { method, headers, signal, ...body });
    const session = answer.headers.get('mcp-session-id');
    if (answer.ok && session !== null) this.onSession(session);
    return answer;
  }

  /** Forwards an answer to something that has no response: its status and headers. No hook would see its body. */
  #acknowledge(answer: Answer, isPosted: boolean): void {
    answer.body.destroy();
    const { response } = this.#given;
    if (!isPosted || response.headersSent) return;
    copyHeaders(answer, response);
    response.writeHead(isRedirect(answer) ? 502 : answer.status).end();
  }

  /**
   * Reads the server's answer to a request, whatever its status: its messages go to hooks, and nothing else of its body
   * to the client.
   */
  async #take(answer: Answer, signal: AbortSignal, id: Id): Promise<void> {
    const { connection, response } = this.#given;
    const { status } = answer;
    if (!response.headersSent) {
      copyHeaders(answer, response);
      // A client that follows a redirect would go past the hooks.
      if (status >= 300) this.#status = isRedirect(answer) ? 502 : status;
      else this.#status = 200;
    }
    if (isEventStream(answer)) await this.#events(answer.body, signal);
    else if (isJson(answer)) this.#receive(await readBody(answer), undefined, id);
    else answer.body.destroy();
    if (this.#resumable && connection.has(id)) response.end();
    else connection.fail(id, new Error(withoutResponse(answer)));
  }

  async #events(body: Readable, signal: AbortSignal): Promise<void> {
    const { response } = this.#given;
    this.#stream();
    const parser = createParser({
      maxBufferSize: LONGEST,
      onEvent: ({ id, event = 'message', data }) => {
        if (id !== undefined) this.#resumable = true;
        // A client reads no message in an event of another type.
        if (data === '' || event !== 'message')
          this.#write(`${id === undefined ? '' : `id: ${id}\n`}data: \n\n`);
        else this.#receive(data, id);
      },
      // It keeps the connection open, and its text is nobody's.
      onComment: () => this.#write(':\n\n'),
      onRetry: (ms) => this.#write(`retry: ${ms}\n`),
      onError: (error) => {
        if (error.type === 'max-buffer-size-exceeded') throw error;
      },
    });
    const decoder = new TextDecoder();
    try {
      for await (const part of body) {
        parser.feed(decoder.decode(part, { stream: true }));
        if (response.writableNeedDrain) await drained(response);
      }
    } catch (error) {
      // A broken stream ends, and its pending requests fail.
      if (!signal.aborted)
        this.#given.connection.settings.warn(`a stream of the server broke: ${failureOf(error).message}`);
    }
  }

  /** @param about the request that an error without an id is about */
  #receive(raw: string | Buffer, eventId?: string, about?: Id): void {
    const { connection } = this.#given;
    let message: Message;
    try {
      message = parseMessage(raw);
    } catch (error) {
      if (!(error instanceof UnreadableMessage)) throw error;
      connection.refuseFromServer(error, this);
      return;
    }
    if (message.json.id === null && about !== undefined) message = { json: { ...message.json, id: about } };
    connection.fromServer(eventId === undefined ? message : { ...message, eventId }, this);
  }

  /** The server may say more after its answer, which has ended the response. */
  #write(text: string): void {
    if (this.isOpen) this.#given.response.write(text);
  }

  /** Switches the response to a stream of events. */
  #stream(): void {
    const { response } = this.#given;
    if (response.headersSent) return;
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    response.flushHeaders();
  }
}

/** Waits until a response, which is open and full, takes more, or nobody reads it any more. */
async function drained(response: ServerResponse): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
  waiting.abort();
}

/** Why a request has no response. */
function withoutResponse({ status, ok }: Answer): string {
  return ok
    ? 'the server closed the stream without an answer'
    : `the server answered with HTTP status ${status} and without a response to the request`;
}

function copyHeaders(answer: Answer, response: ServerResponse): void {
  for (const [name, value] of answer.headers)
    if (!OWN_HEADERS.has(name) && !LEADING_HEADERS.has(name)) response.setHeader(name, value);
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
}

/** Makes headers that repeat a part of the message say what it says: a server may obey them instead. */
function describe({ json }: Message, headers: Headers): void {
  const { method, params: { name, uri } = {} } = json;
  const named = method === 'resources/read' ? uri : name;
  for (const [header, value] of [
    ['mcp-method', method],
    ['mcp-name', named],
  ] as const) {
    if (!headers.has(header)) continue;
    if (typeof value === 'string') headers.set(header, asHeader(value));
    else headers.delete(header);
  }
}

/** Whether it is another spelling of a header of MCP: CGI and WSGI read `Mcp_Session_Id` as `Mcp-Session-Id`. */
function isDisguisedHeader(name: string): boolean {
  return name.includes('_') && name.replaceAll('_', '-').startsWith('mcp-');
}

/** A text as the value of a header of MCP: in base64, unless it is plain. */
function asHeader(text: string): string {
  const isPlain =
    /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
