import { isStoreError, type Store } from '@hooks/store';
import { answerApproval, listRemembered, waitingApprovals } from '@hooks/store/approvals';
import * as z from 'zod';
import type { Answer, Remembered, Waiting } from '../api.ts';

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

/** The approvals that are remembered in a store. */
export async function readRemembered(store: Store): Promise<readonly Remembered[]> {
  const remembered = await listRemembered(store);
  return remembered.map(({ id, toolName, session, principal, matching, at }) => ({
    id,
    toolName,
    at,
    ...(session !== undefined && { session }),
    ...(principal && { principal: principal.id }),
    ...(matching && { matching }),
  }));
}

const answerSchema: z.ZodType<Answer> = z.strictObject({
  decision: z.enum(['allow', 'deny']),
  reason: z.exactOptional(z.string().max(10_000)),
  remember: z.exactOptional(z.enum(['session', 'always'])),
  matching: z.exactOptional(z.record(z.string(), z.string())),
});

/** What came of an answer; `gone` where the request was answered already, or is over. */
export type Answered =
  | { readonly kind: 'done' }
  | { readonly kind: 'invalid' | 'gone'; readonly message: string };

/** Answers a request that waits. */
export async function answerInbox(store: Store, id: string, body: unknown, by: string): Promise<Answered> {
  const { success, data } = answerSchema.safeParse(body);
  if (!success)
    return {
      kind: 'invalid',
      message:
        'Answer with a decision, allow or deny, and a reason; an allow may say what to remember, and for which arguments.',
    };
  if (data.decision === 'deny' && data.remember !== undefined)
    return { kind: 'invalid', message: 'A denial counts for one call: only an allow can be remembered.' };
  try {
    await answerApproval(store, id, { ...data, by });
    return { kind: 'done' };
  } catch (error) {
    if (isStoreError(error) && error.code === 'INVALID') return { kind: 'gone', message: error.message };
    throw error;
  }
}
