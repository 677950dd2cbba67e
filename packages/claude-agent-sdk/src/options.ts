import type { Options } from '@anthropic-ai/claude-agent-sdk';
import type { Approver } from '@hooks/core';
import { approverOption, type PrincipalOption, type RefusedOption, sharedOptions } from '@hooks/core/adapter';
import { type OptionChecks, oneOfWords, optionCheck } from '@hooks/core/options';

/** The SDK's own values for a run. */
export interface NativeRun {
  /** The options of the query. For a tool or server that is hooked on its own: empty. */
  readonly options: Options;
  /** The id of Claude Code's session. Undefined for a tool or server that is hooked on its own. */
  readonly sessionId: string | undefined;
}

/** Options of `hookTools` and `hookServer`. */
export interface HookToolOptions extends PrincipalOption<NativeRun> {
  /** Event types on which hooks that may refuse can be registered, although the SDK cannot honor them. */
  readonly allowUnsupported?: readonly string[];
  /**
   * Who approves calls for which a hook requires approval: an approver function, or nobody (`deny`). By default, the
   * next registry further out decides, and in the end nobody.
   */
  readonly approval?: 'deny' | Approver;
  /**
   * Where hooks may refuse or change a tool's result, its progress messages are withheld; where they may refuse or change a
   * model's answer (`models: 'proxy'`), its stream is, until they have decided. `false` lets both through unfiltered, unless
   * another registry withholds them.
   */
  readonly holdStream?: boolean;
}

/** Options of `hookedOptions`. */
export interface HookedOptions extends Omit<HookToolOptions, 'approval'> {
  /**
   * Who is asked where a hook requires approval.
   *
   * - `deny` (unless set): nobody, the call is denied; the model reads a reason that names this option
   * - `native`: the query ends with `terminal_reason: 'tool_deferred'`, see `pendingApprovals`, and `hookedQuery` goes on
   *   with `resume` and `answers`, also in another process. Only one call at a time can wait; Claude Code loses others
   * - a function: it is asked in place, and the call waits for it
   */
  readonly approval?: 'deny' | 'native' | Approver;
  /**
   * How hooks see calls of models: `proxy` sends them through a server on 127.0.0.1 that `hookedQuery` starts, so that
   * `BeforeModelCall` and `AfterModelCall` fire, and context is in no history. Not set: they do not fire. In
   * `hookedOptions`, it is for options that a `hookedQuery` runs.
   */
  readonly models?: 'proxy';
  /** How often in a row a `Stop` hook may make a run continue. Default: 3. Of several registries the smallest counts. */
  readonly maxContinuations?: number;
}

/** Options of `hookedQuery`. */
export interface HookedQueryOptions extends HookedOptions, RefusedOption {
  /**
   * With `resume`: answers to the pending approvals of that session. An empty `prompt` then only resumes it. Without
   * answers, a resumed session drops the call that waits.
   */
  readonly answers?: readonly ApprovalResponse[];
}

/** A person's answer to a pending approval. */
export interface ApprovalResponse {
  /** `callId` of the pending approval. */
  readonly callId: string;
  /** `toolName` of the pending approval: an answer for another tool is none. */
  readonly toolName: string;
  /** `approvalId` of the pending approval: an answer to another call with the same id is none. */
  readonly approvalId: string;
  /** `hash` of the pending approval: only the input with this hash runs. */
  readonly hash: string;
  /** Claude Code runs the call that waits, or does not: nobody can answer in place of its tool. */
  readonly decision: 'allow' | 'deny';
  /** For a denial: what the model reads. */
  readonly reason?: string;
  /** For an allow: runs with this input instead. If the field is present, it replaces the input. */
  readonly input?: unknown;
}

const { allowUnsupported, principal, approval, holdStream, refused, maxContinuations } = sharedOptions;

export const OF_TOOLS: OptionChecks<HookToolOptions> = {
  allowUnsupported,
  principal,
  approval: approverOption,
  holdStream,
};

export const OF_OPTIONS: OptionChecks<HookedOptions> = {
  ...OF_TOOLS,
  approval,
  maxContinuations,
  models: oneOfWords('proxy'),
};

const isList = optionCheck('a list of answers', Array.isArray);
const isDecision = oneOfWords('allow', 'deny');

/** What is wrong with the first answer whose decision is none: it would be taken for a no. */
function decisionIn(answers: unknown, path: string): string | undefined {
  return Array.from(answers as readonly unknown[], (answer, nth) =>
    isDecision(Reflect.get(Object(answer), 'decision'), `${path}[${nth}].decision`),
  ).find((problem) => problem !== undefined);
}

export const OF_QUERIES: OptionChecks<HookedQueryOptions> = {
  ...OF_OPTIONS,
  refused,
  answers: (answers, path) => isList(answers, path) ?? decisionIn(answers, path),
};
