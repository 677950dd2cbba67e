import { type ModelCall, type RequestPatch, standIn } from '@hooks/core/adapter';
import {
  type AnswerPart,
  addUsage,
  changedParts,
  decidedStream,
  responseOf,
  withheldParts,
} from '@hooks/language-model';
import type { ProcessInputStepArgs } from '@mastra/core/processors';
import { type CallOptions, patched } from './request.ts';

type Model = ProcessInputStepArgs['model'];

interface CallResult {
  readonly stream: ReadableStream<AnswerPart>;
  readonly response?: object;
}

type Send = (options: CallOptions) => PromiseLike<CallResult>;

/** How the answers of a model reach the run. */
export type Holding = 'held' | 'passing' | 'unwatched';

/** The next model call, with the decisions about its request. */
export interface NextCall {
  readonly patch: RequestPatch;
  readonly call: ModelCall;
  /** The model is offered these tools. */
  readonly offer: (tools: readonly string[]) => void;
  /** The answer is refused: its tools do not run. */
  readonly refuse: (reason: string) => void;
}

/** The model of one call. Applies the changes of hooks, and holds its answer back until hooks have decided. */
export function hookedModel(model: Model, holding: Holding, next: () => NextCall): Model {
  const enter = (method: Send, isWhole: boolean): Send => {
    return async (options) => {
      // Hooks have not decided on the request of a run that was aborted before; a provider would not send it, either.
      options.abortSignal?.throwIfAborted();
      const call = next();
      const sent = patched(options, model.provider, call.patch);
      call.offer((sent.tools ?? []).flatMap(({ name }) => name ?? []));
      const send = () => method.call(model, sent);
      if (holding === 'unwatched') return send();
      return isWhole && holding === 'held'
        ? generated(call, send)
        : streamed(call, send, holding === 'passing');
    };
  };
  const { doGenerate, doStream }: { readonly doGenerate: Send; readonly doStream: Send } = Object(model);
  return standIn(model, { doGenerate: enter(doGenerate, true), doStream: enter(doStream, false) });
}

/** An answer that comes whole: hooks decide before Mastra gets it. */
async function generated(next: NextCall, send: () => PromiseLike<CallResult>): Promise<CallResult> {
  const result = await next.call.answer(
    async () => {
      const { stream, ...rest } = await send();
      const parts: AnswerPart[] = [];
      for await (const part of stream) parts.push(part);
      return { ...rest, parts };
    },
    ({ parts }) => responseOf(parts),
  );
  const { parts: last, ...rest } = result.answer;
  const all = [...result.retried, result.answer];
  const usage = addUsage(all.map(({ parts }) => parts.find(({ type }) => type === 'finish')?.usage));
  const parts = last.map((part) => (part.type === 'finish' ? { ...part, usage } : part));
  const answer = (left: readonly AnswerPart[]) => ({ ...rest, stream: ReadableStream.from(left) });
  if (result.kind === 'stands') return answer(parts);
  if (result.kind === 'replaced') return withoutBody(answer(changedParts(parts, result.response, 'stream')));
  next.refuse(result.stop.reason);
  return withoutBody(answer(withheldParts(parts)));
}

/**
 * An answer that is streamed. It is read inside the stream that Mastra gets, because Mastra asks a model again that fails
 * before it streams.
 *
 * @param passes it streams through, and hooks decide when it is complete; if they refuse it, its tools do not run
 */
async function streamed(
  { call, refuse }: NextCall,
  send: () => PromiseLike<CallResult>,
  passes: boolean,
): Promise<CallResult> {
  const first = await send();
  const chunks = decidedStream(call, {
    first: first.stream,
    again: send,
    passes,
    refuse(stop, parts) {
      refuse(stop.reason);
      return passes ? parts.filter(({ type }) => type === 'finish') : withheldParts(parts);
    },
  });
  const result = { ...first, stream: ReadableStream.from(chunks) };
  return passes ? result : withoutBody(result);
}

/** The provider's raw body would reveal what the parts no longer contain. */
function withoutBody(result: CallResult): CallResult {
  const { response, ...rest } = result;
  const { body: _body, ...shown }: { readonly body?: unknown } = response ?? {};
  return { ...rest, ...(response && { response: shown }) };
}
