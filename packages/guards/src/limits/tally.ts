import { type Session, sessionKey } from '@hooks/core';

/** What a run, a session or a tool has used. */
export interface Tally {
  toolCalls: number;
  modelCalls: number;
  tokens: number;
  cost: number;
  /** Start time, in milliseconds since 1970. */
  readonly since: number;
}

/** Tallies by session, run and key, of one provider. */
export class TallyBook {
  readonly #key = sessionKey<Tally>(`@hooks/guards/tally/${++books}`);
  readonly #byKey: Map<string, Tally> = new Map();

  /** Of the session and its ancestors: a parent pays for its sub-agents. */
  ofSession(session: Session): readonly Tally[] {
    const own = session.get(this.#key, newTally);
    return session.parent === undefined ? [own] : [own, ...this.ofSession(session.parent)];
  }

  /** Of the run, until it ends. Without a run id, a session counts as one run. */
  ofRun(session: Session, run = ''): Tally {
    return session.run(run).get(this.#key, newTally);
  }

  ofKey(key: string): Tally {
    const tally = this.#byKey.get(key) ?? newTally();
    this.#byKey.set(key, tally);
    return tally;
  }
}

let books = 0;

function newTally(): Tally {
  return { toolCalls: 0, modelCalls: 0, tokens: 0, cost: 0, since: Date.now() };
}
