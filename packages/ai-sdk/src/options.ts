import type { Approver } from '@hooks/core';
import {
  type Attachment,
  approverOption,
  type PrincipalOption,
  type RefusedOption,
  sharedOptions,
} from '@hooks/core/adapter';
import { type OptionChecks, optionKinds } from '@hooks/core/options';

/** The AI SDK's own values for one call of an agent, or of `generateText` or `streamText`. */
export interface NativeRun {
  /** The `runtimeContext` after `prepareCall`. For a tool that is hooked on its own: the `context` of the call. */
  readonly runtimeContext: unknown;
  /** The `options` of the agent's call. Undefined for the functions. */
  readonly options: unknown;
}

/** Options of `hookModel`. */
export interface HookModelOptions {
  /** Event types on which hooks that may refuse can be registered, although the AI SDK cannot honor them. */
  readonly allowUnsupported?: readonly string[];
}

/** Options of `hookTools`. */
export interface HookToolOptions extends HookModelOptions, PrincipalOption<NativeRun> {
  /**
   * Who approves calls for which a hook requires approval: an approver function, or nobody (`deny`). By default, the
   * next registry further out decides, and in the end nobody.
   */
  readonly approval?: 'deny' | Approver;
  /**
   * If a hook may refuse or change a tool's result, what the tool yields before is held back. `false` lets it through
   * unfiltered, unless another registry holds it back.
   */
  readonly holdStream?: boolean;
}

/** Options of `hookedAgent` and `hookedCall`. */
export interface HookedOptions extends Omit<HookToolOptions, 'approval'>, RefusedOption {
  /**
   * Who is asked where a hook requires approval.
   *
   * - `deny`: nobody, the call is denied; the model reads a reason that names this option
   * - `native`: the run ends with a `tool-approval-request`, and goes on when it is run again with the answer in its
   *   messages; needs `experimental_toolApprovalSecret`, or a client could change what was approved
   * - a function: it is asked in place, and the run waits for it
   *
   * Not set, it is as with `deny`, but a yes to what the tool itself asks (`needsApproval`) counts for hooks, too.
   */
  readonly approval?: 'deny' | 'native' | Approver;
  /**
   * If a hook may refuse or change a model's answer or a tool's result, a streamed answer, or what the tool yields
   * before, is held back until hooks have decided. `false` lets both through unfiltered, unless another registry holds
   * them back.
   */
  readonly holdStream?: boolean;
  /** How often in a row a `Stop` hook may make a run continue. Default: 3. Of several registries the smallest counts. */
  readonly maxContinuations?: number;
  /** The id of the conversation that a run belongs to. Without it, each run has its own session. */
  readonly session?: (run: NativeRun) => string | undefined;
}

const { allowUnsupported, principal, approval, holdStream, refused, maxContinuations } = sharedOptions;

export const OF_MODELS: OptionChecks<HookModelOptions> = { allowUnsupported };

export const OF_TOOLS: OptionChecks<HookToolOptions> = {
  ...OF_MODELS,
  principal,
  approval: approverOption,
  holdStream,
};

export const OF_RUNS: OptionChecks<HookedOptions> = {
  ...OF_TOOLS,
  approval,
  refused,
  maxContinuations,
  session: optionKinds.callback,
};

/** The registries that hook an agent, a call, a tool or a model, with the options that they were attached with. */
export type Registries = Attachment<NativeRun, HookedOptions>;
