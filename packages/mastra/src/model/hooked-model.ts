import type { HookDecision, ModelSettings } from '@hooks/core';
import { type ModelCall, refusedSetting } from '@hooks/core/adapter';
import {
  type AnswerPart,
  addUsage,
  changedParts,
  changedTools,
  decidedStream,
  responseOf,
  withheldParts,
  withoutLostChoice,
} from '@hooks/language-model';
import type { ProcessInputStepArgs } from '@mastra/core/processors';
import type { CallPatch } from './request.ts';

type Model = ProcessInputStepArgs['model'];

interface CallOptions {
  readonly abortSignal?: AbortSignal;
  readonly tools?: readonly { readonly name?: string }[];
  readonly providerOptions?: { readonly [provider: string]: object };
}

interface CallResult {
  readonly stream: ReadableStream<AnswerPart>;
  readonly response?: object;
}

type Send = (options: CallOptions) => PromiseLike<CallResult>;

/** How the answers of a model reach the run. */
export type Holding = 'held' | 'passing' | 'unwatched';

/** The next model call, with the decisions about its request. */
export interface NextCall {
  readonly patch: CallPatch;
  readonly call: ModelCall;
  /** The model is offered these tools. */
  readonly offer: (tools: readonly string[]) => void;
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
        const send = () => {
          const { patch, offer } = next();
          const sent = patched(options, model.provider, patch);
          offer((sent.tools ?? []).flatMap(({ name }) => name ?? []));
          return method(sent);
        };
        if (holding === 'unwatched') return send();
        return property === 'doGenerate' && holding === 'held'
          ? generated(next(), send)
          : streamed(next(), send, holding === 'passing');
      };
    },
  });
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
  const all = [...result.retried, result.answer];
  const { parts: last, ...rest } = result.answer;
  const usage = addUsage(all.map(({ parts }) => parts.find(({ type }) => type === 'finish')?.usage));
  const parts = last.map((part) => (part.type === 'finish' ? { ...part, usage } : part));
  const left = result.kind === 'replaced' ? changedParts(parts, result.response, 'stream') : parts;
  if (result.kind === 'blocked') next.refuse(result.stop.reason);
  const shown = result.kind === 'blocked' ? withheldParts(parts) : left;
  const answer = { ...rest, stream: ReadableStream.from(shown) };
  return result.kind === 'stands' ? answer : withoutBody(answer);
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

function patched(options: CallOptions, provider: string, { tools: left, settings }: CallPatch): CallOptions {
  const { tools, providerOptions } = options;
  const offered = tools && left && changedTools(tools, left);
  return {
    ...(offered ? withoutLostChoice(options, offered) : options),
    ...(offered && { tools: offered }),
    ...(settings && nativeSettings(settings, provider, providerOptions)),
  };
}

/** Why a decision cannot be honored: Mastra has no setting that shows the reasoning, only options of each provider. */
export function lostSetting(decision: HookDecision): string | undefined {
  return refusedSetting(decision, ['temperature', 'maxTokens', 'reasoningEffort']);
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
function withoutBody(result: CallResult): CallResult {
  const { response, ...rest } = result;
  const { body: _body, ...shown }: { readonly body?: unknown } = response ?? {};
  return { ...rest, ...(response && { response: shown }) };
}
