import type { ModelSettings } from '@hooks/core';
import type { ModelCall } from '@hooks/core/adapter';
import type { ProcessInputStepArgs } from '@mastra/core/processors';
import type { CallPatch } from './request.ts';
import { partsOf, responseOf, type StreamPart } from './translate.ts';

type Model = ProcessInputStepArgs['model'];

interface CallOptions {
  readonly abortSignal?: AbortSignal;
  readonly tools?: readonly { readonly name?: string }[];
  readonly providerOptions?: { readonly [provider: string]: object };
}

interface CallResult {
  readonly stream: ReadableStream<StreamPart>;
  readonly response?: object;
}

type Send = (options: CallOptions) => PromiseLike<CallResult>;

/** How the answers of a model reach the run. */
export type Holding = 'held' | 'passing' | 'unwatched';

/** The next model call, with the decisions about its request. */
export interface NextCall {
  readonly patch: CallPatch;
  readonly call: ModelCall;
  /** The answer is refused: its tools do not run. */
  readonly refuse: (reason: string) => void;
}

/** The model of one call. Applies the changes of hooks, and holds its answer back until hooks have decided. */
export function hookedModel(model: Model, holding: Holding, next: () => NextCall): Model {
  return new Proxy(model, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function') return value;
      const method: Send = value.bind(target);
      if (property !== 'doStream' && property !== 'doGenerate') return method;
      return async (options: CallOptions) => {
        // Hooks have not decided on the request of a run that was aborted before; a provider would not send it, either.
        options.abortSignal?.throwIfAborted();
        const send = () => method(patched(options, model.provider, next().patch));
        if (holding === 'unwatched') return send();
        return holding === 'held' ? held(next(), send) : passing(next(), send);
      };
    },
  });
}

async function held({ call, refuse }: NextCall, send: () => PromiseLike<CallResult>): Promise<CallResult> {
  for (;;) {
    const result = await send();
    const parts: StreamPart[] = [];
    try {
      for await (const part of result.stream) parts.push(part);
    } catch (cause) {
      // Mastra repeats a call that fails, but not one whose answer has begun: that is paid for already.
      return { ...result, stream: new ReadableStream({ start: (controller) => controller.error(cause) }) };
    }
    const judged = await call.judge(responseOf(parts));
    switch (judged.kind) {
      case 'stands':
        return { ...result, stream: ReadableStream.from(parts) };
      case 'blocked':
        refuse(judged.stop.reason);
        return withheld(result, partsOf({ text: '', toolCalls: [] }, parts));
      case 'replaced':
        return withheld(result, partsOf(judged.response, parts));
      case 'retry':
    }
  }
}

/** The answer streams through. Hooks decide when it is complete; if they refuse it, its tools do not run. */
async function passing({ call, refuse }: NextCall, send: () => PromiseLike<CallResult>): Promise<CallResult> {
  const result = await send();
  const parts: StreamPart[] = [];
  const watch = new TransformStream<StreamPart, StreamPart>({
    async transform(part, controller) {
      parts.push(part);
      if (part.type === 'finish') {
        const judged = await call.judge(responseOf(parts), { passed: true });
        if (judged.kind === 'blocked') refuse(judged.stop.reason);
      }
      controller.enqueue(part);
    },
  });
  return { ...result, stream: result.stream.pipeThrough(watch) };
}

function patched(options: CallOptions, provider: string, { toolNames, settings }: CallPatch): CallOptions {
  const { tools, providerOptions } = options;
  return {
    ...options,
    ...(tools && toolNames && { tools: tools.filter(({ name = '' }) => toolNames.includes(name)) }),
    ...(settings && nativeSettings(settings, provider, providerOptions)),
  };
}

function nativeSettings(
  { temperature, maxTokens, reasoningEffort }: ModelSettings,
  provider: string,
  providerOptions: CallOptions['providerOptions'],
): object {
  const name = provider.split('.')[0] ?? provider;
  return {
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(reasoningEffort !== undefined && {
      providerOptions: {
        ...providerOptions,
        [name]: {
          ...providerOptions?.[name],
          reasoningEffort: reasoningEffort === 'off' ? 'none' : reasoningEffort,
        },
      },
    }),
  };
}

/** The provider's raw body would reveal what the parts no longer contain. */
function withheld(result: CallResult, parts: readonly StreamPart[]): CallResult {
  const { response, ...rest } = result;
  const { body: _body, ...shown }: { readonly body?: unknown } = response ?? {};
  return { ...rest, ...(response && { response: shown }), stream: ReadableStream.from(parts) };
}
