import type { Approver } from '@hooks/core';
import { approverOption, type PrincipalOption, type RefusedOption, sharedOptions } from '@hooks/core/adapter';
import type { OptionChecks } from '@hooks/core/options';
import type { RequestContext } from '@mastra/core/request-context';

/**
 * Options of {@link hookTool}, {@link hookTools} and, with more, of {@link hookedAgent}. `principal` gets the request
 * context of the run, or an empty one.
 */
export interface HookToolOptions<Values = unknown> extends PrincipalOption<RequestContext<Values>> {
  /**
   * Who answers when a hook requires approval.
   *
   * - `deny` (the default): nobody. The call is denied, and the model reads a reason that names this option
   * - a function: the run waits for its answer
   */
  readonly approval?: 'deny' | Approver;
  /** Event types on which hooks that may refuse can be registered, although Mastra cannot obey them. */
  readonly allowUnsupported?: readonly string[];
  /**
   * If a hook may refuse or change a tool's result, what the tool writes to the stream itself (`context.writer`) is
   * withheld, because hooks do not see it. `false` lets it through unfiltered.
   */
  readonly holdStream?: boolean;
}

/** Options of {@link hookedAgent}. */
export interface HookedOptions<Values = unknown>
  extends Omit<HookToolOptions<Values>, 'approval'>,
    RefusedOption {
  /**
   * Who answers when a hook requires approval.
   *
   * - `deny` (the default): nobody. The call is denied, and the model reads a reason that names this option
   * - `native`: Mastra pauses the run as for a tool with `requireApproval`, until `approveToolCall` or
   *   `declineToolCall` resumes it; the agent must be registered in a `Mastra` with storage
   * - a function: the run waits for its answer
   *
   * Tools that ask by themselves use Mastra's pause, unless there is an approver or a `PermissionRequest` hook grants
   * the call.
   */
  readonly approval?: 'deny' | 'native' | Approver;
  /**
   * If a hook may refuse or change a model's answer, the answer is held back until the hook has decided; if it may
   * refuse or change a tool's result, what the tool writes to the stream itself (`context.writer`) is withheld. `false`
   * lets both through unfiltered; a Block still stops the answer's tool calls.
   */
  readonly holdStream?: boolean;
  /** How often in a row a `Stop` hook may make a run continue. Default: 3. Of several registries the smallest counts. */
  readonly maxContinuations?: number;
}

const { allowUnsupported, principal, approval, holdStream, refused, maxContinuations } = sharedOptions;

export const OF_TOOLS: OptionChecks<HookToolOptions> = {
  allowUnsupported,
  principal,
  approval: approverOption,
  holdStream,
};

export const OF_AGENTS: OptionChecks<HookedOptions> = { ...OF_TOOLS, approval, refused, maxContinuations };
