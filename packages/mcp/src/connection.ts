import { randomUUID } from 'node:crypto';
import type { Approver, Concealed, Hooks, Principal, Session } from '@hooks/core';
import type { RequestStates } from './approval/request-state.ts';
import {
  CLIENT_CAPABILITIES,
  CLIENT_INFO,
  errorResponse,
  type Fields,
  type Id,
  isFields,
  isModern,
  isRpcMessage,
  keyOf,
  type Message,
  message,
  metaOf,
  type RpcMessage,
  SERVER_ERROR,
  seen,
  type UnreadableMessage,
} from './message/message.ts';
import { transform, transforms } from './message/transform.ts';
import type { KnownTools } from './tools/offer.ts';

/** Sends the messages of an exchange. */
export interface Route {
  /** Whether the client still reads here. */
  readonly isOpen: boolean;
  /** Who sent the request, if the operator says. In one session the roles of a user may change. */
  readonly principal?: Principal | undefined;
  toClient(message: Message): void;
  /**
   * @param signal aborts the request
   * @returns rejects if the message did not reach the server
   */
  toServer(message: Message, signal?: AbortSignal): void | Promise<void>;
  /** The client canceled its request, which gets no response. */
  end(): void;
}

/** What a transport knows about a connection. */
export interface ConnectionSettings {
  readonly hooks: Hooks;
  /** The prefix of the server in a gateway. */
  readonly server?: string | undefined;
  /** Event types that may have hooks although they never fire here. */
  readonly allowUnsupported: readonly string[];
  /** The approver, if the client cannot ask a person. */
  readonly approval?: Approver | undefined;
  readonly states: RequestStates;
  readonly tools: KnownTools;
  /** The user behind the connection, if the transport knows it. Empty if there can only be one. */
  readonly user: string;
  /** The id of the connection's session. Without it, each call has its own. */
  readonly session?: string | undefined;
  /** Warns the operator. */
  readonly warn: (text: string) => void;
}

/** A response to a forwarded request, and the route that it came on. */
export interface Reply {
  readonly message: Message;
  readonly route: Route;
}

/** A request that waits for the server's response. */
interface Pending {
  /** Where the client waits. */
  readonly route: Route;
  answer(reply: Reply): void;
  fail(error: Error): void;
}

/** How many ids that are texts are remembered, and how long these are. Others count as used. */
const MOST_IDS = 10_000;
const LONGEST_ID = 100;

/** How many calls are remembered for what they conceal. */
const MOST_CONCEALED = 100;

/** A client, a server, and the pending requests between them. */
export class Connection {
  readonly settings: ConnectionSettings;
  /** What the client sent in `initialize`. */
  client: Fields = {};
  readonly #pending: Map<string, Pending> = new Map();
  /** Requests from the proxy to the client that wait for a response. */
  readonly #asked: Map<string, (reply: RpcMessage) => void> = new Map();
  /** Calls that hooks decide about, by the client's request id. */
  readonly #calls: Map<string, AbortController> = new Map();
  /** The progress of calls, by progress token. */
  readonly #progress: Map<string, number> = new Map();
  readonly #running: Set<Promise<void>> = new Set();
  /** The messages of the server that hooks still decide about. */
  #passing: Promise<void> | undefined;
  /** The session of what the server says besides results of calls. */
  #session: Session | undefined;
  /** What calls conceal from all but the server, which may repeat it in any message. */
  readonly #concealed: Set<Concealed> = new Set();
  /** The ids under which the server knows pending requests, where the client's own were used before. */
  readonly #renamed: Map<string, Id> = new Map();
  /** The ids that the server has seen: the greatest number, and texts. */
  #greatestId = Number.NEGATIVE_INFINITY;
  readonly #usedIds: Set<string> = new Set();
  readonly #idPrefix = `hooks-${randomUUID()}`;
  #minted = 0;

  constructor(settings: ConnectionSettings) {
    this.settings = settings;
  }

