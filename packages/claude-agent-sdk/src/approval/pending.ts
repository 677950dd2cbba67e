import type { SDKResultMessage } from '@anthropic-ai/claude-agent-sdk';
import { type PendingApproval as PendingCall, UsedApprovals } from '@hooks/core/adapter';
import type { ToolCall } from '@hooks/core/tool-call';
import type { ApprovalResponse } from '../options.ts';
import type { Conversation } from '../run/conversation.ts';
import { isRecord, type ToolInput } from '../sdk.ts';
import { waitingCall } from './stored-call.ts';

/** A call that waits for a person. */
export interface PendingApproval extends PendingCall {
  /** Tells it from other calls, to which the model may have given the same id. */
  readonly approvalId: string;
}

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
    ['callId', 'toolName', 'reason', 'hash', 'approvalId'].every(
      (field) => typeof value[field] === 'string',
    ) &&
    'input' in value
  );
}

/** The approvals with which calls of this process run or have run. */
const used: UsedApprovals<true> = new UsedApprovals();

/** A person's answer to the call that a resumed session waits for, as core gets it. It counts once, also if two queries have it. */
export async function answerFor(
  { setting, answered }: Conversation,
  { tool_use_id: callId, tool_name: toolName }: ToolInput,
): Promise<Pick<ToolCall, 'resumed' | 'approvalId'>> {
  const { answers, options } = setting;
  const given = answers.filter(
    (one) => one.callId === callId && one.toolName === toolName && !answered.has(one),
  );
  if (given.length === 0) return {};
  // A later call with this id is another one.
  for (const one of given) answered.add(one);
  const waiting = await waitingCall(options, options.resume ?? '', callId);
  const own = given.filter(({ approvalId }) => approvalId === waiting);
  const answer = own.find(({ decision }) => decision !== 'allow') ?? own[0];
  if (answer === undefined) return {};
  const { approvalId, decision, hash, reason } = answer;
  if (wasUsed(answer))
    return { resumed: { decision: 'deny', hash, reason: 'The call was approved already.' } };
  if (decision === 'allow') used.use(approvalId, true);
  // A denial takes no input, and may still have that of the pending approval.
  const edited = decision === 'allow' && 'input' in answer && { input: answer.input };
  return { approvalId, resumed: { decision, hash, ...(reason !== undefined && { reason }), ...edited } };
}

/** A call did not run, so another answer may count. */
export function unanswered({ approvalId, resumed }: Pick<ToolCall, 'resumed' | 'approvalId'>): void {
  if (resumed?.decision === 'allow' && approvalId !== undefined) used.release(approvalId);
}

/** Whether an approval has counted in this process. */
export function wasUsed({ approvalId }: ApprovalResponse): boolean {
  return used.get(approvalId) !== undefined;
}
