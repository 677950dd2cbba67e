import type { Attachment } from '../adapter/attachment.ts';
import type { Principal } from '../principal.ts';
import type { AgentRun } from './agent-run.ts';
import type { RunState } from './state.ts';

/** Who requests that a run resumes, as the adapter's options tell. */
export interface ResumeOwner {
  /** Undefined if the framework has no thread: each run then has its own session. */
  readonly sessionId: string | undefined;
  readonly principal: Principal | undefined;
  readonly parent: RunState | undefined;
}

/** A request that resumes a run. */
export interface ResumeRequest extends ResumeOwner {
  /** What hooks the run now. */
  readonly hookedBy: Pick<Attachment<never>, 'mayResume'>;
  /** Aborts the run from now on. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Why a run does not resume. `unknown`: none waits under these keys. `other_principal`: it waits for another principal.
 * `other_place`: it waits in another session, or inside another run. `other_hooks`: its registries or approvers are others
 * now, so that its framework goes on with it as another process would.
 */
export type NotResumed = 'unknown' | 'other_principal' | 'other_place' | 'other_hooks';

/** A run that has resumed, or why none has. */
export type Resumption<Run> =
  | { readonly run: Run; readonly why?: undefined }
  | { readonly run?: undefined; readonly why: NotResumed };

/**
 * What a run is found by: an id of the framework, or one that counts within an object only, such as a session. An object
 * alone is enough if it is itself what the framework resumes, such as a state.
 */
export type PauseKey = string | { readonly of: object; readonly id?: string };

/** How much is kept. Beyond it, the oldest runs resume as in another process. */
export interface PausedLimits {
  /** The maximum number of runs. Default: 10,000. */
  readonly max?: number;
  /** The maximum size of the inputs that wait, in characters of JSON. Default: 64 million. */
  readonly maxSize?: number;
}

interface Paused<Run> {
  readonly run: Run;
  /** Where its keys find it. Keys with objects are not kept: a run outlives its state, which may be large. */
  readonly places: readonly (readonly [ids: Map<string, Paused<Run>>, id: string])[];
  readonly size: number;
  /** Removes what listens to the end of its session. */
  readonly unlisten: () => void;
}

/**
 * The runs of this process that wait for a person. A run is kept until it resumes, its session closes (also because it was
 * idle for too long), or there are too many.
 *
 * Whether a run resumes is decided here, in this order: the request must come from the run's principal, then from its
 * session and parent, because an id alone resumes none; then its registries and approvers must be the same. The run
 * resumes once.
 */
export class PausedRuns<Run extends AgentRun> {
  /** Oldest first, and each run once. */
  readonly #paused: Map<Run, Paused<Run>> = new Map();
  readonly #byKey: WeakMap<object, Map<string, Paused<Run>>> = new WeakMap();
  readonly #limits: Required<PausedLimits>;
  #size = 0;

  constructor({ max = 10_000, maxSize = 64_000_000 }: PausedLimits = {}) {
    this.#limits = { max, maxSize };
  }

