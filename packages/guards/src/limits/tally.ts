import { type Session, sessionKey } from '@hooks/core';
import { setRecent } from './recent.ts';

/** What a run, a session or a tool has used. */
export interface Tally {
  toolCalls: number;
  modelCalls: number;
  tokens: number;
  cost: number;
  /** Start time, in milliseconds since 1970. */
  readonly since: number;
}

interface Tallies {
  readonly session: Tally;
  /** The most recent ones. */
  readonly runs: Map<string, Tally>;
}

/** Tallies by session, run and key, of one provider. */
export class TallyBook {
  readonly #key = sessionKey<Tallies>(`@hooks/guards/tally/${++books}`);
  readonly #byKey: Map<string, Tally> = new Map();

  /** Of the session and its ancestors: a parent pays for its sub-agents. */
  ofSession(session: Session): readonly Tally[] {
    const own = this.#of(session).session;
    return session.parent === undefined ? [own] : [own, ...this.ofSession(session.parent)];
  }

  /** Of the run. Without a run id, a session counts as one run. */
  ofRun(session: Session, run = ''): Tally {
    const { runs } = this.#of(session);
    return setRecent(runs, run, runs.get(run) ?? newTally());
  }

  ofKey(key: string): Tally {
    const tally = this.#byKey.get(key) ?? newTally();
    this.#byKey.set(key, tally);
    return tally;
  }

  #of(session: Session): Tallies {
    return session.get(this.#key, () => ({ session: newTally(), runs: new Map() }));
  }
}

let books = 0;

function newTally(): Tally {
  return { toolCalls: 0, modelCalls: 0, tokens: 0, cost: 0, since: Date.now() };
}
