import type { ReplayReport } from '@hooks/journal';
import type { Comparison } from '../api.ts';
import type { RunIndex } from '../runs/run-index.ts';

/** Another policy, and a replay of the journal with it. */
export interface ComparedPolicy {
  /** The name on the page: its file. */
  readonly name: string;
  /** Replays the journal. Must run in a separate process, because a replay sets the clock of its process. */
  replay(): Promise<ReplayReport>;
}

/** Compares the recorded policy with another and caches the result. */
export class PolicyComparison {
  readonly #policy: ComparedPolicy;
  readonly #runs: RunIndex;
  #found: Promise<Comparison> | undefined;
  /** How many erasures the journal had when it was replayed. */
  #erasures = 0;

  constructor(policy: ComparedPolicy, runs: RunIndex) {
    this.#policy = policy;
    this.#runs = runs;
  }

  /** @param again replay again, because the policy's file may have changed. So it does after an erasure: reasons may quote what is gone */
  async result(again: boolean): Promise<Comparison> {
    await this.#runs.refresh();
    if (again || this.#found === undefined || this.#erasures !== this.#runs.erasures) {
      this.#erasures = this.#runs.erasures;
      this.#found = this.#compare();
      this.#found.catch(() => {
        this.#found = undefined;
      });
    }
    return this.#found;
  }

  async #compare(): Promise<Comparison> {
    const { name, replay } = this.#policy;
    const { calls, ...report } = await replay();
    await this.#runs.refresh();
    const runAt = this.#runs.places();
    return {
      ...report,
      policy: name,
      at: Date.now(),
      calls: calls.map((call) => {
        const run = runAt.get(call.place);
        return { ...call, ...(run !== undefined && { run }) };
      }),
    };
  }
}
