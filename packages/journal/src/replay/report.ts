/**
 * What another policy would have made of a call.
 *
 * - `same`: it runs, asks or blocks as recorded, and the values are the same
 * - `tightened`: it asks or blocks where the call ran, blocks where a person was asked, withholds or replaces what was passed on
 * - `loosened`: the other way around
 * - `unknown`: it cannot be told; {@link ReplayedCall.unknown} says why
 */
export type Verdict = 'same' | 'tightened' | 'loosened' | 'unknown';

/**
 * Why a call cannot be judged.
 *
 * - `after-divergence`: another outcome earlier in the session; from there on the run would have gone another way
 * - `tool-replaced`: a hook had, or would have, another tool run
 * - `input-replaced`, `output-replaced`: a hook replaced it, what stood there before is not recorded, and the policy does not have the
 *   same interceptors up to that hook
 * - `output-withheld`: a hook withheld the output, so that it is not recorded
 * - `not-recorded`: the data was erased, or has no JSON form
 * - `external`: a hook asks a program, a service or a model, and its answer is not on record
 * - `approval`: a hook granted it, so that nobody knows whether the framework would have asked; or hooks on `PermissionRequest` would be
 *   asked where the framework asked
 * - `retry`: the call would be retried otherwise than it was
 */
export type UnknownReason =
  | 'after-divergence'
  | 'input-replaced'
  | 'tool-replaced'
  | 'output-replaced'
  | 'output-withheld'
  | 'not-recorded'
  | 'external'
  | 'approval'
  | 'retry';

/** What became of a call before it ran: it may, a person was asked, or it was refused. */
export type Gate = 'run' | 'ask' | 'block';

/** What became of a call. */
export interface CallFate {
  readonly gate: Gate;
  /** The hook that refused, and its reason. */
  readonly by?: string;
  readonly reason?: string;
  /** The input or the output was replaced, or the output was withheld. */
  readonly changed?: 'input' | 'output' | 'withheld';
}

/** A call on which the policies differ, or that cannot be judged. */
export interface ReplayedCall {
  readonly session: string;
  readonly callId: string;
  readonly toolName: string;
  readonly time: string;
  /** Where its first record stands. */
  readonly place: string;
  readonly verdict: Exclude<Verdict, 'same'>;
  readonly unknown?: UnknownReason;
  readonly recorded: CallFate;
  readonly replayed?: CallFate;
}

/** An event other than a tool call on which the policies differ: a prompt that one of them refuses, for example. */
export interface OtherDivergence {
  readonly session: string;
  readonly type: string;
  readonly place: string;
  readonly recorded: string;
  readonly replayed: string;
}

/** What a replay found. */
export interface ReplayReport {
  /** What the replay can speak of: look at it first. */
  readonly coverage: {
    /** Tool calls in the journal, in the time that was asked for. */
    readonly calls: number;
    /** Those that are same, tightened or loosened. */
    readonly judged: number;
    readonly unknown: Readonly<Partial<Record<UnknownReason, number>>>;
    /**
     * Calls that are judged on the assumption that these hooks, by id, would have answered as they did: what they saw was replaced, so
     * that they cannot be asked again. The policy has hooks of the same ids and versions in their place.
     */
    readonly assumed: Readonly<Record<string, number>>;
    /** Hooks of the policy that were not asked: journals do not hold their events (requests to models, compactions). */
    readonly notAsked: readonly string[];
    /** Lines that could not be read. */
    readonly unread: number;
    /** Lines that a process did not end, because it was killed. What they were to hold was not replayed. */
    readonly cutOff: number;
    /** Records that were lost in an outage, as the journal says. Calls among them were not replayed. */
    readonly lost: number;
  };
  readonly summary: Readonly<Record<Verdict, number>>;
  /** All calls but those that are the same. */
  readonly calls: readonly ReplayedCall[];
  readonly others: readonly OtherDivergence[];
}
