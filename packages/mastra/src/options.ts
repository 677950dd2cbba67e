import type { Approver } from '@hooks/core';

/** Options of {@link hookTool}, {@link hookTools} and, with more, of {@link hooked}. */
export interface HookToolOptions {
  /**
   * Who is asked where a hook requires approval.
   *
   * - `deny` (unless set): nobody, the call is denied; the model reads a reason that names this option
   * - a function: it is asked in place, and the run waits for it
   */
  readonly approval?: 'deny' | Approver;
}

/** Options of {@link hooked}. */
export interface HookedOptions extends Omit<HookToolOptions, 'approval'> {
  /**
   * Who is asked where a hook requires approval.
   *
   * - `deny` (unless set): nobody, the call is denied; the model reads a reason that names this option
   * - `native`: Mastra pauses the run as for a tool with `requireApproval`, until `approveToolCall` or `declineToolCall`
   *   resumes it; it needs an agent that is registered in a `Mastra` with storage
   * - a function: it is asked in place, and the run waits for it
   *
   * Tools that ask by themselves always ask by Mastra's pause, unless a `PermissionRequest` hook grants it.
   */
  readonly approval?: 'deny' | 'native' | Approver;
  /** Event types whose refusing hooks may be registered although Mastra cannot honour them. */
  readonly allowUnsupported?: readonly string[];
  /**
   * Where a hook may refuse or change a model's answer, the answer is held back until hooks have decided. `false` lets
   * it stream by unfiltered; a Block then still keeps its tool calls from running.
   */
  readonly holdStream?: boolean;
}

/** Of the options of an agent those of its tools: where Mastra itself pauses, the tool asks nobody. */
export function toolOptions({ approval }: HookedOptions): HookToolOptions {
  return approval === undefined || approval === 'native' ? {} : { approval };
}
