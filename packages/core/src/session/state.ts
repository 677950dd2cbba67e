import { defined } from '../defined.ts';
import { SessionEnd, SessionStart } from '../event/catalogue/session.ts';
import type { EventPayload, ObservePoint } from '../event/event.ts';
import { sizeOf } from '../plain.ts';
import { type Principal, principalFrom } from '../principal.ts';
import { after, isThenable } from '../thenable.ts';
import { valuesOf } from './runs.ts';
import type {
  Contributed,
  Run,
  Session,
  SessionEndReason,
  SessionKey,
  SessionSource,
  ToolCallRecord,
} from './session.ts';

/** Values under shared keys. Where two sessions meet that share them with others, those of one go `into` the other's. */
interface SharedValues {
  readonly values: Map<string, unknown>;
  into?: SharedValues;
}

/** What a session needs from its store. */
export interface SessionHost {
  /** The maximum number of tool calls in its history. */
  readonly historyLength: number;
  /** The maximum size of their inputs. */
  readonly historyBytes: number;
  /** Runs the hooks of an event that begins or ends a session. */
  fire<E extends EventPayload>(token: ObservePoint<E>, event: E): unknown;
  /** Releases its id for the next session. */
  forget(session: Session): void;
  /** Waits for observers. */
  settled(): undefined | PromiseLike<void>;
}

/**
 * The only implementation of {@link Session}. Members that the interface lacks are for the registry and the pipeline.
 */
export class SessionState implements Session {
  declare readonly id: string;
  parent: Session | undefined = undefined;
  /** Set before the session opens, if its state was restored. */
  source: SessionSource = 'startup';
  state: 'new' | 'opening' | 'open' | 'closed' = 'new';
  /** Sweeps since the last use; see store.ts. */
  idle = 0;
  /** The number of running calls. While there are any, the session is in use, however long a tool or a person takes. */
  calling = 0;
  /** Paused calls. If they resume in this process, they continue where they stopped. */
  paused: Set<object> | undefined;
  /** The latest tool calls. */
  calls: ToolCallRecord[] = [];
  /** The size of their inputs, and how many of the oldest have none any more. */
  inputBytes = 0;
  omitted = 0;
  readonly contributed: Contributed[] = [];
  declare readonly host: SessionHost;
  /** Called when it closes: they free what is kept for it elsewhere. */
  releases: Set<() => void> | undefined;
  #principal: Principal | undefined;
  #opening: PromiseLike<undefined> | undefined;
  #closing: Promise<void> | undefined;
  readonly #values: Map<string, unknown> = new Map();
  /** The values under shared keys, which are those of the other registries of its runs. */
  sharing: SharedValues | undefined;

  constructor(id: string, host: SessionHost) {
    this.id = id;
    this.host = host;
  }

  /** Has no effect if the parent is within this session: there would be no outermost one. */
  setParent(parent: Session): void {
    for (let outer: Session | undefined = parent; outer !== undefined; outer = outer.parent)
      if (outer.id === this.id) return;
    this.parent = parent;
  }

  get principal(): Principal | undefined {
    return this.#principal ?? this.parent?.principal;
  }

  /** @throws HooksError `INVALID_INPUT` if it is no principal */
  setPrincipal(principal: Principal): void {
    this.#principal = principalFrom(principal, 'hooks.session');
  }

  /** @param principal that of the run or call that opens it. Default: the session's own */
  open(principal: Principal | undefined = this.principal): undefined | PromiseLike<undefined> {
    if (this.state !== 'new') return this.#opening;
    this.state = 'opening';
    const { type } = SessionStart;
    const fired = this.host.fire(SessionStart, {
      type,
      session: this,
      source: this.source,
      ...defined({ principal }),
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
  get<T>(key: SessionKey<T>, initial?: () => T): T | undefined {
    const values = this.#valuesFor(key);
    if (initial && !values.has(key.name)) values.set(key.name, initial());
    // The key's phantom says T; the map itself cannot know.
    return values.get(key.name) as T | undefined;
  }

  set<T>(key: SessionKey<T>, value: T): void {
    this.#valuesFor(key).set(key.name, value);
  }

  #valuesFor({ shared }: { readonly shared?: boolean }): Map<string, unknown> {
    return shared === true ? latest(this).values : this.#values;
  }

  /** From now on, this session and another registry's have the same values under shared keys. So do all that share them. */
  share(other: Pick<KnownSession, 'sharing'>): void {
    const own = latest(this);
    const theirs = latest(other);
    if (own === theirs) return;
    for (const [name, value] of own.values) if (!theirs.values.has(name)) theirs.values.set(name, value);
    own.into = theirs;
  }

  get history(): readonly ToolCallRecord[] {
    return [...this.calls];
  }

  /** Adds a call to the history. */
  remember(call: ToolCallRecord): void {
    const { historyLength, historyBytes } = this.host;
    this.idle = 0;
    this.inputBytes += sizeOf(call.input);
    if (this.calls.push(call) > historyLength) {
      this.inputBytes -= sizeOf(this.calls.shift()?.input);
      this.omitted = Math.max(0, this.omitted - 1);
    }
    while (this.inputBytes > historyBytes && this.omitted < this.calls.length) {
      const { input, ...rest } = this.calls[this.omitted] as ToolCallRecord;
      const omittedBytes = sizeOf(input);
      this.inputBytes -= omittedBytes;
      this.calls[this.omitted++] = Object.freeze({ ...rest, input: undefined, omittedBytes });
    }
  }

  run(id: string): Run {
    const noted = this.contributed.filter(({ run }) => run === id).map(({ metadata }) => metadata);
    return { id, metadata: Object.assign({}, ...noted), ...valuesOf(this, id) };
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
    for (const release of this.releases ?? []) release();
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

/**
 * A session as registry and pipeline see it. Private fields would make it another type in each copy of this package.
 */
export type KnownSession = Pick<SessionState, keyof SessionState>;

/** The values that a session shares by now. A session of another kind has none at first. */
function latest(session: Pick<KnownSession, 'sharing'>): SharedValues {
  let sharing = session.sharing ?? { values: new Map<string, unknown>() };
  while (sharing.into !== undefined) sharing = sharing.into;
  session.sharing = sharing;
  return sharing;
}
