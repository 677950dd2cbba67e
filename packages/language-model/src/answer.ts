import type { ModelResponse } from '@hooks/core';
import { isSameInput, spreadText } from '@hooks/core/adapter';
import {
  hasReasoning,
  isStored,
  type Metadata,
  withoutIds,
  withoutLists,
  withoutReasoning,
} from './metadata.ts';

/** A part of an answer, plain or streamed, as far as all versions of the protocol agree. */
export interface AnswerPart {
  readonly type: string;
  readonly id?: string | undefined;
  readonly text?: string;
  readonly delta?: unknown;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly usage?: unknown;
  readonly finishReason?: unknown;
  readonly providerMetadata?: object | undefined;
}

/** A tool call of an answer, as hooks see it. */
type Call = ModelResponse['toolCalls'][number];

/**
 * An answer, as hooks see it.
 * @param told the usage, if no part has it
 */
export function responseOf(parts: readonly AnswerPart[], told?: unknown): ModelResponse {
  const usage = told ?? parts.find(({ type }) => type === 'finish')?.usage;
  const { inputTokens, outputTokens }: { inputTokens?: unknown; outputTokens?: unknown } = Object(usage);
  const input = countOf(inputTokens);
  const output = countOf(outputTokens);
  const reasoning = parts.map(reasoningOf).join('');
  return {
    text: textsOf(parts).join(''),
    ...(reasoning !== '' && { reasoning }),
    toolCalls: parts.flatMap((part) => (part.type === 'tool-call' ? [callOf(part)] : [])),
    usage: {
      ...(input !== undefined && { inputTokens: input }),
      ...(output !== undefined && { outputTokens: output }),
    },
    native: parts,
  };
}

/**
 * The parts of an answer as hooks left it. What they did not change stays: sources, files, usage, warnings, and calls and
 * texts with what the provider sent beside them. What repeats the original is left out: the raw chunks, and with a
 * changed text, or where a hook has changed it, the reasoning.
 *
 * @param form the parts of a whole answer, or the chunks of a stream
 */
export function changedParts<P extends AnswerPart>(
  parts: readonly P[],
  response: ModelResponse,
  form: 'whole' | 'stream',
): P[] {
  const before = responseOf(parts);
  const isTold = response.text !== before.text || isOtherReasoning(response, before);
  const calls = changedCalls(before.toolCalls, response.toolCalls);
  if (!isTold && calls === undefined) return [...parts];
  const left = parts.filter(({ type }) => type !== 'raw' && !(isTold && type.startsWith('reasoning')));
  const told: AnswerPart[] = isTold ? withText(left, response.text, form) : [...left];
  const called = calls === undefined ? told : withCalls(told, calls);
  const hasCalls = called.some(({ type }) => type === 'tool-call');
  const unthought = isTold ? called.map(withoutThoughts) : called;
  const changed = unthought.flatMap(withoutStored).map((part) =>
    part.type === 'finish'
      ? {
          ...(isTold ? withoutCopies(part) : part),
          finishReason: calls === undefined ? part.finishReason : reasonOf(part.finishReason, hasCalls),
        }
      : part,
  );
  return changed as P[]; // these are the forms that every version has
}

/** Whether the chunks of a stream hold an answer, or a part of one: the stream may break, or end too early. */
export function hasAnswer(chunks: readonly AnswerPart[]): boolean {
  return chunks.some(({ type }) => !FRAME.has(type) && type !== 'raw');
}

/** The parts around an answer that hooks withheld. */
export function withheldParts<P extends AnswerPart>(parts: readonly P[]): P[] {
  return parts.flatMap((part) => {
    if (part.type !== 'finish') return FRAME.has(part.type) ? [part] : [];
    const { providerMetadata: _, ...finish } = part;
    return [{ ...finish, finishReason: reasonOf(part.finishReason, false) } as P]; // only an optional field is gone
  });
}

const FRAME: ReadonlySet<string> = new Set(['stream-start', 'response-metadata', 'error']);

/** The end of an answer without what its provider sent piece by piece beside the text. */
function withoutCopies(end: AnswerPart): AnswerPart {
  const { providerMetadata } = end;
  return providerMetadata === undefined
    ? end
    : { ...end, providerMetadata: withoutLists(providerMetadata as Metadata) };
}

/** A part without the reasoning that some providers send beside each call as well. */
function withoutThoughts(part: AnswerPart): AnswerPart {
  const metadata = part.providerMetadata as Metadata | undefined;
  if (metadata === undefined || !hasReasoning(metadata)) return part;
  return { ...part, providerMetadata: withoutReasoning(metadata) };
}

/** Whether a hook has changed the reasoning. One that writes an answer of its own leaves it out. */
function isOtherReasoning({ reasoning }: ModelResponse, before: ModelResponse): boolean {
  return reasoning !== undefined && reasoning !== before.reasoning;
}

function reasoningOf({ type, text, delta }: AnswerPart): string {
  if (type === 'reasoning') return text ?? '';
  return type === 'reasoning-delta' ? String(delta) : '';
}

/** The texts of an answer: of each text part, or of the chunks of each. */
function textsOf(parts: readonly AnswerPart[]): readonly string[] {
  return [...blocksOf(parts).values()].filter((text) => text !== '');
}

/** The texts by the key of their block. */
function blocksOf(parts: readonly AnswerPart[]): ReadonlyMap<unknown, string> {
  const blocks = new Map<unknown, string>();
  for (const part of parts) {
    if (part.type === 'text') blocks.set(part, part.text ?? '');
    if (part.type === 'text-delta') blocks.set(part.id, (blocks.get(part.id) ?? '') + String(part.delta));
  }
  return blocks;
}

