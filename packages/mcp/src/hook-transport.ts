import { randomUUID } from 'node:crypto';
import { type Hooks, HooksError } from '@hooks/core';
import { attachAdapter, warnOnce } from '@hooks/core/adapter';
import { checkOptions } from '@hooks/core/options';
import { RequestStates } from './approval/request-state.ts';
import { Connection, type Route } from './connection.ts';
import { fromClient } from './gate.ts';
import {
  INVALID_REQUEST,
  isFields,
  isRpcMessage,
  type Message,
  UnreadableMessage,
} from './message/message.ts';
import { type CommonOptions, OF_ALL, warningsTo } from './options.ts';
import { supports } from './supports.ts';
import { doorOf } from './tools/doors.ts';
import { withoutDeviatingParams } from './transport/param-headers.ts';

/** Options of {@link hookTransport}. `onWarning` is by default the registry's. */
export type HookTransportOptions = Omit<CommonOptions, 'hooks'>;

const { hooks: _, ...OF_TRANSPORT } = OF_ALL;

/** A transport of an MCP client. Those of both versions of the SDK are. */
export interface ClientTransport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  start(): Promise<void>;
  send(message: object, options?: object): Promise<void>;
  close(): Promise<void>;
}

/**
 * Hooks the transport of an MCP client in this process: hooks decide about tool calls and results as they do behind
 * {@link proxy}, without a process in between. Connect the client to what it returns, and to nothing else.
 *
 * @param transport of `@modelcontextprotocol/sdk` or `@modelcontextprotocol/client`, not started yet. It stays as it is, but
 *   for its `onmessage`, `onclose` and `onerror`
 * @returns the transport for the client. It has the class and all members of the given one
 * @throws HooksError `UNSUPPORTED_EVENT` if a hook may refuse on an event that never fires here, and `INVALID_INPUT` if the
 *   transport is hooked already
 * @example
 * ```ts
 * const transport = new StdioClientTransport({ command: 'npx', args: ['server-files', '.'] });
 * await client.connect(hookTransport(transport, hooks));
 * ```
 */
export function hookTransport<T extends ClientTransport>(
  transport: T,
  hooks: Hooks,
  options: HookTransportOptions = {},
): T {
  options = checkOptions('hookTransport', options, OF_TRANSPORT);
  if (hooked.has(transport))
    throw new HooksError(
      'INVALID_INPUT',
      'hookTransport: this transport is hooked already; register all hooks in one registry.',
    );
  const gate = new TransportGate(transport, hooks, options);
  const proxy = new Proxy(transport, {
    get(target, key) {
      if (isOurs(key)) return gate.client[key];
      const member: unknown = Reflect.get(target, key, target);
      return typeof member === 'function' && key !== 'constructor' ? member.bind(target) : member;
    },
    set(target, key, value) {
      return isOurs(key) ? Reflect.set(gate.client, key, value) : Reflect.set(target, key, value, target);
    },
  });
  hooked.add(transport);
  hooked.add(proxy);
  return proxy;
}

const hooked: WeakSet<object> = new WeakSet();

const OURS = ['onmessage', 'onclose', 'onerror', 'send', 'close'] as const;
type Ours = Pick<ClientTransport, (typeof OURS)[number]>;

function isOurs(key: string | symbol): key is keyof Ours {
  return OURS.some((member) => member === key);
}

/** The options of `send` that matter here. */
interface SendOptions {
  /** Aborts the request, where each has a stream of its own. The client then sends no notification. */
  readonly requestSignal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Stands between a client and its transport. */
class TransportGate {
  /** What the client listens with, and what it calls. It may put functions of its own around these. */
  readonly client: Ours;
  readonly #transport: Pick<ClientTransport, 'send' | 'close'>;
  readonly #connection: Connection;
  #isOpen = true;

