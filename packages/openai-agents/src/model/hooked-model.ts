import type { NamedModel } from '@hooks/core/adapter';
import type {
  Model,
  ModelProvider,
  ModelRequest,
  ModelResponse,
  ModelRetryAdvice,
  ModelRetryAdviceRequest,
  StreamEvent,
} from '@openai/agents';
import { isOpenAI, type SdkAgent } from '../internals.ts';
import { currentRun, type HookedRun } from '../run/hooked-run.ts';
import { answer, streamAnswer } from './call.ts';

/** A model whose calls go through the hooks of the run that goes on; outside of hooked runs it is the model itself. */
export function hookModel(inner: Model, name?: string): Model {
  return inner instanceof HookedModel ? inner : new HookedModel(inner, name || undefined);
}

/** Where a runner has its models from. */
export interface ModelConfig {
  modelProvider: ModelProvider;
  model?: string | Model | undefined;
}

/** Has the models of a configuration hooked, which may have been given others since. */
export function hookModels(config: ModelConfig): void {
  if (!(config.modelProvider instanceof HookedProvider))
    config.modelProvider = new HookedProvider(config.modelProvider);
  if (typeof config.model === 'object') config.model = hookModel(config.model);
}

/** The name and the provider of the model that a run of an agent begins with. */
export function firstModel(agent: SdkAgent, { model, modelProvider }: ModelConfig): NamedModel {
  const chosen = agent.model || model;
  if (chosen instanceof HookedModel) return chosen.named;
  if (typeof chosen === 'object') return named(undefined, chosen);
  return named(chosen, modelProvider instanceof HookedProvider ? modelProvider.inner : modelProvider);
}

/** The name and the provider of a model; the SDK's own models and providers are those of OpenAI. */
function named(model: string | undefined, from: Model | ModelProvider): NamedModel {
  return { ...(model && { model }), ...(isOpenAI(from) && { provider: 'openai' }) };
}

/** A provider whose models are hooked. */
class HookedProvider implements ModelProvider {
  readonly inner: ModelProvider;

  constructor(inner: ModelProvider) {
    this.inner = inner;
  }

  getModel(name?: string): Model | Promise<Model> {
    const model = this.inner.getModel(name);
    return 'then' in model ? model.then((found) => hookModel(found, name)) : hookModel(model, name);
  }
}

class HookedModel implements Model {
  readonly #inner: Model;
  readonly #name: string | undefined;

  constructor(inner: Model, name: string | undefined) {
    this.#inner = inner;
    this.#name = name;
  }

  get named(): NamedModel {
    return named(this.#name, this.#inner);
  }

  get supportsPromptModelSelection(): boolean {
    return this.#inner.supportsPromptModelSelection ?? false;
  }

  getRetryAdvice(
    args: ModelRetryAdviceRequest,
  ): Promise<ModelRetryAdvice | undefined> | ModelRetryAdvice | undefined {
    return this.#inner.getRetryAdvice?.(args);
  }

  getResponse(request: ModelRequest): Promise<ModelResponse> {
    const run = currentRun();
    if (run === undefined) return this.#inner.getResponse(request);
    const { named: about, model } = this.#chosenBy(run);
    return answer(run, about, request, (asked) => model.getResponse(asked));
  }

  getStreamedResponse(request: ModelRequest): AsyncIterable<StreamEvent> {
    const run = currentRun();
    if (run === undefined) return this.#inner.getStreamedResponse(request);
    const { named: about, model } = this.#chosenBy(run);
    return streamAnswer(run, about, request, (asked) => model.getStreamedResponse(asked));
  }

  /** The model that is asked, and how events name it: one that a hook chose for the run, or this one. */
  #chosenBy({ chosenModel = this }: HookedRun): { readonly named: NamedModel; readonly model: Model } {
    return chosenModel instanceof HookedModel
      ? { named: chosenModel.named, model: chosenModel.#inner }
      : { named: named(undefined, chosenModel), model: chosenModel };
  }
}
