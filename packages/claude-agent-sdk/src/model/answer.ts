import type { ModelResponse } from '@hooks/core';
import { type AnswerPart, changedParts, parsed, responseOf } from '@hooks/language-model';
import type { Block } from './request.ts';

/** An answer of the Messages API, as far as this package reads it. */
export interface Answer {
  readonly content: readonly Block[];
  readonly stop_reason?: unknown;
  readonly usage?: Usage;
}

type Usage = Readonly<Record<string, unknown>>;

/** An answer, as hooks see it. */
export function responseIn(answer: Answer): ModelResponse {
  return { ...responseOf(partsOf(answer)), native: answer };
}

/** An answer as hooks left it. Blocks that they did not change stay, and are the same objects. */
export function changedAnswer<A extends Answer>(answer: A, response: ModelResponse): A {
  const parts = changedParts(partsOf(answer), response, 'whole');
  const reason = parts.find(({ type }) => type === 'finish')?.finishReason;
  const [stop = reason] = REASONS.find(([, ours]) => ours === reason) ?? [];
  return { ...answer, content: parts.flatMap(blockOf), stop_reason: stop };
}

/** An answer that says why a hook ended the run. */
export function refusedAnswer<A extends Answer>(answer: A, reason: string): A {
  return { ...answer, content: [{ type: 'text', text: reason }], stop_reason: 'end_turn' };
}

/** An answer that the proxy gives in place of a model. */
export function ownAnswer(model: unknown, text: string): Answer {
  const usage = { input_tokens: 0, output_tokens: 0 };
  const message = { id: `msg_${crypto.randomUUID()}`, type: 'message', role: 'assistant', model };
  return { ...message, content: [{ type: 'text', text }], stop_reason: 'end_turn', usage };
}

interface BlockPart extends AnswerPart {
  readonly block?: Block;
}

/** Why an answer ended: in the API's words, and in those that adapters share. */
const REASONS: readonly (readonly [string, string])[] = [
  ['tool_use', 'tool-calls'],
  ['end_turn', 'stop'],
];

function partsOf({ content, stop_reason: reason, usage }: Answer): BlockPart[] {
  const [, finishReason = reason] = REASONS.find(([theirs]) => theirs === reason) ?? [];
  return [...content.map(partOf), { type: 'finish', finishReason, usage: tokensOf(usage) }];
}

/** What a call costs: cached tokens are input, too. */
function tokensOf(usage: Usage | undefined): object | undefined {
  if (usage === undefined) return undefined;
  const input = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'];
  const counts = input.map((name) => usage[name]).filter((count) => typeof count === 'number');
  return {
    ...(counts.length > 0 && { inputTokens: counts.reduce((sum, count) => sum + count, 0) }),
    outputTokens: usage['output_tokens'],
  };
}

function partOf(block: Block): BlockPart {
  const { type, text, thinking = '', id, name, input } = block;
  switch (type) {
    case 'text':
      return { type, text: String(text), block };
    case 'thinking':
    case 'redacted_thinking':
      return { type: 'reasoning', text: String(thinking), block };
    case 'tool_use':
      return { type: 'tool-call', toolCallId: String(id), toolName: String(name), input, block };
    default:
      return { type: 'other', block };
  }
}

function blockOf({ type, text = '', toolCallId: id, toolName: name, input, block }: BlockPart): Block[] {
  if (type === 'finish') return [];
  if (type === 'text') return [block?.['text'] === text ? block : { type, text }];
  if (type !== 'tool-call' || (block !== undefined && block['input'] === input && block['name'] === name))
    return block === undefined ? [] : [block];
  return [{ ...block, type: 'tool_use', id, name, input: parsed(input) }];
}
