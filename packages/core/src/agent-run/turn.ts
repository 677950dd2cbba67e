import { TurnEnd, type TurnEndReason, TurnStart } from '../event/catalogue/model.ts';
import { after } from '../thenable.ts';
import { type RunState, type RunStop, turnEndOf } from './state.ts';

/** The turns of a run, one after the other. */
export class Turns {
  readonly #run: RunState;
  /** The agent that had control when the open turn began. A handoff may have changed it since. */
  #agent: string | undefined;

  constructor(run: RunState) {
    this.#run = run;
  }

  /** Ends the open turn and begins the next one, unless a hook has ended the run. */
  start(): RunStop | undefined | PromiseLike<RunStop | undefined> {
    const run = this.#run;
    const { stop } = run;
    if (stop !== undefined) return after(this.end(turnEndOf(stop)), () => stop);
    return after(this.end('continue'), () => {
      run.iteration++;
      run.turn = `${run.id}:${run.iteration}`;
      this.#agent = run.agent;
      return after(run.ask(TurnStart, { iteration: run.iteration }), () => undefined);
    });
  }

  /** Ends the open turn, if there is one. */
  end(reason: TurnEndReason): undefined | PromiseLike<undefined> {
    const run = this.#run;
    if (run.turn === undefined) return undefined;
    const { agent, iteration } = run;
    run.agent = this.#agent;
    const told = run.ask(TurnEnd, { reason, iteration });
    run.agent = agent;
    run.turn = undefined;
    return after(told, () => undefined) as undefined | PromiseLike<undefined>;
  }
}
