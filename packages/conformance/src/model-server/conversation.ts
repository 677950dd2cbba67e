import { BadRequest } from './json.ts';
import type { ModelMessage, ModelRequest } from './request.ts';

/**
 * Joins the parts of each answer of the model into one message. The Responses API sends text and calls as separate
 * items, and some clients do the same with chat messages.
 */
export function joinAnswers(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const joined: ModelMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role === 'assistant' && message.role === 'assistant') joined.splice(-1, 1, join(last, message));
    else joined.push(message);
  }
  return joined;
}

function join(first: ModelMessage, second: ModelMessage): ModelMessage {
  const toolCalls = [...(first.toolCalls ?? []), ...(second.toolCalls ?? [])];
  return {
    role: 'assistant',
    content: first.content + second.content,
    ...(toolCalls.length > 0 && { toolCalls }),
  };
}

/**
 * Throws a `BadRequest` unless every tool call has exactly one result before the model's next answer, and every result
 * has its call. In chat completions, no other message may come between them. The real API requires this, and an adapter
 * that swallows a call or answers it twice breaks it.
 */
export function checkToolCalls(messages: readonly ModelMessage[], endpoint: ModelRequest['endpoint']): void {
  // Two calls of one answer may have the same id. Each needs a result of its own.
  const open: string[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      const at = open.indexOf(message.toolCallId ?? '');
      if (at >= 0) {
        open.splice(at, 1);
        continue;
      }
      throw new BadRequest(
        `The tool result for '${message.toolCallId}' answers no open tool call before it.`,
      );
    }
    if (message.role === 'assistant' || endpoint === 'chat.completions') checkNoneOpen(open);
    for (const { id } of message.toolCalls ?? []) open.push(id);
  }
  checkNoneOpen(open);
}

function checkNoneOpen(open: readonly string[]): void {
  if (open.length === 0) return;
  const ids = open.map((id) => `'${id}'`).join(', ');
  throw new BadRequest(`Each tool call must be followed by its result; there is none for ${ids}.`);
}
