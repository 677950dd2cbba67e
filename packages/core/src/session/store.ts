import { defined } from '../defined.ts';
import type { Principal } from '../principal.ts';
import type { Session, SessionSource } from './session.ts';
import { type KnownSession, type SessionHost, SessionState } from './state.ts';

/** Limits of the sessions that a registry keeps open. */
export interface SessionLimits {
  /**
   * Closes a session as `evicted` after so many idle milliseconds. Default: 30 minutes. Above 24 days, sessions never
   * close.
   */
  readonly idleMs?: number;
  /**
   * The maximum number of open sessions. Above it, the least recently used one is closed as `evicted`, unless it has a
   * running call. Default: 10,000.
   */
  readonly max?: number;
  /** How many tool calls a session's history has at most. Default: 100. */
  readonly historyLength?: number;
  /**
   * How large the inputs in a session's history are at most, together, in bytes. The oldest are left out first, and one
   * that is larger at once. Default: 1 MB.
   */
  readonly historyBytes?: number;
}

/** Options of `hooks.session`. */
export interface SessionOptions {
  /** The session that starts it, from now on: a sub-agent's own thread may be used by the sub-agents of several users. */
  readonly parent?: Session;
  /** `resume` if the framework restored its state. Default: `startup`. Has no effect once the session is open. */
  readonly source?: SessionSource;
  /** The user from now on. Default: the parent's. */
  readonly principal?: Principal | undefined;
}

/** How many sessions with running calls a search for one to close passes. */
const MOST_LOOKED_AT = 100;

/** The open sessions of a registry. */
export interface SessionStore {
  /** The open session with that id, created if necessary. */
  open(id?: string, options?: SessionOptions): SessionState;
  /** This registry's session with the id of the given one, which may be another registry's. */
  own(session: Session): SessionState;
  /** Closes all sessions. */
  close(): Promise<void>;
}

/**
 * Stores the open sessions of a registry. Measures idleness in sweeps, half the idle time apart, so that using a
 * session needs no clock. The timer stops when a sweep finds no session, or all have been closed, and keeps no process alive.
 */
export function keepSessions(
  { idleMs = 30 * 60_000, max = 10_000, historyLength = 100, historyBytes = 1_000_000 }: SessionLimits,
  events: Pick<SessionHost, 'fire' | 'settled'>,
): SessionStore {
  const sessions = new Map<string, SessionState>();
  const host: SessionHost = {
    ...events,
    historyLength,
    historyBytes,
    forget: ({ id }) => sessions.delete(id),
  };
  let sweeper: ReturnType<typeof setInterval> | undefined;

  const rest = (): void => {
    if (sessions.size > 0) return;
    clearInterval(sweeper);
    sweeper = undefined;
  };

  const sweep = (): void => {
    // Here and not where a session ends: most live for one run, and a timer for each would cost more than they do.
    rest();
    for (const session of sessions.values())
      if (!session.calling && ++session.idle > 2) void session.close('evicted');
  };

  /** Closes the session that was used least recently and has no running call, of the first few. */
  const evict = (): void => {
    let looked = 0;
    for (const session of sessions.values()) {
      if (!session.calling) {
        void session.close('evicted');
        return;
      }
      if (++looked > MOST_LOOKED_AT) return;
      // It is in use now, and the next search begins behind it.
      sessions.delete(session.id);
      sessions.set(session.id, session);
    }
  };

  const make = (id: string): SessionState => {
    if (sessions.size >= max) evict();
    // A timer takes 31 bits.
    if (idleMs < 2 ** 31) sweeper ??= setInterval(sweep, idleMs / 2);
    // Browsers' timers are numbers, which keep nothing alive.
    sweeper?.unref?.();
    return new SessionState(id, host);
  };

  const store: SessionStore = {
    open(id = crypto.randomUUID(), { parent, source, principal } = {}) {
      const session = sessions.get(id) ?? make(id);
      if (parent !== undefined) session.setParent(parent);
      if (principal !== undefined) session.setPrincipal(principal);
      if (source !== undefined && session.state === 'new') session.source = source;
      session.idle = 0;
      // They stand in the order of their use.
      sessions.delete(id);
      sessions.set(id, session);
      return session;
    },
    own(session) {
      if (session instanceof SessionState && session.host === host) return session;
      const own = store.open(session.id, {
        source: session.source,
        // One that the session inherits is not its own: the next parent may have none.
        principal: session.principal === session.parent?.principal ? undefined : session.principal,
        ...defined({ parent: session.parent && store.own(session.parent) }),
      });
      // Also one of another copy of this package.
      own.share(session as KnownSession);
      return own;
    },
    async close() {
      await Promise.all([...sessions.values()].map((session) => session.close()));
      // The timer would keep all that the registry knows in memory.
      rest();
    },
  };
  return store;
}
