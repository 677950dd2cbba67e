import type { Options } from '@anthropic-ai/claude-agent-sdk';
import type { Approver } from '@hooks/core';
import { isSameInput } from '@hooks/core/adapter';
import { isRecord } from '../sdk.ts';

/** Why a tool whose server says `always_ask` needs approval. */
export const ASKS = 'The tool requires approval.';

/** The user's `canUseTool` as an approver, for tools that require approval by themselves. Undefined without one. */
export function approverOf({ canUseTool }: Options): Approver | undefined {
  if (canUseTool === undefined) return undefined;
  return async ({ callId, toolName, input, reason }, { signal = new AbortController().signal }) => {
    const answer = await canUseTool(toolName, isRecord(input) ? structuredClone(input) : {}, {
      signal,
      toolUseID: callId,
      decisionReason: reason,
      requestId: callId,
    });
    // Null leaves the question to another host, which a hook's question has not.
    if (answer === null) return { decision: 'canceled' };
    if (answer.behavior === 'deny') return { decision: 'deny', reason: answer.message };
    const { updatedInput } = answer;
    const changed = updatedInput !== undefined && !isSameInput(updatedInput, input);
    return { decision: 'allow', ...(changed && { input: updatedInput }) };
  };
}
