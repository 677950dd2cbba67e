import type { Principal } from '../principal.ts';
import type { AgentRun } from './agent-run.ts';
import type { RunState } from './state.ts';

/** Whose request resumes a run, as the adapter's options tell. */
export interface ResumeRequest {
  /** Undefined if the framework has no thread: each run then has its own session. */
  readonly sessionId: string | undefined;
  readonly principal: Principal | undefined;
  readonly parent: RunState | undefined;
}

/** How much is kept. Beyond it, the oldest runs resume as in another process. */
export interface PausedLimits {
  /** The maximum number of runs. Default: 10,000. */
  readonly max?: number;
  /** The maximum size of the inputs that wait, in characters of JSON. Default: 64 million. */
  readonly maxSize?: number;
}

interface Paused<Run> {
  readonly run: Run;
  readonly ids: readonly string[];
  readonly size: number;
  readonly release: () => void;
  /** Its session need not tell it any more when it closes. */
  readonly unlisten: () => void;
}

/**
 * The runs of this process that wait for a person, by the ids of their requests. An id alone resumes none: the request
 * must come from the run's session and principal. A run is kept until it resumes, its session closes (also because it
 * was idle for too long), or there are too many.
 */
export class PausedRuns<Run extends AgentRun> {
  readonly #runs: Map<string, Paused<Run>> = new Map();
  readonly #limits: Required<PausedLimits>;
  #size = 0;

  constructor({ max = 10_000, maxSize = 64_000_000 }: PausedLimits = {}) {
    this.#limits = { max, maxSize };
  }

  /** Keeps a run, with the ids of the requests that it waits for. */
  keep(run: Run, ids: readonly string[]): void {
    if (ids.length === 0) return;
    // What waits was shown to a person, so it has a JSON form.
    const size = run.pending.waiting.reduce(
      (sum, { input }) => sum + (JSON.stringify(input)?.length ?? 0),
      0,
    );
    const release = (): void => this.#forget(paused);
    const paused: Paused<Run> = { run, ids, size, release, unlisten: run.onClose(release) };
    for (const id of ids) this.#runs.set(id, paused);
    this.#size += size;
    const { max, maxSize } = this.#limits;
    for (const oldest of this.#runs.values()) {
      if (oldest === paused || (this.#runs.size <= max && this.#size <= maxSize)) return;
      oldest.release();
      void oldest.run.end({ kind: 'canceled' });
    }
  }

  /** The run that waits for one of these requests and may be resumed by whom the request is from. */
  find(ids: readonly string[], from: ResumeRequest): Run | undefined {
    return ids.flatMap((id) => this.#runs.get(id)?.run ?? []).find((run) => isFor(run, from));
  }

  /** The same, and forgets it, because it resumes. */
  take(ids: readonly string[], from: ResumeRequest): Run | undefined {
    const run = this.find(ids, from);
    for (const id of ids) {
      const paused = this.#runs.get(id);
      if (paused !== undefined && paused.run === run) paused.release();
    }
    return run;
  }

  /** The run that waits for a request, whoever asks. Show nothing of it to anybody who does not know it. */
  peek(id: string): Run | undefined {
    return this.#runs.get(id)?.run;
  }

  #forget({ ids, size, release, unlisten }: Paused<Run>): void {
    for (const id of ids) if (this.#runs.get(id)?.release === release) this.#runs.delete(id);
    this.#size -= size;
    unlisten();
  }
}

function isFor(run: AgentRun, { sessionId, principal, parent }: ResumeRequest): boolean {
  const session = run.ownsSession ? undefined : run.session.id;
  return run.parent === parent && session === sessionId && run.isFor(principal);
}
