import type { ModelResponse } from '@hooks/core';
import { changedParts, responseOf } from '@hooks/language-model';
import type { ContentPart, GenerateResult, StreamPart } from '../sdk.ts';

type Usage = GenerateResult['usage'];

/**
 * An answer as hooks see it. A model may write an object besides, which the user gets in the place of the text: it is the
 * last text of the content, unless the others contain it.
 */
export function responseIn({ content, structuredOutputText, usage }: GenerateResult): ModelResponse {
  return responseOf([...content, ...besides(content, structuredOutputText)], usage);
}

/** The object that a model has written beside its texts. */
type Beside = Extract<ContentPart, { readonly type: 'text' }> & { readonly isBeside: true };

function besides(content: readonly ContentPart[], structured: string | undefined): readonly Beside[] {
  if (structured === undefined || responseOf(content).text.includes(structured)) return [];
  return [{ type: 'text', text: structured, isBeside: true }];
}

/** An answer as hooks left it, without the provider's own form of the original. */
export function changedResult(result: GenerateResult, response: ModelResponse): GenerateResult {
  const { structuredOutputText, providerMetadata, response: about, ...rest } = result;
  const { body: _body, ...told } = about ?? {};
  const { content, finishReason, usage } = result;
  const end: End = { type: 'finish', finishReason, usage, ...(providerMetadata && { providerMetadata }) };
  const beside = besides(content, structuredOutputText);
  const parts = changedParts<ContentPart | Beside | End>([...content, ...beside, end], response, 'whole');
  const changed = parts.find((part) => part.type === 'finish') ?? end;
  const isTold = response.text !== responseIn(result).text;
  const structured = beside.length === 0 && !isTold ? structuredOutputText : parts.find(isBeside)?.text;
  return {
    ...rest,
    content: parts.flatMap((part) => (part.type === 'finish' || isBeside(part) ? [] : [part])),
    ...(structured !== undefined && { structuredOutputText: structured }),
    finishReason: changed.finishReason,
    ...(changed.providerMetadata && { providerMetadata: changed.providerMetadata }),
    ...(about && { response: told }),
  };
}

function isBeside(part: ContentPart | Beside | End): part is Beside {
  return 'isBeside' in part;
}

/** What a streamed answer has in its last chunk. */
type End = Extract<StreamPart, { readonly type: 'finish' }>;

/** An answer that says why a hook ended the run, in the place of the model's or with its usage. */
export function refusedResult(reason: string, usage: Usage = NONE): GenerateResult {
  return { content: [{ type: 'text', text: reason }], finishReason: STOP, usage, warnings: [] };
}

/** The same as a stream. */
export function refusedChunks(reason: string, chunks: readonly StreamPart[] = []): readonly StreamPart[] {
  const usage = chunks.find((chunk) => chunk.type === 'finish')?.usage ?? NONE;
  const id = 'hooks';
  return [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id },
    { type: 'text-delta', id, delta: reason },
    { type: 'text-end', id },
    { type: 'finish', finishReason: STOP, usage },
  ];
}

const STOP: GenerateResult['finishReason'] = { unified: 'stop', raw: undefined };
const NONE: Usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};