function withText(parts: readonly AnswerPart[], text: string, form: 'whole' | 'stream'): AnswerPart[] {
  const blocks = [...blocksOf(parts)].filter(([, own]) => own !== '');
  if (blocks.length === 0) return text === '' ? [...parts] : withNewText(parts, text, form);
  const texts = blocks.map(([, own]) => own);
  const spread = spreadText(texts, '', text);
  const changes = new Map(
    blocks.flatMap(([key, own], nth) => (spread[nth] === own ? [] : [[key, spread[nth]] as const])),
  );
  const written = new Set<unknown>();
  return parts.flatMap((part): AnswerPart[] => {
    const key = part.type === 'text' ? part : part.type.startsWith('text-') ? part.id : undefined;
    if (key === undefined || !changes.has(key)) return [part];
    const changed = changes.get(key);
    if (changed === undefined || changed === '') return [];
    // What the provider sent beside a text is about the original: an id, probabilities, citations.
    const { providerMetadata: _, ...rest } = part;
    if (part.type === 'text') return [{ ...rest, text: changed }];
    if (part.type !== 'text-delta') return [rest];
    if (written.has(key)) return [];
    written.add(key);
    return [{ ...rest, delta: changed }];
  });
}

/** The text in front of the tool calls, where there was none. */
function withNewText(parts: readonly AnswerPart[], text: string, form: 'whole' | 'stream'): AnswerPart[] {
  const id = 'hooks';
  const added: readonly AnswerPart[] =
    form === 'stream'
      ? [
          { type: 'text-start', id },
          { type: 'text-delta', id, delta: text },
          { type: 'text-end', id },
        ]
      : [{ type: 'text', text }];
  const at = parts.findIndex(({ type }) => type === 'finish' || type.startsWith('tool-'));
  return parts.toSpliced(at === -1 ? parts.length : at, 0, ...added);
}

interface ChangedCalls {
  /** What has become of each call of the answer; undefined for those that are gone. */
  readonly kept: readonly (Call | undefined)[];
  readonly added: readonly Call[];
}

/** Which calls stay, change and go; undefined if none did. Calls with one id are told apart by their order. */
function changedCalls(before: readonly Call[], after: readonly Call[]): ChangedCalls | undefined {
  const kept: (Call | undefined)[] = before.map(() => undefined);
  const added: Call[] = [];
  let next = 0;
  for (const call of after) {
    const found = before.findIndex(
      (own, nth) => nth >= next && own.callId === call.callId && kept[nth] === undefined,
    );
    if (found === -1) added.push(call);
    else {
      kept[found] = call;
      next = found + 1;
    }
  }
  const isSame = added.length === 0 && kept.every((call, nth) => isSameCall(call, before[nth]));
  return isSame ? undefined : { kept, added };
}

function isSameCall(one: Call | undefined, other: Call | undefined): boolean {
  return one !== undefined && one.toolName === other?.toolName && isSameInput(one.input, other.input);
}

function withCalls(parts: readonly AnswerPart[], { kept, added }: ChangedCalls): AnswerPart[] {
  // The chunks of an input, and what a provider answered to its own call, have the call's id.
  const own = parts.filter(({ type }) => type === 'tool-call');
  const changed = new Set(
    own.flatMap((part, nth) => (isSameCall(kept[nth], callOf(part)) ? [] : [part.toolCallId])),
  );
  const gone = new Set(own.flatMap((part, nth) => (kept[nth] === undefined ? [part.toolCallId] : [])));
  const written = parts.flatMap((part): AnswerPart[] => {
    if (part.type.startsWith('tool-input-')) return changed.has(part.id) ? [] : [part];
    if (part.type !== 'tool-call')
      return part.type.startsWith('tool-') && gone.has(part.toolCallId) ? [] : [part];
    const call = kept[own.indexOf(part)];
    if (call === undefined) return [];
    if (isSameCall(call, callOf(part))) return [part];
    const { providerMetadata: _, ...rest } = part;
    return [{ ...rest, toolName: call.toolName, input: JSON.stringify(call.input) }];
  });
  const at = written.findIndex(({ type }) => type === 'finish');
  return written.toSpliced(at === -1 ? written.length : at, 0, ...added.map(newCall));
}

function newCall({ callId, toolName, input }: Call): AnswerPart {
  return { type: 'tool-call', toolCallId: callId, toolName, input: JSON.stringify(input) };
}

function callOf({ toolCallId = '', toolName = '', input }: AnswerPart): Call {
  return { callId: toolCallId, toolName, input: parsed(input) };
}

/** A part of an answer that is no longer the one that the provider has stored. */
function withoutStored(part: AnswerPart): AnswerPart[] {
  const metadata = part.providerMetadata as Metadata | undefined;
  if (metadata === undefined || !isStored(metadata)) return [part];
  return part.type.startsWith('reasoning') ? [] : [{ ...part, providerMetadata: withoutIds(metadata) }];
}

/** Why an answer ended, after hooks have changed its calls. */
function reasonOf(reason: unknown, hasCalls: boolean): unknown {
  const unified = hasCalls ? 'tool-calls' : 'stop';
  const own: unknown = typeof reason === 'string' ? reason : Object(reason).unified;
  if (own !== 'tool-calls' && own !== 'stop') return reason;
  return typeof reason === 'string' ? unified : { ...Object(reason), unified };
}

/** Tokens, as a number or as an object with more detail. */
function countOf(tokens: unknown): number | undefined {
  const count: unknown = typeof tokens === 'object' ? Object(tokens).total : tokens;
  return typeof count === 'number' ? count : undefined;
}

/** The arguments of a call as a model wrote them: JSON, or text that is none. */
export function parsed(input: unknown): unknown {
  if (typeof input !== 'string') return input;
  try {
    return input.trim() === '' ? {} : JSON.parse(input);
  } catch {
    return input;
  }
}
