import type { Principal } from '../principal.ts';

/** How a tool call ended: `denied` where an approval was refused, `blocked` where a hook refused. */
export type ToolCallStatus = 'ok' | 'error' | 'blocked' | 'denied';

/** One finished tool call, as a session remembers it. */
export interface ToolCallRecord {
  readonly callId: string;
  readonly toolName: string;
  /** The input that ran, or that would have run. */
  readonly input: unknown;
  readonly status: ToolCallStatus;
  readonly ran: boolean;
  /** Why, where it was blocked or denied. */
  readonly reason?: string;
  /** The hook that decided so, `provider/id`. */
  readonly by?: string;
  readonly attempts: number;
  readonly durationMs: number;
  /** When it ended, in milliseconds since 1970. */
  readonly at: number;
}

/** A typed name under which a session keeps a value. Two keys of one name are the same key. */
export interface SessionKey<T> {
  readonly name: string;
  /** Exists in types only. */
  readonly '~value'?: (value: T) => T;
}

/**
 * Makes a key for typed state in a session.
 *
 * @param name unique in your program; prefix it with your package's name
 * @example
 * ```ts
 * const attempts = sessionKey<number>('acme/attempts');
 * session.set(attempts, (session.get(attempts) ?? 0) + 1);
 * ```
 */
export function sessionKey<T>(name: string): SessionKey<T> {
  return { name };
}

/** Why a session opened: `resume` where the framework restored its state. */
export type SessionSource = 'startup' | 'resume' | 'clear' | 'compact';

/** Why a session closed; `evicted` where it was idle too long or there were too many. */
export type SessionEndReason = 'clear' | 'logout' | 'prompt_input_exit' | 'evicted' | 'other';

/** One run: from a prompt to its answer. */
export interface Run {
  readonly id: string;
  /** What prompt hooks tag and `BeforeRun` hooks read. */
  readonly metadata: { readonly [name: string]: unknown };
}

/**
 * One conversation: the framework's thread, session or memory id, else minted per run. It opens (`SessionStart`) at
 * its first event and closes (`SessionEnd`) exactly once.
 */
export interface Session extends AsyncDisposable {
  readonly id: string;
  /** The session in which this sub-agent's session was started. */
  readonly parent: Session | undefined;
  /** For whom it was opened; a sub-agent's session has that of its parent unless it is given another. */
  readonly principal: Principal | undefined;
  readonly source: SessionSource;
  readonly state: 'new' | 'opening' | 'open' | 'closed';
  /** Fires `SessionStart` unless it has; every dispatch in the session does so first. Synchronous where its hooks are. */
  open(): undefined | PromiseLike<undefined>;
  /** The value under `key`; where there is none, `initial()` is kept and returned. */
  get<T>(key: SessionKey<T>): T | undefined;
  get<T>(key: SessionKey<T>, initial: () => T): T;
  set<T>(key: SessionKey<T>, value: T): void;
  /** The newest tool calls of this session, oldest first; as many as `historyLength` allows. */
  readonly history: readonly ToolCallRecord[];
  /** The run of that id, with what has been noted of it so far. */
  run(id: string): Run;
  /** What hooks contributed; adapters take it with `takeContext` and `forgetRun` of `@hooks/core/adapter`. */
  readonly contributed: Contributed[];
  /** Fires `SessionEnd` once, and waits for observers. Closing a closed session does nothing. */
  close(reason?: SessionEndReason): Promise<void>;
  /** The plain form that logs and hook processes get. */
  toJSON(): { readonly id: string; readonly parent: string | undefined };
}

/** For how long a contributed context is in force. */
export type ContextScope = 'session' | 'run' | 'call';

/** What hooks of one event contributed, as a session keeps it. */
export interface Contributed {
  /** The run that it ends with; without one it ends with the session. */
  readonly run: string | undefined;
  /** `call`: it is told in the next model call only. */
  readonly scope: ContextScope | undefined;
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
