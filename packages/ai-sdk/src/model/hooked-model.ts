import { AfterModelCall } from '@hooks/core';
import {
  addUsage,
  BlockedError,
  isBlockedError,
  type ModelCall,
  type Prepared,
  type RunEnd,
} from '@hooks/core/adapter';
import { decidedStream, lostSetting, responseOf, withModelId } from '@hooks/language-model';
import { gateway, type LanguageModel, wrapLanguageModel } from 'ai';
import type { HookedRun } from '../run/hooked-run.ts';
import type { GenerateResult, ModelParams, ProviderModel, StreamPart, StreamResult } from '../sdk.ts';
import { changedResult, refusedChunks, refusedResult, responseIn } from './answer.ts';
import { changedParams, requestOf } from './request.ts';

/** Where model calls find their run: the current one, or a new one for each. */
export type Enter = <T>(
  params: ModelParams,
  act: (run: HookedRun, over: (end: RunEnd) => Promise<void>) => Promise<T>,
) => Promise<T>;

/** Hooks the calls of a model. */
export function wrapModel(model: LanguageModel, enter: Enter): Exclude<LanguageModel, string> {
  return wrapLanguageModel({
    model: typeof model === 'string' ? resolved(model) : model,
    middleware: {
      specificationVersion: 'v4',
      wrapGenerate: ({ model: inner, params }) =>
        enter(params, async (run, over) => {
          const result = await generate(run, inner, params);
          await over({ kind: 'done' });
          return result;
        }),
      wrapStream: ({ model: inner, params }) =>
        enter(params, (run, over) => stream(run, inner, params, over)),
    },
  });
}

/** A model by its name, as the SDK resolves it. */
export function resolved(name: string): Exclude<LanguageModel, string> {
  return (globalThis.AI_SDK_DEFAULT_PROVIDER ?? gateway).languageModel(name);
}

/**
 * The model that a hook selects instead of the configured one: from the default provider if that one is given by name,
 * otherwise from the same provider. Undefined if the configured model is not a plain object of a provider's class.
 */
export function otherModel(bare: LanguageModel, id: string): LanguageModel | undefined {
  if (typeof bare === 'string') return id;
  return withModelId(bare, id);
}

/** The name and the provider of a model, for events. */
export function namedModel(model: LanguageModel): { readonly model: string; readonly provider?: string } {
  if (typeof model === 'string') return { model };
  return { model: model.modelId, provider: model.provider };
}

/** The request to a model, as hooks left it. The SDK repeats a failed request, and hooks decide on it again. */
function prepare(run: HookedRun, call: ModelCall, params: ModelParams): Prepared | Promise<Prepared> {
  if (run.stop !== undefined) return { kind: 'blocked', stop: run.stop };
  return call.prepare(() => requestOf(params));
}

/** The parameters as hooks left them. */
function changed(
  run: HookedRun,
  params: ModelParams,
  prepared: Extract<Prepared, { readonly kind: 'send' }>,
): ModelParams {
  const sent = changedParams(params, prepared);
  run.offer((sent.tools ?? []).map(({ name }) => name));
  if (sent.toolChoice === undefined) demandNothing(params);
  return sent;
}

/** The reason in the place of an answer. */
function refused(run: HookedRun, reason: string, params: ModelParams): string {
  run.hookedBy.throwRejection(run);
  // A reason is not structured output.
  if (params.responseFormat?.type === 'json') throw new BlockedError({ reason, stop: true });
  demandNothing(params);
  return reason;
}

function openCall(run: HookedRun, model: ProviderModel, { abortSignal }: ModelParams): ModelCall {
  return run.modelCall(namedModel(model), {
    signal: abortSignal,
    refuse: (decision, about) => (about === 'request' ? lostSetting(decision) : undefined),
  });
}

async function generate(run: HookedRun, model: ProviderModel, params: ModelParams): Promise<GenerateResult> {
  const call = openCall(run, model, params);
  const prepared = await prepare(run, call, params);
  if (prepared.kind === 'blocked') return refusedResult(refused(run, prepared.stop.reason, params));
  const judged = await call.answer(() => model.doGenerate(changed(run, params, prepared)), responseIn);
  const all = [...judged.retried, judged.answer];
  const answer = { ...judged.answer, usage: addUsage(all.map(({ usage }) => usage)) };
  if (judged.kind === 'blocked') return refusedResult(refused(run, judged.stop.reason, params), answer.usage);
  const result = judged.kind === 'replaced' ? changedResult(answer, judged.response) : answer;
  if (callsIn(result.content) < callsIn(answer.content)) demandNothing(params);
  for (const part of result.content) run.note(part);
  return result;
}

