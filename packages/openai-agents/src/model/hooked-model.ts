import { HooksError } from '@hooks/core';
import { type NamedModel, standIn } from '@hooks/core/adapter';
import type { Model, ModelProvider, ModelRequest } from '@openai/agents';
import { isChatCompletions, isOpenAI, modelNameOf, type SdkAgent } from '../internals.ts';
import { currentRun, type HookedRun } from '../run/hooked-run.ts';
import { answer, streamAnswer } from './call.ts';

const BEHIND = Symbol('hooks.behind');

/** The original behind a hooked model or provider, and the name under which the user requested it. */
interface Behind<T> {
  readonly inner: T;
  readonly name?: string | undefined;
}

function behind<T extends Model | ModelProvider>(one: T): Behind<T> | undefined {
  const object: object = one;
  return Reflect.get(object, BEHIND);
}

/** A model whose calls go through the hooks of the current run. Without a hooked run it is the model itself. */
export function hookModel(inner: Model, name?: string): Model {
  if (behind(inner) !== undefined) return inner;
  const own: Behind<Model> = { inner, name };
  return standIn(inner, {
    [BEHIND]: own,
    getResponse(request: ModelRequest) {
      const run = currentRun();
      if (run === undefined) return inner.getResponse(request);
      const chosen = chosenFor(run, own);
      return answer(run, named(chosen), request, (asked) =>
        chosen.inner.getResponse(carried(chosen, request, asked)),
      );
    },
    getStreamedResponse(request: ModelRequest) {
      const run = currentRun();
      if (run === undefined) return inner.getStreamedResponse(request);
      const chosen = chosenFor(run, own);
      return streamAnswer(run, named(chosen), request, (asked) =>
        chosen.inner.getStreamedResponse(carried(chosen, request, asked)),
      );
    },
  });
}

const unreachable = (): never => {
  throw new Error('The run was over before it began.');
};

/** The model of runs that hooks end before they begin. */
export const UNCALLED: Model = hookModel({ getResponse: unreachable, getStreamedResponse: unreachable });

/** The model that is asked: one that a hook chose for the run, or this one. */
function chosenFor({ chosenModel }: HookedRun, own: Behind<Model>): Behind<Model> {
  return chosenModel === undefined ? own : (behind(chosenModel) ?? { inner: chosenModel });
}

/**
 * The request as hooks left it.
 *
 * @throws HooksError `INVALID_DECISION` where a hook asks for a summary of the reasoning, and the model's API has no field for it
 */
function carried({ inner }: Behind<Model>, request: ModelRequest, asked: ModelRequest): ModelRequest {
  const summary = asked.modelSettings.reasoning?.summary;
  const isAsked = summary && summary !== request.modelSettings.reasoning?.summary;
  if (isAsked && isChatCompletions(inner))
    throw new HooksError(
      'INVALID_DECISION',
      'A hook set reasoningVisible, but the Chat Completions API cannot be asked to show the reasoning; use a model of the Responses API, or leave the setting out.',
    );
  return asked;
}

/** The part of a runner's configuration that says where its models come from. */
export interface ModelConfig {
  modelProvider: ModelProvider;
  model?: string | Model | undefined;
}

/** Hooks the models of a configuration, which may have been replaced since the last run. */
export function hookModels(config: ModelConfig): void {
  config.modelProvider = hookProvider(config.modelProvider);
  if (typeof config.model === 'object') config.model = hookModel(config.model);
}

function hookProvider(inner: ModelProvider): ModelProvider {
  if (behind(inner) !== undefined) return inner;
  return standIn(inner, {
    [BEHIND]: { inner },
    getModel(name?: string) {
      const model = inner.getModel(name);
      return 'then' in model ? model.then((found) => hookModel(found, name)) : hookModel(model, name);
    },
  });
}

/** The name and the provider of the model that a run of an agent begins with. */
export function firstModel(agent: SdkAgent, { model, modelProvider }: ModelConfig): NamedModel {
  const chosen = agent.model || model;
  if (typeof chosen === 'object') return named(behind(chosen) ?? { inner: chosen });
  return named({ inner: behind(modelProvider)?.inner ?? modelProvider, name: chosen });
}

/** The name and the provider of a model; the SDK's own models and providers are those of OpenAI. */
function named({ inner, name }: Behind<Model | ModelProvider>): NamedModel {
  const model = name || modelNameOf(inner);
  return { ...(model && { model }), ...(isOpenAI(inner) && { provider: 'openai' }) };
}
