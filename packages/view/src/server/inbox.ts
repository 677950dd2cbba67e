import { isStoreError, type Store } from '@hooks/store';
import { answerApproval, waitingApprovals } from '@hooks/store/approvals';
import * as z from 'zod';
import type { Answer, Waiting } from '../api.ts';

/** The approvals that wait in a store. */
export async function readInbox(store: Store): Promise<readonly Waiting[]> {
  const waiting = await waitingApprovals(store);
  return waiting.map(({ id, toolName, input, reason, sessionId, agent, principal, askedAt, deadline }) => ({
    id,
    toolName,
    input,
    reason,
    session: sessionId,
    askedAt,
    deadline,
    ...(agent !== undefined && { agent }),
    ...(principal && { principal: principal.id }),
  }));
}

const answerSchema: z.ZodType<Answer> = z.strictObject({
  decision: z.enum(['allow', 'deny']),
  reason: z.exactOptional(z.string().max(10_000)),
});

/** What came of an answer; `gone` where the request was answered already, or is over. */
export type Answered =
  | { readonly kind: 'done' }
  | { readonly kind: 'invalid' | 'gone'; readonly message: string };

/** Answers a request that waits. */
export async function answerInbox(store: Store, id: string, body: unknown, by: string): Promise<Answered> {
  const { success, data } = answerSchema.safeParse(body);
  if (!success) return { kind: 'invalid', message: 'Answer with a decision, allow or deny, and a reason.' };
  try {
    await answerApproval(store, id, { ...data, by });
    return { kind: 'done' };
  } catch (error) {
    if (isStoreError(error) && error.code === 'INVALID') return { kind: 'gone', message: error.message };
    throw error;
  }
}
