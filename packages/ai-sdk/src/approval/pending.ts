import type { PendingApproval } from '@hooks/core/adapter';
import { hashInput } from '@hooks/core/tool-call';
import type { ModelMessage, ToolApprovalResponse } from 'ai';
import type { HookedRun } from '../run/hooked-run.ts';

/** Runs that wait for people, by the ids of their requests. The SDK keeps only their messages. */
const paused: Map<string, HookedRun> = new Map();

/** The maximum number of remembered requests. The oldest resume as in another process. */
const REMEMBERED = 10_000;

/** Stores a run with the requests that it waits for. */
export function remember(run: HookedRun, approvalIds: readonly string[]): void {
  for (const id of approvalIds) paused.set(id, run);
  for (const [id, oldest] of paused) {
    if (paused.size <= REMEMBERED) return;
    paused.delete(id);
    void oldest.end({ kind: 'canceled' });
  }
}

/** Takes the run in this process that waits for one of these answers. */
export function recall(responses: readonly ToolApprovalResponse[]): HookedRun | undefined {
  const [run] = responses.flatMap(({ approvalId }) => paused.get(approvalId) ?? []);
  if (run !== undefined) for (const [id, waiting] of paused) if (waiting === run) paused.delete(id);
  return run;
}

/** The answers of people at the end of messages, as the SDK reads them. */
export function responsesIn(messages: readonly ModelMessage[]): readonly ToolApprovalResponse[] {
  const last = messages.at(-1);
  if (last?.role !== 'tool') return [];
  return last.content.filter((part) => part.type === 'tool-approval-response');
}

/** A pending call in messages. */
export interface WaitingCall {
  readonly approvalId: string;
  readonly callId: string;
  readonly toolName: string;
  /** The input that the model sent. */
  readonly input: unknown;
}

/** The calls in messages that have an approval request. */
export function requestsIn(messages: readonly ModelMessage[]): readonly WaitingCall[] {
  const parts = messages.flatMap((message) =>
    message.role === 'assistant' && typeof message.content !== 'string' ? message.content : [],
  );
  return parts.flatMap((part) => {
    if (part.type !== 'tool-approval-request' || part.isAutomatic) return [];
    const call = parts.find((one) => one.type === 'tool-call' && one.toolCallId === part.toolCallId);
    if (call?.type !== 'tool-call') return [];
    const { approvalId, toolCallId: callId } = part;
    const input = 'inputSchemaInput' in part ? part.inputSchemaInput : call.input;
    return [{ approvalId, callId, toolName: call.toolName, input }];
  });
}

/** What `pendingApprovals` takes: the result of an agent or a function, or the messages of a conversation. */
export type PausedRun =
  | readonly ModelMessage[]
  | { readonly responseMessages: readonly ModelMessage[] | PromiseLike<readonly ModelMessage[]> };

/**
 * The pending approvals of a run. Messages, as another process passes them in, do not contain the reasons.
 *
 * @param resultOrMessages what `generateText`, `streamText` or an agent gave, or the messages of the conversation
 * @example
 * ```ts
 * for (const call of await pendingApprovals(result)) console.log(call.toolName, call.input, call.reason);
 * ```
 */
export async function pendingApprovals(resultOrMessages: PausedRun): Promise<readonly PendingApproval[]> {
  const messages = isMessages(resultOrMessages) ? resultOrMessages : await resultOrMessages.responseMessages;
  return Promise.all(
    unanswered(messages).map(async ({ approvalId, ...call }) => {
      const known = paused.get(approvalId)?.pending.waiting.find(({ callId }) => callId === call.callId);
      return known ?? { ...call, reason: approvalReason(call.toolName), hash: await hashInput(call.input) };
    }),
  );
}

function isMessages(value: PausedRun): value is readonly ModelMessage[] {
  return Array.isArray(value);
}

function unanswered(messages: readonly ModelMessage[]): readonly WaitingCall[] {
  const answered = new Set(
    messages.flatMap(({ role, content }) =>
      role === 'tool'
        ? content.map((part) => (part.type === 'tool-result' ? part.toolCallId : part.approvalId))
        : [],
    ),
  );
  return requestsIn(messages).filter(
    ({ approvalId, callId }) => !answered.has(approvalId) && !answered.has(callId),
  );
}

/** The reason for a call that waits without a hook's requirement. */
export function approvalReason(toolName: string): string {
  return `The tool "${toolName}" asks for approval.`;
}