  constructor(
    transport: ClientTransport,
    hooks: Hooks,
    { approval, allowUnsupported = [], onWarning = (text) => warnOnce(hooks, text) }: HookTransportOptions,
  ) {
    attachAdapter(hooks, { supports, allowUnsupported });
    const { onmessage, onclose, onerror } = transport;
    this.client = {
      onmessage,
      onclose,
      onerror,
      send: (message, options) => this.#send(message, options),
      close: () => this.#close(),
    };
    this.#transport = { send: transport.send.bind(transport), close: transport.close.bind(transport) };
    this.#connection = new Connection({
      hooks,
      approval,
      allowUnsupported,
      states: new RequestStates(),
      tools: new Map(),
      user: '',
      session: randomUUID(),
      warn: warningsTo(onWarning),
    });
    transport.onmessage = (message, extra) => this.#receive(message, extra);
    transport.onerror = (error) => this.client.onerror?.(error);
    transport.onclose = () => this.#closed();
  }

  /** Sends a message of the client. Rejects if the transport does, unless hooks decided about the error. */
  async #send(message: object, options: SendOptions = {}): Promise<void> {
    if (!isRpcMessage(message)) throw new TypeError('hookTransport: the client sent no JSON-RPC message.');
    const { id, method } = message;
    // Nobody can change what hooks have judged, and it is what the server will read.
    const json: typeof message =
      method !== undefined && doorOf(method) !== undefined ? JSON.parse(JSON.stringify(message)) : message;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const isRequest = id !== undefined && id !== null && method !== undefined;
    let isSent = false;
    let failure: Error | undefined;
    const { requestSignal } = options;
    if (isRequest)
      requestSignal?.addEventListener('abort', () => this.#connection.abandon(id), { once: true });
    const route: Route = {
      isOpen: true,
      toClient: (answer) => {
        // The client tells apart the errors of its own transport, such as that it has to sign in.
        if (failure !== undefined && answer.json.id === id && answer.json.error?.message === failure.message)
          reject(failure);
        else {
          resolve();
          this.#toClient(answer);
        }
      },
      toServer: async (sent, signal) => {
        // A request with a stream of its own is cancelled by closing that.
        if (sent.json.method !== method)
          return requestSignal === undefined ? this.#transport.send(sent.json) : undefined;
        isSent = true;
        try {
          await this.#transport.send(sent.json, optionsFor(sent, json, options, signal));
          resolve();
        } catch (error) {
          if (!isRequest) return reject(error);
          failure = error instanceof Error ? error : new Error(String(error));
          throw error;
        }
      },
      end: resolve,
    };
    fromClient(this.#connection, { json }, route);
    // It was an answer to a question of hooks, cancelled one of their calls, or was dropped with a warning.
    if (!isRequest && !isSent) resolve();
    return promise;
  }

  /** Closes the transport, cancels running calls, and closes the session. */
  async #close(): Promise<void> {
    const closing = this.#connection.close();
    await this.#transport.close();
    await closing;
  }

  #receive(message: unknown, extra: unknown): void {
    const route: Route = {
      isOpen: true,
      toClient: (answer) => this.#toClient(answer, extra),
      toServer: ({ json }) => this.#transport.send(json),
      end: () => {},
    };
    if (isRpcMessage(message)) this.#connection.fromServer({ json: message }, route);
    else
      this.#connection.refuseFromServer(
        new UnreadableMessage(
          'it is not a JSON-RPC message',
          INVALID_REQUEST,
          isFields(message) ? [message] : [],
        ),
        route,
      );
  }

  #toClient({ json }: Message, extra?: unknown): void {
    // The client has given up everything that it waits for.
    if (this.#isOpen) this.client.onmessage?.(json as never, extra as never);
  }

  #closed(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.client.onclose?.();
    this.#connection.lose(new Error('The connection was closed.'));
    void this.#connection.close();
  }
}

/** The options for a request as hooks left it. */
function optionsFor(
  sent: Message,
  original: Message['json'],
  { requestSignal, headers, ...options }: SendOptions,
  signal: AbortSignal | undefined,
): SendOptions {
  const signals = [requestSignal, signal].filter((one) => one !== undefined);
  return {
    ...options,
    ...(requestSignal && { requestSignal: AbortSignal.any(signals) }),
    ...(headers && {
      headers: sent.json.params === original.params ? headers : withoutDeviatingParams(sent, headers),
    }),
  };
}
