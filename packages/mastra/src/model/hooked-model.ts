import { AfterModelCall, type Hooks, type ModelSettings } from '@hooks/core';
import { maxAttempts } from '@hooks/core/adapter';
import type { ProcessInputStepArgs } from '@mastra/core/processors';
import type { AgentRun } from '../run/agent-run.ts';
import { turnEvent } from '../run/turn.ts';
import type { CallPatch } from './request.ts';
import { partsOf, responseOf, type StreamPart } from './translate.ts';

type Model = ProcessInputStepArgs['model'];

interface CallOptions {
  readonly tools?: readonly { readonly name?: string }[];
  readonly providerOptions?: { readonly [provider: string]: object };
}

interface CallResult {
  readonly stream: ReadableStream<StreamPart>;
  readonly response?: object;
}

type Call = (options: CallOptions) => PromiseLike<CallResult>;

/** How the answers of a model reach the run. */
export type Holding = 'held' | 'passing' | 'unwatched';

/**
 * The model of one call: applies what hooks changed in it, and holds its answer back until hooks have decided on it.
 */
export function hookedModel(
  hooks: Hooks,
  run: AgentRun,
  model: Model,
  holding: Holding,
  patch: () => CallPatch,
): Model {
  return new Proxy(model, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function') return value;
      const method: Call = value.bind(target);
      if (property !== 'doStream' && property !== 'doGenerate') return method;
      return (options: CallOptions) => {
        const call = () => method(patched(options, model.provider, patch()));
        if (holding === 'unwatched') return call();
        return holding === 'held' ? held(hooks, run, model, call) : passing(hooks, run, model, call);
      };
    },
  });
}

async function held(
  hooks: Hooks,
  run: AgentRun,
  model: Model,
  call: () => PromiseLike<CallResult>,
): Promise<CallResult> {
  const limit = maxAttempts(hooks);
  for (let attempt = 1; ; attempt++) {
    const result = await call();
    const parts = await read(result.stream);
    const decision = await hooks.dispatch(AfterModelCall, afterEvent(run, model, parts, attempt), {
      signal: run.signal,
      last: attempt >= limit,
    });
    switch (decision.kind) {
      case 'proceed':
        return { ...result, stream: streamOf(parts) };
      case 'block':
        run.signal?.throwIfAborted();
        run.refused = decision.reason;
        return withheld(result, partsOf({ text: '', toolCalls: [] }, parts));
      case 'modify':
        return withheld(result, partsOf(decision.patch.response ?? responseOf(parts), parts));
      case 'retry':
        if (decision.delayMs !== undefined) await wait(decision.delayMs, run.signal);
        break;
      default:
        decision satisfies never;
    }
  }
}

/** The answer streams by as it comes; hooks are told when it is over, and what they then refuse runs no tools. */
async function passing(
  hooks: Hooks,
  run: AgentRun,
  model: Model,
  call: () => PromiseLike<CallResult>,
): Promise<CallResult> {
  const result = await call();
  const parts: StreamPart[] = [];
  const watch = new TransformStream<StreamPart, StreamPart>({
    async transform(part, controller) {
      parts.push(part);
      if (part.type === 'finish') {
        const decision = await hooks.dispatch(AfterModelCall, afterEvent(run, model, parts, 1), {
          signal: run.signal,
          refuse: ({ kind }) =>
            kind === 'modify' || kind === 'retry'
              ? 'the answer was streamed already (holdStream is false)'
              : undefined,
        });
        if (decision.kind === 'block' && !run.signal?.aborted) run.refused = decision.reason;
      }
      controller.enqueue(part);
    },
  });
  return { ...result, stream: result.stream.pipeThrough(watch) };
}

function afterEvent(run: AgentRun, model: Model, parts: readonly StreamPart[], attempt: number) {
  const { lastUserMessage } = run;
  return {
    ...turnEvent(run),
    provider: model.provider,
    model: model.modelId,
    response: responseOf(parts),
    attempt,
    ...(lastUserMessage !== undefined && { lastUserMessage }),
  };
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

async function read(stream: ReadableStream<StreamPart>): Promise<readonly StreamPart[]> {
  const parts: StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

function streamOf(parts: readonly StreamPart[]): ReadableStream<StreamPart> {
  return ReadableStream.from(parts);
}

/** The provider's own body of the answer would tell what the parts do not. */
function withheld(result: CallResult, parts: readonly StreamPart[]): CallResult {
  const { response, ...rest } = result;
  const { body: _body, ...shown }: { readonly body?: unknown } = response ?? {};
  return { ...rest, ...(response && { response: shown }), stream: streamOf(parts) };
}

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