async function stream(
  run: HookedRun,
  model: ProviderModel,
  params: ModelParams,
  over: (end: RunEnd) => Promise<void>,
): Promise<StreamResult> {
  const call = openCall(run, model, params);
  const prepared = await prepare(run, call, params);
  if (prepared.kind === 'blocked') {
    const chunks = refusedChunks(refused(run, prepared.stop.reason, params));
    await over({ kind: 'done' });
    return { stream: ReadableStream.from(chunks) };
  }
  const sent = changed(run, params, prepared);
  // The SDK retries what fails before it streams.
  const first = await model.doStream(sent);
  const isAsked = run.hears(AfterModelCall) || run.asksPeople;
  const stream = isAsked
    ? ReadableStream.from(judged(run, call, model, sent, first, over))
    : unasked(run, first.stream, over);
  return { ...first, stream };
}

/**
 * The chunks of an answer that no hook is asked about. Passes each one on at once: the SDK works on while they are read, and would
 * otherwise call the program's callbacks at other times.
 */
function unasked(
  run: HookedRun,
  chunks: StreamResult['stream'],
  over: (end: RunEnd) => Promise<void>,
): ReadableStream<StreamPart> {
  const reader = chunks.getReader();
  let failed: Extract<StreamPart, { readonly type: 'error' }> | undefined;
  return new ReadableStream<StreamPart>({
    pull: (controller) =>
      reader.read().then(
        ({ done, value }) => {
          if (done) return over({ kind: 'done' }).then(() => controller.close());
          if (value.type === 'error') failed ??= value;
          run.note(value);
          return controller.enqueue(value);
        },
        async (error: unknown) => {
          await over({ kind: 'error', error });
          throw error;
        },
      ),
    cancel: async (reason) => {
      // Whoever reads has left, or the SDK asks again after an error in the stream.
      await over(failed ? { kind: 'error', error: failed.error } : { kind: 'canceled' });
      await reader.cancel(reason);
    },
  });
}

/** The chunks of an answer that hooks are asked about. */
async function* judged(
  run: HookedRun,
  call: ModelCall,
  model: ProviderModel,
  params: ModelParams,
  first: StreamResult,
  over: (end: RunEnd) => Promise<void>,
): AsyncGenerator<StreamPart> {
  let settled = false;
  let failed: Extract<StreamPart, { readonly type: 'error' }> | undefined;
  const calls: StreamPart[] = [];
  let [made, left] = [0, 0];
  const chunks = decidedStream<StreamPart>(call, {
    first: first.stream,
    again: () => model.doStream(params),
    passes: run.passes,
    read(all) {
      made = callsIn(all);
      return responseOf(all);
    },
    refuse: ({ reason }, all) => refusedChunks(refused(run, reason, params), all),
  });
  try {
    for await (const chunk of chunks) {
      if (chunk.type === 'error') failed ??= chunk;
      run.note(chunk);
      if (chunk.type === 'tool-call') left += 1;
      if (chunk.type === 'finish' && left < made) demandNothing(params);
      // Where calls may wait for a person, all of an answer are decided together.
      if (run.asksPeople && (chunk.type === 'tool-call' || calls.length > 0) && chunk.type !== 'finish')
        calls.push(chunk);
      else {
        yield* calls.splice(0);
        yield chunk;
      }
    }
    yield* calls.splice(0);
    settled = true;
    await over({ kind: 'done' });
  } catch (error) {
    settled = true;
    await over({ kind: 'error', error });
    // A stream that breaks breaks for its reader, too. A Block in the place of structured output is no answer.
    if (!isBlockedError(error)) throw error;
    yield { type: 'error', error };
  } finally {
    // Whoever reads has left, or the SDK asks again after an error in the stream.
    if (!settled) await over(failed ? { kind: 'error', error: failed.error } : { kind: 'canceled' });
  }
}

function callsIn(parts: readonly { readonly type: string }[]): number {
  return parts.filter(({ type }) => type === 'tool-call').length;
}

/*
 * The SDK rejects an answer without the call that `toolChoice` demands, also where hooks took the tool away or wrote the answer. It
 * checks the object that it gives the model with the request, and makes a new one for each step.
 */

type Choice = NonNullable<ModelParams['toolChoice']>;

const ofSteps = new WeakSet<Choice>();

/** Notes that the SDK made these parameters. Others may share their objects, which must not change. */
export function noteStep({ toolChoice }: ModelParams): void {
  if (toolChoice !== undefined) ofSteps.add(toolChoice);
}

/** Makes the SDK accept an answer without a call. */
function demandNothing({ toolChoice }: ModelParams): void {
  if (toolChoice !== undefined && ofSteps.has(toolChoice)) toolChoice.type = 'auto';
}
