import type { ToolCall } from '@hooks/core';
import type { SdkAgent, SdkDetails, SdkFunctionTool } from '../internals.ts';
import { type Scope, turnOf } from '../run/scope.ts';
import type { HookedCalls } from './call.ts';
import type { Invocation } from './definition.ts';

/** The SDK's own objects, as tool events carry them under `native`. */
export interface NativeToolCall {
  readonly tool: SdkFunctionTool;
  /** The run's `RunContext`. */
  readonly context: unknown;
  /** What the SDK hands to a tool beside its input. */
  readonly details: SdkDetails | undefined;
  readonly agent: SdkAgent | undefined;
}

/** A call as the pipeline takes it. */
export function describe(
  { tool, descriptor, place }: HookedCalls,
  scope: Scope,
  { context, details }: Pick<Invocation, 'context' | 'details'>,
  input: unknown,
  { resumed, needsApproval }: Pick<ToolCall, 'resumed' | 'needsApproval'> = {},
): ToolCall {
  const { agent } = place;
  const native: NativeToolCall = { tool, context, details, agent };
  return {
    session: scope.session,
    run: scope.run,
    turn: turnOf(scope),
    agent: agent?.name ?? scope.agent,
    toolName: tool.name,
    callId: details?.toolCall?.callId,
    input,
    tool: descriptor,
    parentCallId: scope.inside?.callId,
    signal: details?.signal ?? scope.signal,
    resumed,
    needsApproval,
    native,
  };
}
