import { isStoreError, type Store } from '@hooks/store';
import {
  answerApproval,
  answerReceived,
  listRememberedApprovals,
  textOf,
  waitingApprovals,
} from '@hooks/store/approvals';
import * as z from 'zod';
import type { Answer, Remembered, Waiting } from '../api.ts';
import { beginningOf, partOf } from './part.ts';

/** The pending approvals of a store. */
export async function readInbox(store: Store): Promise<readonly Waiting[]> {
  const waiting = await waitingApprovals(store);
  return waiting.map(({ sessionId, agent, principal, reasons, severity, ...request }) => {
    const { part, leftOut } = partOf(request.input);
    return {
      id: request.id,
      toolName: request.toolName,
      input: part,
      reason: beginningOf(request.reason),
      session: sessionId,
      askedAt: request.askedAt,
      deadline: request.deadline,
      ...(leftOut && { leftOut }),
      ...(reasons && { reasons: reasons.map(beginningOf) }),
      ...(severity && { severity }),
      ...(agent !== undefined && { agent }),
      ...(principal && { principal: principal.id }),
    };
  });
}

/** The remembered approvals of a store. */
export async function readRemembered(store: Store): Promise<readonly Remembered[]> {
  const remembered = await listRememberedApprovals(store);
  return remembered.map(
    ({ id, toolName, session, run, principal, input = null, matching, at, until, times, left }) => {
      const { part, leftOut } = partOf(input);
      return {
        id,
        toolName,
        at,
        ...(run !== undefined && { run }),
        ...(until !== undefined && { until }),
        ...(times !== undefined && { times }),
        ...(left !== undefined && { left }),
        ...(session !== undefined && { session }),
        ...(principal && { principal: principal.id }),
        ...(matching
          ? {
              matching: Object.fromEntries(
                Object.entries(matching).map(([name, rule]) => [name, textOf(rule)]),
              ),
            }
          : { input: part, ...(leftOut && { leftOut }) }),
      };
    },
  );
}

/** The fields of an answer. The store checks `remember`. */
const answerSchema: z.ZodType<Answer> = z.strictObject({
  decision: z.enum(['allow', 'deny']),
  reason: z.exactOptional(z.string().max(10_000)),
  remember: z.exactOptional(z.custom<NonNullable<Answer['remember']>>(() => true)),
  matching: z.exactOptional(z.record(z.string(), z.union([z.string(), z.array(z.unknown())]))),
});

/** The outcome of an answer. `gone`: the request was already answered, or is over; `invalid`: it still waits. */
export type Answered =
  | { readonly kind: 'done'; readonly received: boolean }
  | { readonly kind: 'invalid' | 'gone'; readonly message: string };

/** Answers a pending approval. */
export async function answerInbox(store: Store, id: string, body: unknown, by: string): Promise<Answered> {
  if (body === undefined)
    return { kind: 'invalid', message: 'Expected an answer in JSON, of at most 64 kB.' };
  const { success, data, error } = answerSchema.safeParse(body);
  if (!success) return { kind: 'invalid', message: `The answer is not valid. ${z.prettifyError(error)}` };
  try {
    await answerApproval(store, id, { ...data, by });
    return { kind: 'done', received: await answerReceived(store, id) };
  } catch (error) {
    if (!isStoreError(error) || error.code !== 'INVALID') throw error;
    const waits = (await waitingApprovals(store)).some((request) => request.id === id);
    return { kind: waits ? 'invalid' : 'gone', message: error.message };
  }
}
