import type { Approver } from '@hooks/core';
import type { PrincipalOption } from '@hooks/core/adapter';

/** The AI SDK's own values of one call of an agent, or of `generateText` or `streamText`. */
export interface NativeRun {
  /** `runtimeContext`, as `prepareCall` left it; of a tool that is hooked by itself, the `context` of the call. */
  readonly runtimeContext: unknown;
  /** The `options` that an agent was called with; undefined for the functions. */
  readonly options: unknown;
}

/** Options of `hookModel`. */
export interface HookModelOptions {
  /** Event types whose refusing hooks may be registered although the AI SDK cannot honour them. */
  readonly allowUnsupported?: readonly string[];
}

/** Options of `hookTools`. */
export interface HookToolOptions extends HookModelOptions, PrincipalOption<NativeRun> {
  /**
   * Who is asked where a hook requires approval: an approver function, or nobody (`deny`). Unless set, the next registry
   * further out says, and at last nobody.
   */
  readonly approval?: 'deny' | Approver;
}

/** Options of `hookedAgent` and `hooked`. */
export interface HookedOptions extends Omit<HookToolOptions, 'approval'> {
  /**
   * Who is asked where a hook requires approval.
   *
   * - `deny` (unless set): nobody, the call is denied; the model reads a reason that names this option
   * - `native`: the run ends with a `tool-approval-request`, and goes on when it is run again with the answer in its
   *   messages; needs `experimental_toolApprovalSecret`, or a client could change what was approved
   * - a function: it is asked in place, and the run waits for it
   */
  readonly approval?: 'deny' | 'native' | Approver;
  /**
   * Where a hook may refuse or change a model's answer, a streamed answer is held back until hooks have decided. `false`
   * lets it through unfiltered.
   */
  readonly holdStream?: boolean;
  /** How often in a row a `Stop` hook may make a run go on; 3 unless set. */
  readonly maxContinuations?: number;
  /** The id of the conversation that a run belongs to. Without one each run has a session of its own. */
  readonly session?: (run: NativeRun) => string | undefined;
}
