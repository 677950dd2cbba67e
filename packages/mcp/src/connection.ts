import { randomUUID } from 'node:crypto';
import type { Approver, Hooks, Principal } from '@hooks/core';
import type { RequestStates } from './approval/request-state.ts';
import {
  CLIENT_CAPABILITIES,
  CLIENT_INFO,
  errorResponse,
  type Fields,
  type Id,
  isFields,
  isModern,
  keyOf,
  type Message,
  message,
  metaOf,
  type RpcMessage,
  SERVER_ERROR,
} from './message/message.ts';
import type { KnownTools } from './tools/offer.ts';

/** Where the messages of an exchange go. */
export interface Route {
  toClient(message: Message): void;
  /**
   * @param signal aborts the request
   * @returns rejects where the message did not reach the server
   */
  toServer(message: Message, signal?: AbortSignal): void | Promise<void>;
  /** The client's request was canceled, and gets no response. */
  end(): void;
}

/** What a transport knows of a connection. */
export interface ConnectionSettings {
  readonly hooks: Hooks;
  /** The prefix of the server in a gateway. */
  readonly server?: string | undefined;
  /** Event types on which hooks may be registered, although they never fire here. */
  readonly allowUnsupported: readonly string[];
  /** Who approves where the client cannot ask a person. */
  readonly approval?: Approver | undefined;
  readonly states: RequestStates;
  readonly tools: KnownTools;
  /** Who is behind the connection, as far as the transport knows; empty where there can be one only. */
  readonly user: string;
  /** For whom the calls are, where the operator tells. */
  readonly principal?: Principal | undefined;
  /** The id of the connection's session; each call has its own where there is none. */
  readonly session?: string | undefined;
  /** Tells the operator. */
  readonly warn: (text: string) => void;
}

/** A response to a request that went to the server, and the route on which it came. */
export interface Reply {
  readonly message: Message;
  readonly route: Route;
}

/** A request that the server has not answered yet. */
interface Pending {
  answer(reply: Reply): void;
  fail(error: Error): void;
}

/** The transport has answered the client itself, for example with an HTTP status. */
export class AnsweredElsewhere extends Error {}

/** One client and one server, and the requests between them that are under way. */
export class Connection {
  readonly settings: ConnectionSettings;
  /** What the client said of itself in `initialize`. */
  client: Fields = {};
  readonly #pending: Map<string, Pending> = new Map();
  /** Requests of ours that the client has not answered yet. */
  readonly #asked: Map<string, (reply: RpcMessage) => void> = new Map();
  /** Calls that hooks decide about, by the client's id of the request. */
  readonly #calls: Map<string, AbortController> = new Map();
  /** How far calls have come, by progress token. */
  readonly #progress: Map<string, number> = new Map();
  readonly #running: Set<Promise<void>> = new Set();
  readonly #idPrefix = `hooks-${randomUUID()}`;
  #minted = 0;

  constructor(settings: ConnectionSettings) {
    this.settings = settings;
  }

