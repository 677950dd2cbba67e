import type { SDKResultMessage } from '@anthropic-ai/claude-agent-sdk';
import type { Resumed } from '@hooks/core';
import type { PendingApproval } from '@hooks/core/adapter';
import type { Conversation, Setting } from '../run/conversation.ts';
import { isRecord, type ToolInput } from '../sdk.ts';

/** The field of a result in which this adapter shows what waits: Claude Code keeps only what the model wrote. */
const FIELD = 'pending_approvals';

/** The result of a query that waits for a person, as JSON that another process can read. */
export function withPending(result: SDKResultMessage, pending: readonly PendingApproval[]): SDKResultMessage {
  return Object.assign({ ...result }, { [FIELD]: pending });
}

/**
 * The calls that wait for a person.
 *
 * @param result the `result` message of `hookedQuery`, or its JSON in another process
 */
export async function pendingApprovals(result: unknown): Promise<readonly PendingApproval[]> {
  const pending: unknown = isRecord(result) ? result[FIELD] : undefined;
  return Array.isArray(pending) ? pending.filter(isPending) : [];
}

function isPending(value: unknown): value is PendingApproval {
  return (
    isRecord(value) &&
    ['callId', 'toolName', 'reason', 'hash'].every((field) => typeof value[field] === 'string') &&
    'input' in value
  );
}

/** The calls that run or have run with an approval in this process, by session and id. The oldest are forgotten. */
const approvedCalls: Set<string> = new Set();
const KEPT = 10_000;

/** A person's answer to a call of a resumed session, as core gets it. It counts once, also if two queries have it. */
export function answerFor(
  { setting, answered }: Conversation,
  { tool_use_id: callId, tool_name: toolName }: ToolInput,
): Resumed | undefined {
  const answer = setting.answers.find((one) => one.callId === callId && one.toolName === toolName);
  if (answer === undefined || answered.has(answer)) return undefined;
  answered.add(answer);
  const { decision, hash, reason } = answer;
  const call = approvedKey(setting, callId);
  if (approvedCalls.has(call)) return { decision: 'deny', hash, reason: 'The call was approved already.' };
  if (decision === 'allow') approvedCalls.add(call);
  for (const oldest of approvedCalls) {
    if (approvedCalls.size <= KEPT) break;
    approvedCalls.delete(oldest);
  }
  return {
    decision,
    hash,
    ...(reason !== undefined && { reason }),
    ...('input' in answer && { input: answer.input }),
  };
}

/** A call did not run, so another answer may count. */
export function unanswered(
  { setting }: Conversation,
  { callId, resumed }: { readonly callId: string; readonly resumed: Resumed | undefined },
): void {
  if (resumed?.decision === 'allow') approvedCalls.delete(approvedKey(setting, callId));
}

/** Whether an approval of the call has counted in this process. */
export function wasApproved(setting: Pick<Setting, 'options'>, callId: string): boolean {
  return approvedCalls.has(approvedKey(setting, callId));
}

/** A fork has the calls of the session that it resumes. */
function approvedKey({ options }: Pick<Setting, 'options'>, callId: string): string {
  return `${options.resume ?? ''}\n${callId}`;
}