  /**
   * Keeps a run under some keys, in place of those that it was kept under before, unless its session has closed. A key
   * finds the latest run. A run that no key finds any more is forgotten.
   */
  keep(run: Run, keys: readonly PauseKey[]): void {
    this.#release(this.#paused.get(run));
    if (keys.length === 0 || run.session.state === 'closed') return;
    // What waits was shown to a person, so it has a JSON form.
    const size = run.pending.waiting.reduce(
      (sum, { input }) => sum + (JSON.stringify(input)?.length ?? 0),
      0,
    );
    const paused: Paused<Run> = {
      run,
      size,
      places: keys.map((key) => [this.#idsIn(key), idOf(key)]),
      unlisten: run.onClose(() => this.#release(paused)),
    };
    for (const [ids, id] of paused.places) {
      const before = ids.get(id);
      ids.set(id, paused);
      if (before !== undefined && !isFound(before)) this.#release(before);
    }
    this.#paused.set(run, paused);
    this.#size += size;
    run.paused = !run.over;
    const { max, maxSize } = this.#limits;
    for (const oldest of this.#paused.values()) {
      if (oldest === paused || (this.#paused.size <= max && this.#size <= maxSize)) return;
      this.#release(oldest);
      // One that is over is kept only because its thread may go on.
      if (oldest.run.over) oldest.run.forget();
      else void oldest.run.end({ kind: 'canceled' });
    }
  }

  /** The run with one of these keys that this owner may resume, whatever hooks it now. */
  find(keys: readonly PauseKey[], owner: ResumeOwner): Run | undefined {
    return this.#find(keys, owner)?.run;
  }

  /** Why this owner may not resume the run with one of these keys, whatever hooks it now. Undefined if the owner may. */
  whyNot(keys: readonly PauseKey[], owner: ResumeOwner): NotResumed | undefined {
    const reasons = keys.flatMap((key) => {
      const paused = this.#at(key);
      return paused === undefined ? [] : [whyNotBy(paused.run, owner)];
    });
    if (reasons.length === 0) return 'unknown';
    return reasons.includes(undefined)
      ? undefined
      : (reasons.find((why) => why === 'other_principal') ?? reasons[0]);
  }

  /** Resumes the run with one of these keys, if the request may. Forgets a run of the owner that has other hooks now. */
  resume(keys: readonly PauseKey[], { hookedBy, signal, ...owner }: ResumeRequest): Resumption<Run> {
    const paused = this.#find(keys, owner);
    if (paused === undefined) return { why: this.whyNot(keys, owner) ?? 'unknown' };
    this.#release(paused);
    const { run } = paused;
    if (!hookedBy.mayResume(run)) return { why: 'other_hooks' };
    run.resume(signal);
    return { run };
  }

  /** The run with a key, whoever asks. Show nothing of it to anybody who does not know it. */
  peek(key: PauseKey): Run | undefined {
    return this.#at(key)?.run;
  }

  /** The runs that a run has started and that wait. */
  childrenOf(parent: Run): readonly Run[] {
    return [...this.#paused.keys()].filter((run) => run.parent === parent);
  }

  /** Forgets the run with a key, because it is over. */
  forget(key: PauseKey): void {
    this.#release(this.#at(key));
  }

  #find(keys: readonly PauseKey[], owner: ResumeOwner): Paused<Run> | undefined {
    return keys.flatMap((key) => this.#at(key) ?? []).find(({ run }) => whyNotBy(run, owner) === undefined);
  }

  #at(key: PauseKey): Paused<Run> | undefined {
    return this.#byKey.get(scopeOf(key, this))?.get(idOf(key));
  }

  #idsIn(key: PauseKey): Map<string, Paused<Run>> {
    const scope = scopeOf(key, this);
    const ids = this.#byKey.get(scope) ?? new Map<string, Paused<Run>>();
    this.#byKey.set(scope, ids);
    return ids;
  }

  #release(paused: Paused<Run> | undefined): void {
    if (paused === undefined || !this.#paused.delete(paused.run)) return;
    for (const [ids, id] of paused.places) if (ids.get(id) === paused) ids.delete(id);
    this.#size -= paused.size;
    paused.unlisten();
  }
}

/** Whether a key finds it. */
function isFound<Run>(paused: Paused<Run>): boolean {
  return paused.places.some(([ids, id]) => ids.get(id) === paused);
}

function whyNotBy(run: AgentRun, { sessionId, principal, parent }: ResumeOwner): NotResumed | undefined {
  // One that was over, and is kept because its thread may go on, waits for nobody.
  if (!run.isFor(principal)) return run.paused ? 'other_principal' : 'unknown';
  return run.parent === parent && run.sessionId === sessionId ? undefined : 'other_place';
}

function scopeOf(key: PauseKey, everywhere: object): object {
  return typeof key === 'string' ? everywhere : key.of;
}

function idOf(key: PauseKey): string {
  return typeof key === 'string' ? key : (key.id ?? '');
}