  /** Tracks pending work. */
  run(running: Promise<void>): void {
    this.#running.add(running);
    void running.finally(() => this.#running.delete(running));
  }

  /** Handles a notification from the client. */
  notify(message: Message, route: Route): void {
    const { method, params } = message.json;
    const canceled = method === 'notifications/cancelled' ? keyOf(params?.['requestId']) : undefined;
    const call = canceled === undefined ? undefined : this.#calls.get(canceled);
    if (call !== undefined) {
      const reason = params?.['reason'];
      call.abort(new Error(typeof reason === 'string' ? reason : 'The client canceled the request.'));
      return;
    }
    const renamed = canceled === undefined ? undefined : this.#renamed.get(canceled);
    if (canceled !== undefined) this.#forget(canceled);
    const notice =
      renamed === undefined
        ? message
        : { json: { ...message.json, params: { ...params, requestId: renamed } } };
    this.#deliver(notice, route).catch((error: Error) => this.settings.warn(error.message));
  }

  /** Handles a response from the client, to a request of the server or the proxy. */
  respond(message: Message, route: Route): void {
    const key = keyOf(message.json.id);
    const answer = this.#asked.get(key);
    this.#asked.delete(key);
    if (answer !== undefined) answer(message.json);
    else this.#deliver(message, route).catch((error: Error) => this.settings.warn(error.message));
  }

  /** Handles a message from the server. */
  fromServer(message: Message, route: Route): void {
    try {
      this.#take(message, route);
    } catch (error) {
      this.drop(message, route, error);
    }
  }

  /** Drops a message of the server that cannot be passed on: for example, it is nested too deeply to be written again. */
  drop({ json: { id, method } }: Message, route: Route, error: unknown): void {
    this.settings.warn(`dropped a message of the server: ${error instanceof Error ? error.message : error}`);
    if (method === undefined && id !== undefined)
      route.toClient(errorResponse(id, SERVER_ERROR, 'The proxy cannot forward this response.'));
  }

  #take(message: Message, route: Route): void {
    const { id, method, params } = message.json;
    if (method === 'notifications/progress' && !this.#isProgress(params ?? {})) return;
    // An error without an id is about a message that the server could not read.
    if (method !== undefined || id === null) {
      this.pass(message, method ?? '', route);
      return;
    }
    const pending = this.#pending.get(keyOf(id));
    this.#pending.delete(keyOf(id));
    // The server may answer on another stream of the session; a client that has reconnected reads there.
    if (pending !== undefined)
      pending.answer({ message: this.#shown(message), route: pending.route.isOpen ? pending.route : route });
    else this.settings.warn('dropped a response of the server: no pending request has its id');
  }

  /** Handles a message from the server that cannot be read: whoever waits for it, at either end, gets an error. */
  refuseFromServer(error: UnreadableMessage, route: Route): void {
    const { message, requests, responses } = error;
    this.settings.warn(`dropped a message of the server: ${message}`);
    for (const id of responses)
      this.fail(id, new Error(`The response of the server cannot be forwarded: ${message}.`));
    if (requests.length > 0)
      for (const answer of error.answers('The proxy cannot forward this'))
        this.#deliver(answer, route).catch((failure: Error) => this.settings.warn(failure.message));
  }

  /** Progress must not go backwards, as it would when a call runs again. */
  #isProgress({ progressToken, progress }: Fields): boolean {
    const key = keyOf(progressToken);
    const last = this.#progress.get(key);
    if (last === undefined || typeof progress !== 'number') return true;
    if (progress <= last) return false;
    this.#progress.set(key, progress);
    return true;
  }

  /** Forwards a request. By default, `answer` forwards the response unchanged. */
  forward(
    message: Message,
    id: Id,
    route: Route,
    answer: (reply: Reply) => void = (reply) =>
      this.pass(reply.message, message.json.method ?? '', reply.route),
    sentId: Id = this.idAtServer(id),
  ): void {
    const fail = (error: Error): void => {
      if (this.#forget(keyOf(id))) route.toClient(errorResponse(id, SERVER_ERROR, error.message));
    };
    if (sentId === id) {
      this.#pending.set(keyOf(id), { route, answer, fail });
      this.#deliver(message, route).catch(fail);
      return;
    }
    this.#renamed.set(keyOf(id), sentId);
    const answerRenamed = (reply: Reply): void => {
      this.#renamed.delete(keyOf(id));
      answer({ ...reply, message: seen(reply.message, id) });
    };
    this.#pending.set(keyOf(sentId), { route, answer: answerRenamed, fail });
    this.#deliver({ json: { ...message.json, id: sentId } }, route).catch(fail);
  }

  /** No longer waits for the response to a request of the client. */
  #forget(key: string): boolean {
    const renamed = this.#renamed.get(key);
    this.#renamed.delete(key);
    return this.#pending.delete(renamed === undefined ? key : keyOf(renamed));
  }

  /** Passes a message of the server to the client, as hooks leave it, after those that came before it. */
  pass(message: Message, method: string, route: Route): void {
    const answer = this.screen(message, method);
    if (this.#passing === undefined && !(answer instanceof Promise)) {
      this.#send(answer, message, route);
      return;
    }
    const passing = Promise.all([answer, this.#passing])
      .then(([screened]) => this.#send(screened, message, route))
      // Those that come after it wait for it, but do not fail with it.
      .catch((error) => this.drop(message, route, error))
      .finally(() => {
        if (this.#passing === passing) this.#passing = undefined;
      });
    this.#passing = passing;
    this.run(passing);
  }

  /** From now on, the server's messages are shown without what a call conceals. */
  conceal(concealed: Concealed): void {
    this.#concealed.add(concealed);
    const [oldest] = this.#concealed;
    if (oldest !== undefined && this.#concealed.size > MOST_CONCEALED) this.#concealed.delete(oldest);
  }

  /** A message of the server as hooks leave it; undefined if they withhold it. */
  screen(message: Message, method: string): Message | undefined | Promise<Message | undefined> {
    const { hooks, server, session } = this.settings;
    const shown = this.#hide(message);
    if (!transforms(hooks)) return shown;
    this.#session ??= hooks.session(session);
    return transform(hooks, shown, { method: shown.json.method ?? method, server, session: this.#session });
  }

  /** A response without what calls conceal: that of a later call may repeat it. */
  #shown(message: Message): Message {
    try {
      return this.#hide(message);
    } catch (error) {
      this.settings.warn(`withheld a response of the server: ${String(error)}`);
      return errorResponse(
        message.json.id ?? null,
        SERVER_ERROR,
        'Withheld, because it could not be redacted.',
      );
    }
  }

  /** @throws Error without a value if one cannot be hidden */
  #hide(message: Message): Message {
    const { id, ...said } = message.json;
    let shown: unknown = said;
    try {
      for (const concealed of this.#concealed) shown = concealed.hide(shown);
    } catch {
      shown = undefined;
    }
    if (shown === said) return message;
    const json = isFields(shown) && { ...shown, ...(id !== undefined && { id }) };
    if (!isRpcMessage(json)) throw new Error('the values of a call could not be hidden in it');
    return { ...message, json, raw: undefined };
  }

  #send(answer: Message | undefined, { json }: Message, route: Route): void {
    if (answer !== undefined) {
      route.toClient(answer);
      return;
    }
    this.settings.warn(`withheld ${json.method ?? 'a response'} of the server, because a hook failed`);
    // The server may wait for the client's response.
    if (json.id === undefined || json.id === null || json.method === undefined) return;
    const refusal = errorResponse(json.id, SERVER_ERROR, 'Withheld, because a hook failed on this request.');
    this.#deliver(refusal, route).catch((error: Error) => this.settings.warn(error.message));
  }

  async #deliver(message: Message, route: Route, signal?: AbortSignal): Promise<void> {
    await route.toServer(message, signal);
  }

  /** Sends a request to the server and waits for the response. An abort cancels the request there. */
  request(request: Message, id: Id, route: Route, signal: AbortSignal): Promise<Reply> {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const cancel = (): void => {
      const reason = String(signal.reason?.message ?? signal.reason);
      const notice = message({ method: 'notifications/cancelled', params: { requestId: id, reason } });
      this.#deliver(notice, route).catch(() => {}); // An unreachable server has nothing to cancel.
      reject(signal.reason);
    };
    this.#pending.set(keyOf(id), { route, answer: resolve, fail: reject });
    signal.addEventListener('abort', cancel);
    this.#deliver(request, route, signal).catch(reject);
    return promise.finally(() => {
      this.#pending.delete(keyOf(id));
      signal.removeEventListener('abort', cancel);
    });
  }

  /** Sends a request to the client and waits for the response. */
  ask(method: string, params: Fields, route: Route, signal: AbortSignal | undefined): Promise<RpcMessage> {
    // Not one of `mintId`, which the server knows: a question of the server must never have the id of ours.
    const id = `hooks-${randomUUID()}`;
    const { promise, resolve, reject } = Promise.withResolvers<RpcMessage>();
    const cancel = (): void => {
      this.#asked.delete(keyOf(id));
      route.toClient(message({ method: 'notifications/cancelled', params: { requestId: id } }));
      reject(signal?.reason);
    };
    this.#asked.set(keyOf(id), resolve);
    signal?.addEventListener('abort', cancel);
    route.toClient(message({ id, method, params }));
    return promise.finally(() => signal?.removeEventListener('abort', cancel));
  }

  /** A request id that is unique on this connection. */
  mintId(): string {
    return `${this.#idPrefix}-${++this.#minted}`;
  }

  /**
   * The id for a request at the server: the client's own, unless the server may have seen it. The response to an earlier
   * request, which is late or replayed, would be taken for the one to this request, and other hooks would decide on it.
   * Ask when the request arrives: hooks may hold it until later ones are sent.
   */
  idAtServer(id: Id): Id {
    if (typeof id === 'number') {
      if (id <= this.#greatestId) return this.mintId();
      this.#greatestId = id;
    } else {
      const isRemembered = id.length <= LONGEST_ID && this.#usedIds.size < MOST_IDS;
      if (this.#usedIds.has(id) || !isRemembered) return this.mintId();
      this.#usedIds.add(id);
    }
    return id;
  }

  /** Whether a request with this id, of the client or at the server, is pending. */
  has(id: Id): boolean {
    const key = keyOf(id);
    return this.#pending.has(key) || this.#calls.has(key) || this.#renamed.has(key);
  }

  /** Tracks a call, so that the client can cancel it and its progress does not go backwards. */
  begin({ json }: Message): AbortController {
    const abort = new AbortController();
    const token = metaOf(json.params)['progressToken'];
    this.#calls.set(keyOf(json.id), abort);
    if (token !== undefined) this.#progress.set(keyOf(token), Number.NEGATIVE_INFINITY);
    return abort;
  }

  end({ json }: Message): void {
    this.#calls.delete(keyOf(json.id));
    this.#progress.delete(keyOf(metaOf(json.params)['progressToken']));
  }

  /** The client's capabilities, from the request itself or from `initialize`. */
  capabilitiesFor(request: RpcMessage): Fields {
    const said = isModern(request)
      ? metaOf(request.params)[CLIENT_CAPABILITIES]
      : this.client['capabilities'];
    return isFields(said) ? said : {};
  }

  /** The client's name. */
  agentOf(request: RpcMessage): string | undefined {
    const info = isModern(request) ? metaOf(request.params)[CLIENT_INFO] : this.client['clientInfo'];
    return isFields(info) && typeof info['name'] === 'string' ? info['name'] : undefined;
  }

  /** Called when the server is gone: rejects what waits for it. */
  lose(error: Error): void {
    for (const pending of [...this.#pending.values()]) pending.fail(error);
  }

  /** The client no longer waits for a request. */
  abandon(id: Id): void {
    this.#calls.get(keyOf(id))?.abort(new Error('The client disconnected.'));
    this.#forget(keyOf(id));
  }

  /** A request will not get a response. */
  fail(id: Id, error: Error): void {
    this.#pending.get(keyOf(id))?.fail(error);
  }

  /** Resolves when the pending calls are over. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** Called when the client is gone: cancels its calls and closes the connection's session. */
  async close(): Promise<void> {
    for (const call of this.#calls.values()) call.abort(new Error('The client disconnected.'));
    await this.settled();
    const { hooks, session } = this.settings;
    await this.#session?.close();
    if (session !== undefined) await hooks.session(session).close();
  }
}
