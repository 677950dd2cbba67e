import { PausedRuns, type PendingApproval, unknownPending } from '@hooks/core/adapter';
import type {
  AssistantModelMessage,
  ModelMessage,
  ToolApprovalRequest,
  ToolApprovalResponse,
  ToolCallPart,
  ToolContent,
} from 'ai';
import type { HookedRun } from '../run/hooked-run.ts';

/** Runs that wait for people. The SDK keeps only their messages. */
export const pausedRuns: PausedRuns<HookedRun> = new PausedRuns();

/** The answers of people at the end of messages, as the SDK reads them. */
export function responsesIn(messages: readonly ModelMessage[]): readonly ToolApprovalResponse[] {
  const last = messages.at(-1);
  if (last?.role !== 'tool') return [];
  return last.content.filter((part) => part.type === 'tool-approval-response');
}

/** A pending call in messages. */
interface WaitingCall {
  readonly approvalId: string;
  readonly callId: string;
  readonly toolName: string;
  /** What the tool's schema made of the arguments of the model: what runs, and what a signature covers. */
  readonly input: unknown;
  /** The arguments as the model wrote them, if the client tells the truth. */
  readonly written: unknown;
}

/** A call that a person has answered. */
export interface AnsweredCall extends WaitingCall {
  readonly approved: boolean;
  readonly reason: string | undefined;
}

/**
 * The calls that the answers at the end of messages are about. Ids repeat, so this chooses as the SDK does: the last
 * request of an id, the last call of an id, and the first answer to a call.
 */
export function answeredIn(messages: readonly ModelMessage[]): readonly AnsweredCall[] {
  const responses = responsesIn(messages);
  if (responses.length === 0) return [];
  const requests = new Map<string, ToolApprovalRequest>();
  const calls = new Map<string, ToolCallPart>();
  for (const part of messages.flatMap(modelParts)) {
    if (part.type === 'tool-call') calls.set(part.toolCallId, part);
    if (part.type === 'tool-approval-request') requests.set(part.approvalId, part);
  }
  const answered = new Map<string, AnsweredCall>();
  for (const { approvalId, approved, reason } of responses) {
    const request = requests.get(approvalId);
    const call = request && calls.get(request.toolCallId);
    if (request === undefined || call === undefined || answered.has(call.toolCallId)) continue;
    answered.set(call.toolCallId, { ...waitingCall(request, call), approved, reason });
  }
  return [...answered.values()];
}

function waitingCall(request: ToolApprovalRequest, call: ToolCallPart): WaitingCall {
  const { approvalId, toolCallId: callId } = request;
  const { toolName, input } = call;
  const written = Object.hasOwn(request, 'inputSchemaInput') ? request.inputSchemaInput : input;
  return { approvalId, callId, toolName, input, written };
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
    unanswered(messages).map(async ({ approvalId, written, ...call }) => {
      const pending = pausedRuns.peek(approvalId)?.pending;
      // Whoever made up the messages learns nothing of a run that they do not know.
      const known = pending?.waitingFor({ ...call, input: written }) ?? pending?.waitingFor(call);
      return known ?? unknownPending(call);
    }),
  );
}

function isMessages(value: PausedRun): value is readonly ModelMessage[] {
  return Array.isArray(value);
}

/** The calls that wait at the end of messages. What stands before a request answers an earlier call with its id. */
function unanswered(messages: readonly ModelMessage[]): readonly WaitingCall[] {
  const waiting = new Map<string, WaitingCall>();
  const calls = new Map<string, ToolCallPart>();
  for (const message of messages) {
    for (const part of modelParts(message)) noteModelPart(part, calls, waiting);
    if (message.role === 'tool') for (const part of message.content) noteAnswer(part, waiting);
  }
  return [...waiting.values()];
}

type ModelPart = Exclude<AssistantModelMessage['content'], string>[number];

/** The parts of a model's message. One that is a text has none, and neither have messages of others. */
function modelParts({ role, content }: ModelMessage): readonly ModelPart[] {
  return role === 'assistant' && typeof content !== 'string' ? content : [];
}

function noteModelPart(
  part: ModelPart,
  calls: Map<string, ToolCallPart>,
  waiting: Map<string, WaitingCall>,
): void {
  if (part.type === 'tool-call') calls.set(part.toolCallId, part);
  if (part.type === 'tool-result') forgetCall(waiting, part.toolCallId);
  if (part.type !== 'tool-approval-request' || part.isAutomatic) return;
  const call = calls.get(part.toolCallId);
  if (call !== undefined) waiting.set(part.approvalId, waitingCall(part, call));
}

function noteAnswer(part: ToolContent[number], waiting: Map<string, WaitingCall>): void {
  if (part.type === 'tool-result') forgetCall(waiting, part.toolCallId);
  else waiting.delete(part.approvalId);
}

function forgetCall(waiting: Map<string, WaitingCall>, id: string): void {
  for (const [approvalId, { callId }] of waiting) if (callId === id) waiting.delete(approvalId);
}
