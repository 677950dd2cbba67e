import type { Approver } from '@hooks/core';
import type { ReviewOptions } from './approval/review.ts';

/** How hooks are attached to tools. */
export interface ToolHookOptions {
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
export interface AgentHookOptions extends ToolHookOptions, ReviewOptions {
  /** How often in a row a `Stop` hook may have the agent go on; 3 unless set. */
  readonly maxContinuations?: number;
}
