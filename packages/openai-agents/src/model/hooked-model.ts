import type {
  Model,
  ModelProvider,
  ModelRequest,
  ModelResponse,
  ModelRetryAdvice,
  ModelRetryAdviceRequest,
  StreamEvent,
  Usage,
} from '@openai/agents';
import type { SdkAgent } from '../internals.ts';
import { currentScopes, type Scope } from '../run/scope.ts';
import { isUnheard, ModelCall } from './call.ts';
import { type NamedModel, namedModel } from './name.ts';
import { pass } from './request.ts';
import { streamThrough } from './stream.ts';

/** A model whose calls go through the hooks of the run that goes on; outside of hooked runs it is the model itself. */
export function hookModel(inner: Model, name?: string): Model {
  return inner instanceof HookedModel ? inner : new HookedModel(inner, name || undefined);
}

/** Where a runner has its models from. */
export interface ModelConfig {
  modelProvider: ModelProvider;
  model?: string | Model | undefined;
}

/** The providers that are hooked, with those that their users gave. */
const hookedProviders: WeakMap<ModelProvider, ModelProvider> = new WeakMap();

/** Has the models of a configuration hooked, which may have been given others since. */
export function hookModels(config: ModelConfig): void {
  if (!hookedProviders.has(config.modelProvider)) config.modelProvider = hookProvider(config.modelProvider);
  if (typeof config.model === 'object') config.model = hookModel(config.model);
}

/** A provider whose models are hooked. */
function hookProvider(inner: ModelProvider): ModelProvider {
  const hooked: ModelProvider = {
    getModel: (name) => {
      const model = inner.getModel(name);
      return 'then' in model ? model.then((found) => hookModel(found, name)) : hookModel(model, name);
    },
  };
  hookedProviders.set(hooked, inner);
  return hooked;
}

/** The name and the provider of the model that a run of an agent begins with. */
export function firstModel(agent: SdkAgent, { model, modelProvider }: ModelConfig): NamedModel {
  const chosen = agent.model || model;
  if (chosen instanceof HookedModel) return chosen.named;
  if (typeof chosen === 'object') return namedModel(undefined, chosen);
  return namedModel(chosen, hookedProviders.get(modelProvider) ?? modelProvider);
}

/** How the next one in line answers. */
type Answer = (request: ModelRequest) => Promise<ModelResponse>;

/** How the next one in line answers in pieces. */
export type AnswerStream = (request: ModelRequest) => AsyncIterable<StreamEvent>;

class HookedModel implements Model {
  readonly #inner: Model;
  readonly #name: string | undefined;

  constructor(inner: Model, name: string | undefined) {
    this.#inner = inner;
    this.#name = name;
  }

  get named(): NamedModel {
    return namedModel(this.#name, this.#inner);
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
    return this.#answer(request, currentScopes());
  }

  getStreamedResponse(request: ModelRequest): AsyncIterable<StreamEvent> {
    return this.#stream(request, currentScopes());
  }

  /** Asks the hooks of the scopes, outermost first, then the model. */
  #answer(request: ModelRequest, scopes: readonly Scope[], left = scopes.length): Promise<ModelResponse> {
    const scope = scopes[left - 1];
    if (scope === undefined) return this.#chosen(scopes).getResponse(request);
    if (isUnheard(scope)) return this.#answer(pass(scope, request), scopes, left - 1);
    return respond(new ModelCall(scope, this.#asked(scopes)), request, (asked) =>
      this.#answer(asked, scopes, left - 1),
    );
  }

  #stream(request: ModelRequest, scopes: readonly Scope[], left = scopes.length): AsyncIterable<StreamEvent> {
    const scope = scopes[left - 1];
    if (scope === undefined) return this.#chosen(scopes).getStreamedResponse(request);
    if (isUnheard(scope)) return this.#stream(pass(scope, request), scopes, left - 1);
    return streamThrough(new ModelCall(scope, this.#asked(scopes)), request, (asked) =>
      this.#stream(asked, scopes, left - 1),
    );
  }

  /** The model that is asked, as events tell it. */
  #asked(scopes: readonly Scope[]): NamedModel {
    const model = scopes.findLast((scope) => scope.model !== undefined)?.model;
    if (model === undefined) return this.named;
    return model instanceof HookedModel ? model.named : namedModel(undefined, model);
  }

  #chosen(scopes: readonly Scope[]): Model {
    const chosen = scopes.findLast(({ model }) => model !== undefined)?.model;
    if (chosen === undefined) return this.#inner;
    return chosen instanceof HookedModel ? chosen.#inner : chosen;
  }
}

async function respond(call: ModelCall, request: ModelRequest, next: Answer): Promise<ModelResponse> {
  const begun = await call.begin(request);
  if (begun.kind === 'blocked') return { usage: noUsage(), output: begun.output };
  for (;;) {
    const response = await next(begun.request);
    const ended = await call.end(response, request.signal);
    if (ended.kind === 'again') continue;
    if (ended.output === undefined) return response;
    // What the provider sent holds the answer that the new one replaces.
    const { providerData: _replaced, ...rest } = response;
    return { ...rest, output: ended.output };
  }
}

function noUsage(): Usage {
  return {
    requests: 0,
    inputTokens: 0,
    outputTokens: 0,
    totalTokens: 0,
    inputTokensDetails: [],
    outputTokensDetails: [],
    requestUsageEntries: undefined,
    add: () => {},
  };
}
