import type { Approver, Hooks } from '@hooks/core';

/** Options of `attach`, `hookTool`, `hookTools` and `hookedRunner`. */
export interface AttachOptions {
  /**
   * Who approves a call for which a hook requires approval: an approver function, which is asked in place; `native`,
   * the SDK's own pause (`result.interruptions`, a serializable `RunState`), whoever runs the agent; or nobody. `deny`
   * unless set. What a runner says comes before what an agent was attached with, or a tool hooked with.
   */
  readonly approval?: 'deny' | 'native' | Approver;
  /** Types of events that may be registered although this adapter cannot fire or honour them. */
  readonly allowUnsupported?: readonly string[];
  /**
   * `false` lets streamed model answers through before `AfterModelCall` has decided: faster, and unfiltered. Unless
   * set, they are held back where a hook may change or refuse them.
   */
  readonly holdStream?: boolean;
  /** How often in a row a `Stop` hook may make a run go on; 3 unless set. */
  readonly maxContinuations?: number;
}

/** One registry of hooks with the options under which it was attached. */
export interface Attached {
  readonly hooks: Hooks;
  readonly options: AttachOptions;
}
