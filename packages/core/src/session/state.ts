import { SessionEnd, SessionStart } from '../event/catalogue/session.ts';
import type { EventPayload, ObservePoint } from '../event/event.ts';
import type { Principal } from '../principal.ts';
import { after, isThenable } from '../thenable.ts';
import type {
  Contributed,
  Run,
  Session,
  SessionEndReason,
  SessionKey,
  SessionSource,
  ToolCallRecord,
} from './session.ts';

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

/** The one implementation of {@link Session}; what the interface does not have is for registry and pipeline. */
export class SessionState implements Session {
  declare readonly id: string;
  declare readonly parent: Session | undefined;
  principal: Principal | undefined;
  /** Set by who learns of restored state before the session opens. */
  source: SessionSource = 'startup';
  state: 'new' | 'opening' | 'open' | 'closed' = 'new';
  /** Sweeps since it was last used; see session-store.ts. */
  idle = 0;
  /** How many calls are under way in it: it is in use, however long a tool or a person takes. */
  calling = 0;
  /** Calls that paused, by call id: taken up again in this process they go on where they stopped. */
  paused: Map<string, object> | undefined;
  /** The newest tool calls, and some older ones. */
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
    this.principal = parent?.principal;
    this.host = host;
  }

  /** @param principal that of the run or call that opens it; its own unless given */
  open(principal: Principal | undefined = this.principal): undefined | PromiseLike<undefined> {
    if (this.state !== 'new') return this.#opening;
    this.state = 'opening';
    const { type } = SessionStart;
    const fired = this.host.fire(SessionStart, {
      type,
      session: this,
      source: this.source,
      ...(principal && { principal }),
    });
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

  /**
   * Keeps a call in the history. Older ones go many at a time, and to a new array: shifting one costs more than all the rest
   * of a call.
   */
  remember(call: ToolCallRecord): void {
    this.idle = 0;
    if (this.calls.push(call) >= 2 * this.host.historyLength)
      this.calls = this.calls.slice(this.host.historyLength);
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
