import type { ModelResponse } from '@hooks/core';
import type { ContentPart, GenerateResult, StreamPart } from '../sdk.ts';

/** A part of an answer, plain or streamed. */
type Part = ContentPart | StreamPart;
type Usage = GenerateResult['usage'];

/** The answer of a model, as hooks see it. */
export function responseOf(parts: readonly Part[], told?: Usage): ModelResponse {
  const usage = told ?? parts.find((part) => part.type === 'finish')?.usage;
  const input = usage?.inputTokens.total;
  const output = usage?.outputTokens.total;
  const texts = parts.map((part) =>
    part.type === 'text' ? part.text : part.type === 'text-delta' ? part.delta : '',
  );
  return {
    text: texts.join(''),
    toolCalls: parts.flatMap((part) =>
      part.type === 'tool-call'
        ? [{ callId: part.toolCallId, toolName: part.toolName, input: parsed(part.input) }]
        : [],
    ),
    usage: {
      ...(input !== undefined && { inputTokens: input }),
      ...(output !== undefined && { outputTokens: output }),
    },
    native: parts,
  };
}

/**
 * An answer as hooks left it. Everything besides text and tool calls (reasoning, sources, files, raw provider data) is
 * left out, because it may reveal what hooks removed.
 */
export function changedResult(result: GenerateResult, response: ModelResponse): GenerateResult {
  const content = changedParts(response, result.content, (text) => [{ type: 'text', text }]);
  const { structuredOutputText: _, providerMetadata: _beside, response: about, ...rest } = result;
  const { body: _body, ...told } = about ?? {};
  return {
    ...rest,
    content,
    ...(about && { response: told }),
    finishReason: finishOf(content, result.finishReason),
  };
}

/** The chunks of a streamed answer as hooks left it. */
export function changedChunks(response: ModelResponse, chunks: readonly StreamPart[]): readonly StreamPart[] {
  const parts = changedParts(response, chunks, streamedText);
  return parts.map((part) => {
    if (part.type !== 'finish') return part;
    const { providerMetadata: _, ...finish } = part;
    return { ...finish, finishReason: finishOf(parts, part.finishReason) };
  });
}

function changedParts<P extends Part>(
  { text, toolCalls }: ModelResponse,
  parts: readonly P[],
  write: (text: string) => readonly P[],
): P[] {
  const before = responseOf(parts);
  const said = text === before.text;
  const called = JSON.stringify(toolCalls) === JSON.stringify(before.toolCalls);
  if (said && called) return [...parts];
  const kept = parts.filter(
    ({ type }) =>
      FRAME.has(type) ||
      (said && (type === 'text' || type.startsWith('text-'))) ||
      (called && type.startsWith('tool-')),
  );
  const end = kept.findIndex(({ type }) => type === 'finish' || (!said && type.startsWith('tool-')));
  const at = end === -1 ? kept.length : end;
  const calls = called
    ? []
    : toolCalls.map(({ callId, toolName, input }) => ({
        type: 'tool-call' as const,
        toolCallId: callId,
        toolName,
        input: JSON.stringify(input),
      }));
  const texts = said || text === '' ? [] : write(text);
  // A tool call is a part of both forms.
  return [
    ...kept.slice(0, at),
    ...texts,
    ...(calls as readonly ContentPart[] as readonly P[]),
    ...kept.slice(at),
  ];
}

/** What frames a streamed answer. */
const FRAME: ReadonlySet<string> = new Set(['stream-start', 'response-metadata', 'finish', 'error']);

function streamedText(text: string): readonly StreamPart[] {
  const id = 'hooks';
  return [
    { type: 'text-start', id },
    { type: 'text-delta', id, delta: text },
    { type: 'text-end', id },
  ];
}

function finishOf(
  parts: readonly Part[],
  { raw, unified }: GenerateResult['finishReason'],
): GenerateResult['finishReason'] {
  if (unified !== 'tool-calls' && unified !== 'stop') return { raw, unified };
  return { raw, unified: parts.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop' };
}

/** An answer that says why a hook ended the run, in the place of the model's or with its usage. */
export function refusedResult(reason: string, usage: Usage = NONE): GenerateResult {
  return { content: [{ type: 'text', text: reason }], finishReason: STOP, usage, warnings: [] };
}

/** The same as a stream. */
export function refusedChunks(reason: string, chunks: readonly StreamPart[] = []): readonly StreamPart[] {
  const usage = chunks.find((chunk) => chunk.type === 'finish')?.usage ?? NONE;
  return [
    { type: 'stream-start', warnings: [] },
    ...streamedText(reason),
    { type: 'finish', finishReason: STOP, usage },
  ];
}

const STOP: GenerateResult['finishReason'] = { unified: 'stop', raw: undefined };
const NONE: Usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

/** The usage of an answer together with that of those which hooks had the model give anew. */
export function addUsage(usage: Usage, more: Usage): Usage {
  const { inputTokens: input, outputTokens: output } = usage;
  return {
    inputTokens: {
      total: sum(input.total, more.inputTokens.total),
      noCache: sum(input.noCache, more.inputTokens.noCache),
      cacheRead: sum(input.cacheRead, more.inputTokens.cacheRead),
      cacheWrite: sum(input.cacheWrite, more.inputTokens.cacheWrite),
    },
    outputTokens: {
      total: sum(output.total, more.outputTokens.total),
      text: sum(output.text, more.outputTokens.text),
      reasoning: sum(output.reasoning, more.outputTokens.reasoning),
    },
  };
}

function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined ? other : one + (other ?? 0);
}

/** The arguments of a call as a model wrote them: JSON, or what is none. */
export function parsed(input: string): unknown {
  try {
    return input.trim() === '' ? {} : JSON.parse(input);
  } catch {
    return input;
  }
}
