import type { Approver } from '@hooks/core';
import type { PrincipalOption } from '@hooks/core/adapter';
import type { RequestContext } from '@mastra/core/request-context';

/**
 * Options of {@link hookTool}, {@link hookTools} and, with more, of {@link hooked}. `principal` gets the request context of the run;
 * an empty one where it was given none.
 */
export interface HookToolOptions<Values = unknown> extends PrincipalOption<RequestContext<Values>> {
  /**
   * Who is asked where a hook requires approval.
   *
   * - `deny` (unless set): nobody, the call is denied; the model reads a reason that names this option
   * - a function: it is asked in place, and the run waits for it
   */
  readonly approval?: 'deny' | Approver;
  /**
   * Where a hook may refuse or change a tool's result, what the tool writes to the stream itself (`context.writer`) is
   * held back until hooks have decided, and is written where the result stands as it is. `false` lets it stream by
   * unfiltered.
   */
  readonly holdStream?: boolean;
}

/** Options of {@link hooked}. */
export interface HookedOptions<Values = unknown> extends Omit<HookToolOptions<Values>, 'approval'> {
  /**
   * Who is asked where a hook requires approval.
   *
   * - `deny` (unless set): nobody, the call is denied; the model reads a reason that names this option
   * - `native`: Mastra pauses the run as for a tool with `requireApproval`, until `approveToolCall` or `declineToolCall`
   *   resumes it; it needs an agent that is registered in a `Mastra` with storage
   * - a function: it is asked in place, and the run waits for it
   *
   * Tools that ask by themselves ask by Mastra's pause, unless an approver is given or a `PermissionRequest` hook grants it.
   */
  readonly approval?: 'deny' | 'native' | Approver;
  /** Event types whose refusing hooks may be registered although Mastra cannot honour them. */
  readonly allowUnsupported?: readonly string[];
  /**
   * Where a hook may refuse or change a model's answer, or a tool's result, the answer, or what the tool writes to the
   * stream itself (`context.writer`), is held back until hooks have decided. `false` lets both stream by unfiltered; a
   * Block then still keeps the answer's tool calls from running.
   */
  readonly holdStream?: boolean;
  /** How often in a row a `Stop` hook may make a run go on; 3 unless set. */
  readonly maxContinuations?: number;
}
