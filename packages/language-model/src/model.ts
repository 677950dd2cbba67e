import type { ModelResponse } from '@hooks/core';
import { addUsage, type ModelCall, type Streaming } from '@hooks/core/adapter';
import { type AnswerPart, changedParts, hasAnswer, responseOf } from './answer.ts';

/** How a streamed answer is decided on. */
interface Answering<P> extends Pick<Streaming<P, readonly P[]>, 'refuse'> {
  /** The chunks of the first answer. */
  readonly first: AsyncIterable<P>;
  /** Asks the model again. */
  again(): PromiseLike<{ readonly stream: AsyncIterable<P> }>;
  /** It streams through, and hooks decide when it is complete. */
  readonly passes: boolean;
  /** Called with each whole answer. Default: `responseOf`. */
  read?(parts: readonly P[]): ModelResponse;
}

/** The chunks of an answer as hooks left it. Hooks have nothing to decide about a stream that holds no answer. */
export async function* decidedStream<P extends AnswerPart>(
  call: ModelCall,
  { first, again, passes, read = responseOf, refuse }: Answering<P>,
): AsyncGenerator<P> {
  let opened: AsyncIterable<P> | undefined = first;
  let rest: readonly P[] = [];
  const spent: unknown[] = [];
  const chunks = call.stream<P, readonly P[]>({
    async open() {
      const stream = opened ?? (await again()).stream;
      opened = undefined;
      return stream;
    },
    whole(parts) {
      spent.push(parts.find(({ type }) => type === 'finish')?.usage);
      if (hasAnswer(parts)) return parts;
      rest = passes ? [] : parts.filter(({ type }) => type !== 'raw');
      return undefined;
    },
    read,
    write: (response, parts) => changedParts(parts, response, 'stream'),
    refuse,
    pass: passes,
    isEnd: ({ type }) => type === 'finish',
  });
  for await (const chunk of chunks)
    yield chunk.type === 'finish' && spent.length > 1 ? { ...chunk, usage: addUsage(spent) } : chunk;
  yield* rest;
}

/**
 * The model of that id from the same provider. Undefined where that cannot be had: only an object of a provider's class asks
 * for its own `modelId`; a wrapper around one asks for that of the inner model.
 */
export function withModelId<M extends object>(model: M, id: string): M | undefined {
  const isProviders =
    Object.hasOwn(model, 'modelId') &&
    Object.hasOwn(model, 'config') &&
    !Object.hasOwn(model, 'doStream') &&
    !('gatewayId' in model);
  return isProviders ? Object.create(model, { modelId: { value: id, enumerable: true } }) : undefined;
}
