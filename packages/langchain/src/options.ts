import type { Approver } from '@hooks/core';
import type { PrincipalOption } from '@hooks/core/adapter';
import type { ReviewOptions } from './approval/review.ts';
import type { NativeRun } from './native.ts';

/** Options of `hookTool` and `hookTools`. */
export interface HookToolOptions<Context = unknown> extends PrincipalOption<NativeRun<Context>> {
  /**
   * Who answers when a hook requires approval: nobody (`deny`, the default), LangGraph's interrupt (`native`, needs a
   * checkpointer), or your function.
   */
  readonly approval?: 'deny' | 'native' | Approver;
  /** Event types on which hooks that may refuse can be registered, although the adapter cannot obey them. */
  readonly allowUnsupported?: readonly string[];
  /**
   * `false` lets streams through unfiltered, even if a hook may still change or refuse what is streamed. By default
   * they are held back until the hook has decided.
   */
  readonly holdStream?: boolean;
}

/** Options of `createHookedAgent` and `hooksMiddleware`. */
export interface HookedOptions<Context = unknown> extends HookToolOptions<Context>, ReviewOptions {
  /** How often in a row a `Stop` hook may make the agent continue. Default: 3. */
  readonly maxContinuations?: number;
}
