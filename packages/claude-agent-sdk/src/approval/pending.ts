import type { SDKResultMessage } from '@anthropic-ai/claude-agent-sdk';
import type { Resumed } from '@hooks/core';
import type { PendingApproval } from '@hooks/core/adapter';
import type { Conversation } from '../run/conversation.ts';
import { isRecord } from '../sdk.ts';

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

/** A person's answer to a call of a resumed session, as core gets it. It counts once. */
export function answerFor({ setting, answered }: Conversation, callId: string): Resumed | undefined {
  const answer = setting.answers.find((one) => one.callId === callId);
  if (answer === undefined || answered.has(answer)) return undefined;
  answered.add(answer);
  const { decision, hash, reason } = answer;
  return {
    decision,
    hash,
    ...(reason !== undefined && { reason }),
    ...('input' in answer && { input: answer.input }),
  };
}
