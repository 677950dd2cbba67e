import { SessionEnd, SessionStart } from '../event/catalogue/session.ts';
import type { EventPayload, ObservePoint } from '../event/event.ts';
import { after, isThenable } from '../thenable.ts';
import type { Contributed } from './contributed.ts';
import type { ToolCallRecord } from './history.ts';

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

/** What whoever keeps a session does for it. */
export interface SessionHost {
  /** How many tool calls its history holds. */
  readonly historyLength: number;
  /** Asks the hooks of one of the events that begin and end a session. */
  fire<E extends EventPayload>(token: ObservePoint<E>, event: E): unknown;
  /** Gives its id to the next session. */
  forget(session: Session): void;
  /** Waits for observers. */
  settled(): undefined | PromiseLike<void>;
}

/** The one implementation of {@link Session}; `idle`, `paused` and `calls` are for registry and pipeline. */
export class SessionState implements Session {
  declare readonly id: string;
  declare readonly parent: Session | undefined;
  /** Set by who learns of restored state before the session opens. */
  source: SessionSource = 'startup';
  state: 'new' | 'opening' | 'open' | 'closed' = 'new';
  /** Sweeps since it was last used; see session-store.ts. */
  idle = 0;
  /** How many calls are under way in it: it is in use, however long a tool or a person takes. */
  calling = 0;
  /** Calls that paused, by call id: taken up again in this process they go on where they stopped. */
  paused: Map<string, object> | undefined;
  /** The newest tool calls, and some older ones; see history.ts. */
  calls: ToolCallRecord[] = [];
  readonly contributed: Contributed[] = [];
  declare readonly host: SessionHost;
  #opening: PromiseLike<undefined> | undefined;
  #closing: Promise<void> | undefined;
  // Made when first needed: most sessions live for one run, and keep nothing.
  #values: Map<string, unknown> | undefined;

  constructor(id: string, parent: Session | undefined, host: SessionHost) {
    this.id = id;
    this.parent = parent;
    this.host = host;
  }

  open(): undefined | PromiseLike<undefined> {
    if (this.state !== 'new') return this.#opening;
    this.state = 'opening';
    const { type } = SessionStart;
    const fired = this.host.fire(SessionStart, { type, session: this, source: this.source });
    const opened = after(fired, (): undefined => {
      // A hook may have closed it.
      if (this.state === 'opening') this.state = 'open';
      this.#opening = undefined;
    });
    this.#opening = isThenable(opened) ? opened : undefined;
    return this.#opening;
  }

  get<T>(key: SessionKey<T>): T | undefined;
  get<T>(key: SessionKey<T>, initial: () => T): T;
  get<T>({ name }: SessionKey<T>, initial?: () => T): T | undefined {
    if (initial && !this.#values?.has(name)) this.set({ name }, initial());
    // The key's phantom says T; the map itself cannot know.
    return this.#values?.get(name) as T | undefined;
  }

  set<T>({ name }: SessionKey<T>, value: T): void {
    this.#values ??= new Map();
    this.#values.set(name, value);
  }

  get history(): readonly ToolCallRecord[] {
    return this.calls.slice(-this.host.historyLength);
  }

  run(id: string): Run {
    const noted = this.contributed.filter(({ run }) => run === id).map(({ metadata }) => metadata);
    return { id, metadata: Object.assign({}, ...noted) };
  }

  close(reason: SessionEndReason = 'other'): Promise<void> {
    if (!this.#closing) {
      // For a hook of SessionEnd that closes the session once more.
      this.#closing = Promise.resolve();
      this.#closing = Promise.resolve(this.#end(reason));
    }
    return this.#closing;
  }

  #end(reason: SessionEndReason): void | PromiseLike<void> {
    const opened = this.state !== 'new';
    this.host.forget(this);
    return after<unknown, void>(this.#opening, () => {
      this.state = 'closed';
      const { type } = SessionEnd;
      if (opened)
        return after(this.host.fire(SessionEnd, { type, session: this, reason }), this.host.settled);
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  toJSON(): { readonly id: string; readonly parent: string | undefined } {
    return { id: this.id, parent: this.parent?.id };
  }
}

/** A session as registry and pipeline know it: private fields would make it another type in each copy of this package. */
export type KnownSession = Pick<SessionState, keyof SessionState>;
