import {
  type Session,
  type SessionEndReason,
  type SessionHost,
  type SessionSource,
  SessionState,
} from './session.ts';
import { after } from './thenable.ts';

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
  /** `resume` where the framework restored its state; `startup` unless set. Counts until the session has opened. */
  readonly source?: SessionSource;
}

/**
 * The open sessions of a registry. Idleness is counted in sweeps, half the idle time apart, so that using a session costs
 * no clock; the timer of the sweeps stops when a sweep finds no session, and keeps no process alive.
 */
export class SessionStore {
  readonly #sessions: Map<string, SessionState> = new Map();
  readonly #limits: Required<SessionLimits>;
  readonly #host: SessionHost;
  #prefix: string | undefined;
  #minted = 0;
  #sweeper: ReturnType<typeof setInterval> | undefined;

  /** @param events fires what begins and ends a session */
  constructor(limits: SessionLimits | undefined, events: SessionHost) {
    this.#limits = { idleMs: 30 * 60_000, max: 10_000, historyLength: 100, ...limits };
    this.#host = {
      start: events.start,
      end: (session, reason) => {
        this.#sessions.delete(session.id);
        const opened = session.state !== 'new';
        return after<unknown, void>(session.opening, () => {
          session.state = 'closed';
          return opened ? events.end(session, reason) : undefined;
        });
      },
    };
  }

  /** The open session of that id, made if there is none. */
  open(id: string = this.#mint(), { parent, source }: SessionOptions = {}): SessionState {
    const session = this.#sessions.get(id) ?? this.#make(id, parent);
    if (source !== undefined && session.state === 'new') session.source = source;
    session.idle = 0;
    return session;
  }

  /** Closes all. */
  async close(reason: SessionEndReason): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.close(reason)));
  }

  /** Drawing random numbers for each session would cost more than all the rest of it. */
  #mint(): string {
    this.#prefix ??= crypto.randomUUID();
    return `${this.#prefix}-${this.#minted++}`;
  }

  #make(id: string, parent: Session | undefined): SessionState {
    const { idleMs, max, historyLength } = this.#limits;
    if (this.#sessions.size >= max) this.#evictIdlest();
    const session = new SessionState(id, parent, historyLength, this.#host);
    this.#sessions.set(id, session);
    this.#sweeper ??= setInterval(() => this.#sweep(), idleMs / 2);
    // Browsers' timers are numbers, which keep nothing alive.
    if (typeof this.#sweeper === 'object') this.#sweeper.unref();
    return session;
  }

  #sweep(): void {
    // Here and not where a session ends: most live for one run, and a timer for each would cost more than they do.
    if (this.#sessions.size === 0) {
      clearInterval(this.#sweeper);
      this.#sweeper = undefined;
    }
    for (const session of this.#sessions.values()) if (++session.idle > 2) void session.close('evicted');
  }

  #evictIdlest(): void {
    let idlest: SessionState | undefined;
    for (const session of this.#sessions.values()) if (session.idle > (idlest?.idle ?? -1)) idlest = session;
    void idlest?.close('evicted');
  }
}
