import { type ModelCall, type RequestPatch, type RunStop, standIn } from '@hooks/core/adapter';
import { type AnswerPart, decidedStream, withheldParts } from '@hooks/language-model';
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
  /** The prompt to send in the place of Mastra's. */
  readonly prompt?: unknown;
  /** Why the request is not sent. */
  readonly stop?: RunStop | undefined;
  /** The model is offered these tools. */
  readonly offer: (tools: readonly string[]) => void;
  /** The answer is refused: its tools do not run. */
  readonly refuse: (reason: string) => void;
}

/** The model of one call. Applies the changes of hooks, and holds its answer back until hooks have decided. */
export function hookedModel(
  model: Model,
  holding: Holding,
  next: (prompt: unknown) => Promise<NextCall>,
): Model {
  const enter = (method: Send): Send => {
    return async (options) => {
      // Hooks have not decided on the request of a run that was aborted before; a provider would not send it, either.
      options.abortSignal?.throwIfAborted();
      const call = await next(options.prompt);
      const { prompt = options.prompt, stop } = call;
      if (stop !== undefined) {
        call.refuse(stop.reason);
        return { stream: ReadableStream.from(noAnswer(model)) };
      }
      const sent = patched({ ...options, prompt }, model.provider, call.patch);
      call.offer((sent.tools ?? []).flatMap(({ name }) => name ?? []));
      const send = () => method.call(model, sent);
      return holding === 'unwatched' ? send() : decided(call, send, holding === 'passing');
    };
  };
  const { doGenerate, doStream }: { readonly doGenerate: Send; readonly doStream: Send } = Object(model);
  return standIn(model, { doGenerate: enter(doGenerate), doStream: enter(doStream) });
}

/** A stream in which a model says nothing, in the version of the protocol that the model has. */
function noAnswer({ specificationVersion: version }: Model): readonly AnswerPart[] {
  const reason = version === 'v2' ? 'stop' : { unified: 'stop', raw: 'stop' };
  const usage = version === 'v2' ? {} : { inputTokens: {}, outputTokens: {} };
  return [
    Object.assign({ type: 'stream-start' }, { warnings: [] }),
    { type: 'finish', finishReason: reason, usage },
  ];
}

/**
 * An answer, which Mastra gets as a stream in any case. It is read inside of that, because Mastra asks a model again that
 * fails before it streams.
 *
 * @param passes it streams through, and hooks decide when it is complete; if they refuse it, its tools do not run
 */
async function decided(
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
