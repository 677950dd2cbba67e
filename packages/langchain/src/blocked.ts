import type { ToolCallOutcome } from '@hooks/core';
import { blockReasonWith, type RunStop } from '@hooks/core/adapter';
import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';

/** Why a hook refused something. It is stored in a field of messages that is not sent to providers. */
export interface BlockMark extends RunStop {
  /** The Block also ends the run. */
  readonly stop?: boolean;
}

const MARK = 'hooks';

/** The result of a blocked or denied call: an error with the reason. */
export function refusal(
  { message = '', reason = '', by, code, stop }: ToolCallOutcome,
  callId: string,
  name: string,
): ToolMessage {
  return new ToolMessage({
    content: message,
    tool_call_id: callId,
    name,
    status: 'error',
    artifact: withMark(
      {},
      written({
        reason,
        // Some checkpointers make something of a field that is undefined.
        ...(by !== undefined && { by }),
        ...(code !== undefined && { code }),
        ...(stop && { stop }),
      }),
    ),
  });
}

/** The message that ends a run instead of the model's answer, with what that answer took. */
export function finalRefusal(mark: BlockMark, id?: string, usage?: AIMessage['usage_metadata']): AIMessage {
  return new AIMessage({
    content: mark.reason,
    response_metadata: withMark({}, written(mark)),
    ...(id !== undefined && { id }),
    ...(usage !== undefined && { usage_metadata: usage }),
  });
}

/** The marks that this process has written. Copies of a message share them. */
const WRITTEN: WeakSet<object> = new WeakSet();

function written(mark: BlockMark): BlockMark {
  const own = { ...mark };
  WRITTEN.add(own);
  return own;
}

/**
 * Removes the mark from a message that comes from a model, a tool or a client, unless hooks have written it. Whoever forges
 * one would end the run in the name of a hook, or hide an answer from hooks.
 *
 * @param stop why a hook has ended the run, if so
 */
export function dropForgedMark(message: BaseMessage, stop?: { readonly reason: string }): void {
  const mark = markOf(message);
  // A stream may have copied the whole message.
  if (mark === undefined || WRITTEN.has(mark) || mark.reason === stop?.reason) return;
  if (ToolMessage.isInstance(message)) message.artifact = withoutMark(message.artifact);
  else message.response_metadata = withoutMark(message.response_metadata);
}

function withoutMark({ [MARK]: _, ...rest }: { readonly [field: string]: unknown }): Record<string, unknown> {
  return rest;
}

/** The artifact of a message without the mark that hooks have written; undefined if that was all. */
export function withoutWrittenMark(message: ToolMessage): unknown {
  const mark = markOf(message);
  if (mark === undefined || !WRITTEN.has(mark)) return message.artifact;
  const rest = withoutMark(message.artifact);
  return Object.keys(rest).length > 0 ? rest : undefined;
}

/** Adds a mark to the metadata of a message. */
export function withMark(metadata: object, mark: BlockMark): Record<string, unknown> {
  return { ...metadata, [MARK]: mark };
}

/** The mark of a message, if it has one. */
export function markOf(message: BaseMessage): BlockMark | undefined {
  const holder: unknown = ToolMessage.isInstance(message) ? ofRefusal(message) : message.response_metadata;
  const mark: unknown = typeof holder === 'object' && holder !== null ? Reflect.get(holder, MARK) : undefined;
  return typeof mark === 'object' && mark !== null && 'reason' in mark ? (mark as BlockMark) : undefined;
}

/** Only errors can be refusals. A tool may put anything into the artifact of its results. */
function ofRefusal({ status, artifact }: ToolMessage): unknown {
  return status === 'error' ? artifact : undefined;
}

/**
 * Why hooks blocked a run or a call.
 *
 * @param resultOrError what `invoke` resolved to or rejected with, its messages, or one message
 * @returns the reason of the blocked prompt, model call or `stop` that ended the run; for a tool message the reason of its
 *   own call; undefined if nothing was blocked
 */
export const blockReason: (resultOrError: unknown) => string | undefined = blockReasonWith(reasonIn);

function reasonIn(result: object): string | undefined {
  if (AIMessage.isInstance(result) || ToolMessage.isInstance(result)) return markOf(result)?.reason;
  const messages: unknown = Array.isArray(result) ? result : Reflect.get(result, 'messages');
  if (!Array.isArray(messages) || messages.length === 0) return undefined;
  // A `returnDirect` tool ends the run before the model could give the reason.
  return blockReason(messages.at(-1)) ?? stopMark(messages)?.reason;
}

/** The Block that ended the run in its last tool calls, if there is one. */
export function stopMark(messages: readonly BaseMessage[]): BlockMark | undefined {
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at];
    if (!ToolMessage.isInstance(message)) break;
    const mark = markOf(message);
    if (mark?.stop) return mark;
  }
  return undefined;
}
