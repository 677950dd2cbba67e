import type { ToolKind } from '@hooks/core';
import type { SdkAgent } from '../internals.ts';
import type { HookedCalls } from './call.ts';

/** Where a tool stands: the agent that has it, its kind, and its hooked siblings. */
export interface ToolPlace {
  readonly agent?: SdkAgent;
  readonly kind: ToolKind;
  /** The hooked tool of that name of the same agent. */
  readonly sibling?: (name: string) => HookedCalls | undefined;
}
