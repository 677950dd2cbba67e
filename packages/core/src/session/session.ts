import type { Principal } from '../principal.ts';

/** How a tool call ended: `denied` if an approval was refused, `blocked` if a hook refused. */
export type ToolCallStatus = 'ok' | 'error' | 'blocked' | 'denied';

/** A finished tool call in a session's history. */
export interface ToolCallRecord {
  readonly callId: string;
  readonly toolName: string;
  /** The input that ran or would have run. Undefined if it was left out, see `SessionLimits.historyBytes`. */
  readonly input: unknown;
  /** How large an input is that was left out, in bytes. */
  readonly omittedBytes?: number;
  readonly status: ToolCallStatus;
  readonly ran: boolean;
  /** Why it was blocked or denied. */
  readonly reason?: string;
  /** The hook that decided, `provider/id`. */
  readonly by?: string;
  readonly attempts: number;
  readonly durationMs: number;
  /** When it ended, in milliseconds since 1970. */
  readonly at: number;
}

/** A typed name of a value in a session. Two keys with the same name and the same options are the same key. */
export interface SessionKey<T> {
  readonly name: string;
  readonly shared?: boolean;
  /** Exists in types only. */
  readonly '~value'?: (value: T) => T;
}

/** Options of {@link sessionKey}. */
export interface SessionKeyOptions {
  /**
   * Whether the registries of a run share the value: a hook of one registry then reads what a hook of another has set, in the
   * session of the same id. Default: false. Has no effect on the values of a run.
   */
  readonly shared?: boolean;
}

/**
 * Creates a key for typed state in a session.
 *
 * @param name unique in your program; prefix it with your package's name
 * @example
 * ```ts
 * const attempts = sessionKey<number>('acme/attempts');
 * session.set(attempts, (session.get(attempts) ?? 0) + 1);
 * ```
 */
export function sessionKey<T>(name: string, { shared = false }: SessionKeyOptions = {}): SessionKey<T> {
  return shared ? { name, shared } : { name };
}

/** Why a session opened. `resume`: the framework restored its state. */
export type SessionSource = 'startup' | 'resume' | 'clear' | 'compact';

/** Why a session closed. `evicted`: it was idle too long, or there were too many. */
export type SessionEndReason = 'clear' | 'logout' | 'prompt_input_exit' | 'evicted' | 'other';

/** One run: from a prompt to its answer. */
export interface Run {
  readonly id: string;
  /** What prompt hooks set and `BeforeRun` hooks read. */
  readonly metadata: { readonly [name: string]: unknown };
  /**
   * The value under `key`, which is kept until the run ends. If there is none, stores and returns `initial()`.
   *
   * @throws HooksError `INVALID_INPUT` where a value is to be stored and 10,000 other runs of the session have not ended
   */
  get<T>(key: SessionKey<T>): T | undefined;
  get<T>(key: SessionKey<T>, initial: () => T): T;
  /** Stores a value until the run ends. Throws as `get`. */
  set<T>(key: SessionKey<T>, value: T): void;
}

/**
 * One conversation. Its id is the framework's thread, session or memory id, or generated for each run. It opens
 * (`SessionStart`) at its first event and closes (`SessionEnd`) exactly once.
 */
export interface Session extends AsyncDisposable {
  readonly id: string;
  /** For a sub-agent: the session that started it. */
  readonly parent: Session | undefined;
  /** The user it was opened for. A sub-agent's session inherits its parent's. */
  readonly principal: Principal | undefined;
  readonly source: SessionSource;
  readonly state: 'new' | 'opening' | 'open' | 'closed';
  /**
   * Fires `SessionStart` if it has not fired yet. Every dispatch in the session calls it first. Synchronous if the
   * hooks are.
   */
  open(): undefined | PromiseLike<undefined>;
  /** The value under `key`. If there is none, stores and returns `initial()`. */
  get<T>(key: SessionKey<T>): T | undefined;
  get<T>(key: SessionKey<T>, initial: () => T): T;
  set<T>(key: SessionKey<T>, value: T): void;
  /** The latest tool calls of this session, oldest first, at most `historyLength`. */
  readonly history: readonly ToolCallRecord[];
  /** The run with that id, with its metadata so far. */
  run(id: string): Run;
  /** Context from hooks. Adapters read it with `takeContext` and `forgetRun` of `@hooks/core/adapter`. */
  readonly contributed: Contributed[];
  /** Fires `SessionEnd` and waits for observers. Closing a closed session has no effect. */
  close(reason?: SessionEndReason): Promise<void>;
  /** The plain form that logs and hook processes get. */
  toJSON(): { readonly id: string; readonly parent: string | undefined };
}

/** How long the model sees a contributed context. */
export type ContextScope = 'session' | 'run' | 'call' | 'request';

/** What hooks contributed on one event, as a session stores it. */
export interface Contributed {
  /** The run that it ends with. Without one, it ends with the session. */
  readonly run: string | undefined;
  /** `call`: for the next model call only, however often its request is sent. `request`: for one request. */
  readonly scope: ContextScope | undefined;
  /** With the scope `call`: the run whose model call has it. It is told again until the next turn of that run. */
  takenBy?: string;
  readonly texts: readonly string[] | undefined;
  readonly metadata?: { readonly [name: string]: unknown } | undefined;
}

// What TypeScript knows with `lib: esnext.disposable`: with it, it is the same; without it, the types of this package compile, too.
declare global {
  interface SymbolConstructor {
    readonly dispose: unique symbol;
    readonly asyncDispose: unique symbol;
  }
  interface Disposable {
    [Symbol.dispose](): void;
  }
  interface AsyncDisposable {
    [Symbol.asyncDispose](): PromiseLike<void>;
  }
}
