import type { Approver } from '@hooks/core';
import { type PrincipalOption, type RefusedOption, sharedOptions } from '@hooks/core/adapter';
import { type OptionChecks, optionKinds } from '@hooks/core/options';
import type { ClientTool, ServerTool } from '@langchain/core/tools';
import type { ToolCallRequest } from 'langchain';
import type { ReviewOptions } from './approval/review.ts';

/** What LangGraph knows about a run, for the option `principal`. */
export interface NativeRun<Context = unknown> {
  /** The run's `context`. Its type is that of the agent's `contextSchema`. */
  readonly context: Context;
  readonly configurable: { readonly [key: string]: unknown };
}

/** `native` of tool events. */
export interface NativeToolCall {
  /** The called tool; undefined if the agent has no tool with this name. */
  readonly tool: ClientTool | ServerTool | undefined;
  /** The config of the call; in an agent the `runtime` of its middleware. */
  readonly config: unknown;
  /** The call as middleware gets it; only in an agent. */
  readonly request?: ToolCallRequest;
}

/** Options of `hookTool` and `hookTools`. */
export interface HookToolOptions<Context = unknown> extends PrincipalOption<NativeRun<Context>> {
  /**
   * Who answers when a hook requires approval: nobody (`deny`), a person through LangGraph's interrupt (`native`, needs a
   * checkpointer), or your function. Not set, it is as with `deny`, but a yes to what `interruptOn` asks counts for hooks, too.
   */
  readonly approval?: 'deny' | 'native' | Approver;
  /** Event types on which hooks that may refuse can be registered, although the adapter cannot obey them. */
  readonly allowUnsupported?: readonly string[];
  /**
   * `false` lets streams through unfiltered, even if a hook may still change or refuse the content. By default, a model's
   * stream is held back until the hook has decided, and what a tool writes or yields before its result is withheld.
   */
  readonly holdStream?: boolean;
}

/** Options of `createHookedAgent` and `hooksMiddleware`. */
export interface HookedOptions<Context = unknown>
  extends HookToolOptions<Context>,
    ReviewOptions,
    RefusedOption {
  /** How often in a row a `Stop` hook may make the agent continue. Default: 3. Of several registries the smallest counts. */
  readonly maxContinuations?: number;
}

const { allowUnsupported, principal, approval, holdStream, refused, maxContinuations } = sharedOptions;

export const OF_TOOLS: OptionChecks<HookToolOptions> = { allowUnsupported, principal, approval, holdStream };

export const OF_AGENTS: OptionChecks<HookedOptions> = {
  ...OF_TOOLS,
  refused,
  maxContinuations,
  interruptOn: optionKinds.object,
  descriptionPrefix: optionKinds.text,
};
