import type { ToolCallOutcome } from '@hooks/core';
import { blockReasonWith } from '@hooks/core/adapter';
import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';

/** Why hooks ended something: it travels in a field of messages that no provider is sent. */
export interface BlockMark {
  readonly reason: string;
  /** The hook that said so. */
  readonly by?: string;
  /** The run was to end. */
  readonly stop?: boolean;
}

const MARK = 'hooks';

/** The answer to a blocked or denied call: an error that tells the model the reason. */
export function refusal(
  { message = '', reason = '', by, stop }: ToolCallOutcome,
  callId: string,
  name: string,
): ToolMessage {
  return new ToolMessage({
    content: message,
    tool_call_id: callId,
    name,
    status: 'error',
    artifact: withMark({}, { reason, ...(by !== undefined && { by }), ...(stop && { stop }) }),
  });
}

/** The message that ends a run in the model's place. */
export function finalRefusal(mark: BlockMark, id?: string): AIMessage {
  return new AIMessage({
    content: mark.reason,
    response_metadata: withMark({}, mark),
    ...(id !== undefined && { id }),
  });
}

/** The metadata of a message, with what hooks note on it. */
export function withMark(metadata: object, mark: BlockMark): Record<string, unknown> {
  return { ...metadata, [MARK]: mark };
}

/** What hooks noted on a message, if anything. */
export function markOf(message: BaseMessage): BlockMark | undefined {
  const holder: unknown = ToolMessage.isInstance(message) ? ofRefusal(message) : message.response_metadata;
  const mark: unknown = typeof holder === 'object' && holder !== null ? Reflect.get(holder, MARK) : undefined;
  return typeof mark === 'object' && mark !== null && 'reason' in mark ? (mark as BlockMark) : undefined;
}

/** A refusal is an error; what a tool gives beside its content is its own. */
function ofRefusal({ status, artifact }: ToolMessage): unknown {
  return status === 'error' ? artifact : undefined;
}

/**
 * Why hooks blocked a run or a call.
 *
 * @param resultOrError what `invoke` resolved to or rejected with, its messages, or one message
 * @returns the reason of a blocked prompt or model call, or of the Block that stopped the run, where it ended so; for a
 *   tool message the reason of its own call; undefined where nothing was blocked
 */
export const blockReason: (resultOrError: unknown) => string | undefined = blockReasonWith(reasonIn);

function reasonIn(result: object): string | undefined {
  if (AIMessage.isInstance(result) || ToolMessage.isInstance(result)) return markOf(result)?.reason;
  const messages: unknown = Array.isArray(result) ? result : Reflect.get(result, 'messages');
  if (!Array.isArray(messages) || messages.length === 0) return undefined;
  // A tool that gives its results directly ends the run before its model could say so.
  return blockReason(messages.at(-1)) ?? stopMark(messages)?.reason;
}

/** The Block that ended the run in its last round of tool calls, if one did. */
export function stopMark(messages: readonly BaseMessage[]): BlockMark | undefined {
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at];
    if (!ToolMessage.isInstance(message)) break;
    const mark = markOf(message);
    if (mark?.stop) return mark;
  }
  return undefined;
}
