import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { BeforeModelCall } from '@hooks/core';
import { errorText } from '@hooks/core/adapter';
import { parsed } from '@hooks/language-model';
import type { Gate } from '../run/gate.ts';
import { callModel } from './call.ts';
import { isRequestBody, type RequestBody } from './request.ts';
import { fail, relay, send } from './upstream.ts';

/** What Claude Code requests besides answers of models. */
const FORWARDED = /^(?:HEAD|GET) \/(?:api\/hello|v1\/models(?:\/[\w-][\w.-]*)?)(?:\?|$)/;
const MODEL_CALL = /^POST \/v1\/messages(?:\?|$)/;
const COUNT = /^POST \/v1\/messages\/count_tokens(?:\?|$)/;

/**
 * A server on loopback between the Claude Code of one query and its API, so that hooks see each call of a model. Keys are
 * passed on, and nothing is kept.
 */
export class ModelProxy {
  readonly #gate: Gate;
  readonly #upstream: string;
  /** Keeps out other users of this machine. */
  readonly #token = randomBytes(32).toString('hex');
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #closed = new AbortController();
  /** Whether Claude Code has asked for a model. */
  isUsed = false;

  constructor(gate: Gate, upstream: string) {
    this.#gate = gate;
    this.#upstream = upstream;
    this.#server.unref();
  }

  /** Opens the server. Returns the base URL for Claude Code. */
  async listen(): Promise<string> {
    const { signal } = this.#closed;
    await once(this.#server.listen(0, '127.0.0.1'), 'listening', { signal });
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port.toString()}/${this.#token}`;
  }

  close(): void {
    this.#closed.abort(new Error('The query was closed before it began.'));
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = this.#pathOf(request);
    if (path === undefined)
      return fail(response, 403, 'permission_error', 'The request is not one of the query.');
    const abort = new AbortController();
    response.on('close', () => abort.abort());
    try {
      await this.#forward(path, request, response, abort.signal);
    } catch (error) {
      if (response.headersSent || abort.signal.aborted) response.destroy();
      else
        fail(
          response,
          502,
          'api_error',
          `The request failed on its way through the hooks: ${errorText(error)}`,
        );
    }
  }

  /** The path behind the token, if the request may come from Claude Code: browsers name an origin. */
  #pathOf({ url = '', headers }: IncomingMessage): string | undefined {
    const start = Buffer.from(url.slice(0, this.#token.length + 1));
    const wanted = Buffer.from(`/${this.#token}`);
    const isKnown = start.length === wanted.length && timingSafeEqual(start, wanted);
    return isKnown && headers.origin === undefined ? url.slice(wanted.length) : undefined;
  }

  async #forward(
    path: string,
    request: IncomingMessage,
    response: ServerResponse,
    signal: AbortSignal,
  ): Promise<void> {
    const { method = '', headers } = request;
    const line = `${method} ${path}`;
    const forward = (body: string | Buffer) => send(this.#upstream, { method, path, headers, body }, signal);
    // A count sends the texts of a conversation, which hooks may rewrite. Claude Code estimates without one.
    const counts = COUNT.test(line) && !this.#gate.setting.registries.decides(BeforeModelCall);
    if (counts || FORWARDED.test(line)) return relay(await forward(await buffer(request)), response);
    if (!MODEL_CALL.test(line))
      return fail(response, 404, 'not_found_error', 'Hooks do not let this request pass.');
    const body = parsed(await text(request));
    if (!isRequestBody(body)) throw new Error('it has no messages that hooks could read');
    this.isUsed = true;
    const session = headers['x-claude-code-session-id'];
    const agent = headers['x-claude-code-agent-id'];
    await callModel(this.#gate, {
      body,
      sessionId: typeof session === 'string' ? session : (this.#gate.current?.sessionId ?? ''),
      agentId: typeof agent === 'string' ? agent : undefined,
      // Serialized again: where a field stands twice, the API might read the one that hooks did not see.
      send: (body: RequestBody) => forward(JSON.stringify(body)),
      response,
      signal,
    });
  }
}
