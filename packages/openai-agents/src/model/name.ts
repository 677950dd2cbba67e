import type { Model, ModelProvider } from '@openai/agents';

/** A model's name and its provider, as far as the SDK tells. */
export interface NamedModel {
  readonly model?: string;
  readonly provider?: string;
}

/** The name and the provider of a model; the SDK's own models and providers are those of OpenAI. */
export function namedModel(model: string | undefined, from: Model | ModelProvider): NamedModel {
  const isOpenAI = /^(OpenAI|LazyDefault)/.test(from.constructor.name);
  return { ...(model && { model }), ...(isOpenAI && { provider: 'openai' }) };
}
