import { type JournalSource, journalFiles } from '@hooks/journal';
import type { Policy, RunDetail, RunSummary } from '../api.ts';
import { RunIndex } from './run-index.ts';

/**
 * The runs of a journal. Those of its newest day can be read before the days before it, so a page on a gigabyte shows at once what
 * has just happened. A run that began on an earlier day has another id until all days are read.
 */
export class Runs {
  /** Reads all days, the oldest first. */
  readonly all: RunIndex;
  /** Reads the newest day, until all are read. Not set where there is one day, or a store. */
  #newest: RunIndex | undefined;

  constructor(source: JournalSource) {
    this.all = new RunIndex(source);
    const files = journalFiles(source);
    const newest = files.at(-1);
    if (newest !== undefined && files.length > 1) this.#newest = new RunIndex(newest);
  }

  /** Reads the records written since the last time. */
  async refresh(): Promise<void> {
    await this.#newest?.refresh();
    await this.all.refresh();
    this.#newest = undefined;
  }

  /** All runs that were read. */
  get summaries(): readonly RunSummary[] {
    return this.#both((runs) => runs.summaries);
  }

  /** The runs that changed since the last call. */
  takeChanged(): readonly RunSummary[] {
    return this.#both((runs) => runs.takeChanged());
  }

  policy(digest: string): Policy | undefined {
    return this.#newest?.policy(digest) ?? this.all.policy(digest);
  }

  /** Reads the records of a run. Undefined where there are none, as after a pruning. */
  async detail(id: string): Promise<RunDetail | undefined> {
    return (await this.#newest?.detail(id)) ?? this.all.detail(id);
  }

  /** Where both have read a run, what the index of the newest day knows about it is newer. */
  #both(read: (runs: RunIndex) => readonly RunSummary[]): readonly RunSummary[] {
    const runs = [...read(this.all), ...(this.#newest ? read(this.#newest) : [])];
    return [...new Map(runs.map((run) => [run.id, run])).values()];
  }
}