  /** Remembers work that is under way. */
  run(running: Promise<void>): void {
    this.#running.add(running);
    void running.finally(() => this.#running.delete(running));
  }

  /** A notification that the client has sent. */
  notify(message: Message, route: Route): void {
    const { method, params } = message.json;
    const canceled = method === 'notifications/cancelled' ? keyOf(params?.['requestId']) : undefined;
    const call = canceled === undefined ? undefined : this.#calls.get(canceled);
    if (call !== undefined) {
      const reason = params?.['reason'];
      call.abort(new Error(typeof reason === 'string' ? reason : 'The client canceled it.'));
      return;
    }
    if (canceled !== undefined) this.#pending.delete(canceled);
    this.#deliver(message, route).catch((error: Error) => this.settings.warn(error.message));
  }

  /** A response that the client has sent: to a request of the server, or of ours. */
  respond(message: Message, route: Route): void {
    const key = keyOf(message.json.id);
    const answer = this.#asked.get(key);
    this.#asked.delete(key);
    if (answer !== undefined) answer(message.json);
    else this.#deliver(message, route).catch((error: Error) => this.settings.warn(error.message));
  }

  /** A message that the server has sent. */
  fromServer(message: Message, route: Route): void {
    const { id, method, params } = message.json;
    if (method === 'notifications/progress' && !this.#isProgress(params ?? {})) return;
    // An error without an id is about a message that the server could not read.
    if (method !== undefined || id === null) {
      route.toClient(message);
      return;
    }
    const pending = this.#pending.get(keyOf(id));
    this.#pending.delete(keyOf(id));
    if (pending !== undefined) pending.answer({ message, route });
    else this.settings.warn('dropped a response of the server: no request with its id is under way');
  }

  /** Progress may not fall, which it would when a call runs again. */
  #isProgress({ progressToken, progress }: Fields): boolean {
    const key = keyOf(progressToken);
    const last = this.#progress.get(key);
    if (last === undefined || typeof progress !== 'number') return true;
    if (progress <= last) return false;
    this.#progress.set(key, progress);
    return true;
  }

  /** Sends a request on. Default: what comes back is passed on by `answer`, as it came. */
  forward(message: Message, id: Id, route: Route, answer: (reply: Reply) => void = pass): void {
    const fail = (error: Error): void => {
      if (this.#pending.delete(keyOf(id)) && !(error instanceof AnsweredElsewhere))
        route.toClient(errorResponse(id, SERVER_ERROR, error.message));
    };
    this.#pending.set(keyOf(id), { answer, fail });
    this.#deliver(message, route).catch(fail);
  }

  async #deliver(message: Message, route: Route, signal?: AbortSignal): Promise<void> {
    await route.toServer(message, signal);
  }

  /** Sends a request to the server and waits for the response. An abort cancels it there. */
  request(request: Message, id: Id, route: Route, signal: AbortSignal): Promise<Reply> {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const cancel = (): void => {
      const reason = String(signal.reason?.message ?? signal.reason);
      const notice = message({ method: 'notifications/cancelled', params: { requestId: id, reason } });
      this.#deliver(notice, route).catch(() => {}); // Whoever cannot be reached has nothing to cancel.
      reject(signal.reason);
    };
    this.#pending.set(keyOf(id), { answer: resolve, fail: reject });
    signal.addEventListener('abort', cancel);
    this.#deliver(request, route, signal).catch(reject);
    return promise.finally(() => {
      this.#pending.delete(keyOf(id));
      signal.removeEventListener('abort', cancel);
    });
  }

  /** Sends a request of ours to the client and waits for the response. */
  ask(method: string, params: Fields, route: Route, signal: AbortSignal | undefined): Promise<RpcMessage> {
    const id = this.mintId();
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

  /** An id that no other request of the connection has. */
  mintId(): string {
    return `${this.#idPrefix}-${++this.#minted}`;
  }

  /** Whether a request of the client with this id is under way. */
  has(id: Id): boolean {
    return this.#pending.has(keyOf(id)) || this.#calls.has(keyOf(id));
  }

  /** Remembers a call, so that the client can cancel it and its progress does not fall. */
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

  /** What the client says it can do: in the request itself, or in `initialize`. */
  capabilitiesFor(request: RpcMessage): Fields {
    const said = isModern(request)
      ? metaOf(request.params)[CLIENT_CAPABILITIES]
      : this.client['capabilities'];
    return isFields(said) ? said : {};
  }

  /** The name of the client. */
  agentOf(request: RpcMessage): string | undefined {
    const info = isModern(request) ? metaOf(request.params)[CLIENT_INFO] : this.client['clientInfo'];
    return isFields(info) && typeof info['name'] === 'string' ? info['name'] : undefined;
  }

  /** The server is gone: what waits for it fails with that. */
  lose(error: Error): void {
    for (const pending of [...this.#pending.values()]) pending.fail(error);
  }

  /** The client waits for a request no more. */
  abandon(id: Id): void {
    this.#calls.get(keyOf(id))?.abort(new Error('The client hung up.'));
    this.#pending.delete(keyOf(id));
  }

  /** One request got no response, and will not get any. */
  fail(id: Id, error: Error): void {
    this.#pending.get(keyOf(id))?.fail(error);
  }

  /** Resolves when the calls under way are over. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** The client is gone: calls are canceled, and the connection's session closes. */
  async close(): Promise<void> {
    for (const call of this.#calls.values()) call.abort(new Error('The client hung up.'));
    await this.settled();
    const { hooks, session } = this.settings;
    if (session !== undefined) await hooks.session(session).close();
  }
}

function pass({ message, route }: Reply): void {
  route.toClient(message);
}
