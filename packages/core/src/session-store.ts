import { HooksError } from './error.ts';
import { type Session, type SessionEndReason, type SessionSource, SessionState } from './session.ts';

/** Limits of the sessions that a registry keeps open. */
export interface SessionLimits {
  /** A session unused for this many milliseconds is closed as `evicted`; 30 minutes unless set. */
  readonly idleMs?: number;
  /** The most sessions kept open; beyond, the longest unused is closed as `evicted`; 10,000 unless set. */
  readonly max?: number;
  /** How many tool calls a session's history holds; 100 unless set. */
  readonly historyLength?: number;
}

/** How a session is opened, see `hooks.session`. */
export interface SessionOptions {
  readonly parent?: Session;
  /** `resume` where the framework restored its state. Counts for a session that is made by this call. */
  readonly source?: SessionSource;
}

/** What the registry fires for its sessions. */
export interface SessionEvents {
  start(session: SessionState): undefined | PromiseLike<undefined>;
  end(session: SessionState, reason: SessionEndReason): Promise<void>;
}

/**
 * The open sessions of a registry. Idleness is measured in sweeps, half the idle time apart, so that using a session
 * costs no clock; the timer of the sweeps runs only while a session is open, and keeps no process alive.
 */
export class SessionStore {
  readonly #sessions: Map<string, SessionState> = new Map();
  readonly #idleMs: number;
  readonly #max: number;
  readonly #historyLength: number;
  readonly #host: SessionEvents;
  #epoch = 0;
  #minted = 0;
  #sweeper: ReturnType<typeof setInterval> | undefined;

  constructor(limits: SessionLimits, host: SessionEvents) {
    this.#idleMs = positive('sessions.idleMs', limits.idleMs ?? 30 * 60_000);
    this.#max = positive('sessions.max', limits.max ?? 10_000);
    this.#historyLength = limits.historyLength ?? 100;
    this.#host = host;
  }

  /** The open session of that id, made if there is none; without an id a new one. */
  open(id: string | undefined, options: SessionOptions): SessionState {
    const known = id === undefined ? undefined : this.#sessions.get(id);
    if (known !== undefined) return this.touch(known);
    const made = new SessionState(
      id ??
        `hooks-${Date.now().toString(36)}-${(this.#minted++).toString(36)}-${Math.random().toString(36).slice(2, 8)}`,
      {
        historyLength: this.#historyLength,
        open: () => this.#host.start(made),
        end: (_, reason) => this.#close(made, reason),
      },
      options.parent,
      options.source ?? 'startup',
    );
    if (this.#sessions.size >= this.#max) this.#evictOldest();
    this.#sessions.set(made.id, this.touch(made));
    this.#sweeper ??= this.#startSweeping();
    return made;
  }

  /** Notes that a session is in use. */
  touch(session: SessionState): SessionState {
    session.epoch = this.#epoch;
    return session;
  }

  /** Closes all. */
  async close(reason: SessionEndReason): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.close(reason)));
  }

  async #close(session: SessionState, reason: SessionEndReason): Promise<void> {
    this.#sessions.delete(session.id);
    if (this.#sessions.size === 0) {
      clearInterval(this.#sweeper);
      this.#sweeper = undefined;
    }
    const opened = session.state !== 'new';
    await session.opening;
    session.state = 'closed';
    if (opened) await this.#host.end(session, reason);
  }

  #startSweeping(): ReturnType<typeof setInterval> {
    const timer = setInterval(() => this.#sweep(), this.#idleMs / 2);
    if (typeof timer === 'object') timer.unref();
    return timer;
  }

  #sweep(): void {
    this.#epoch++;
    for (const session of this.#sessions.values()) {
      if (this.#epoch - session.epoch > 2) void session.close('evicted');
    }
  }

  #evictOldest(): void {
    let oldest: SessionState | undefined;
    for (const session of this.#sessions.values()) {
      if (oldest === undefined || session.epoch < oldest.epoch) oldest = session;
    }
    void oldest?.close('evicted');
  }
}

function positive(option: string, value: number): number {
  if (value > 0) return value;
  throw new HooksError(
    'CONFIG_INVALID',
    `createHooks: ${option} must be a number greater than 0, not ${String(value)}.`,
  );
}
