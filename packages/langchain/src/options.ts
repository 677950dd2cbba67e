import type { Approver } from '@hooks/core';
import type { PrincipalOption } from '@hooks/core/adapter';
import type { ReviewOptions } from './approval/review.ts';

/** What LangGraph knows of a run, for the option `principal`. */
export interface NativeRun<Context = unknown> {
  /** What the run was given as `context`; its type is that of the agent's `contextSchema`. */
  readonly context: Context;
  readonly configurable: { readonly [key: string]: unknown };
}

/** How hooks are attached to tools. */
export interface ToolHookOptions<Context = unknown> extends PrincipalOption<NativeRun<Context>> {
  /**
   * Who approves a call that a hook wants approved: nobody (`deny`, the default), LangGraph's interrupt (`native`, needs a
   * checkpointer), or a function of yours.
   */
  readonly approval?: 'deny' | 'native' | Approver;
  /** Types of events on which refusing hooks may be registered although the adapter cannot honour them. */
  readonly allowUnsupported?: readonly string[];
  /**
   * `false`: what is streamed passes at once, unfiltered, also where a hook may still change or refuse it. Unless set, it
   * is held back until that is decided.
   */
  readonly holdStream?: boolean;
}

/** How hooks are attached to an agent. */
export interface AgentHookOptions<Context = unknown> extends ToolHookOptions<Context>, ReviewOptions {
  /** How often in a row a `Stop` hook may have the agent go on; 3 unless set. */
  readonly maxContinuations?: number;
}
