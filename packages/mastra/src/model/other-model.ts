import { withModelId } from '@hooks/language-model';
import type { ProcessInputStepResult } from '@mastra/core/processors';
import type { AnyAgent, RunOptions } from '../agent.ts';

/** A model of one call, in any form that Mastra takes. */
export type CallModel = NonNullable<ProcessInputStepResult['model']>;

/** The model that an agent is configured with, as the user gave it; the first of several. */
export async function configuredModel(
  agent: AnyAgent,
  requestContext: RunOptions['requestContext'],
): Promise<unknown> {
  const resolve = async (model: unknown): Promise<unknown> => {
    if (typeof model === 'function')
      return resolve(await model({ requestContext, mastra: agent.getMastraInstance() }));
    if (!Array.isArray(model)) return model;
    const fallbacks: readonly { readonly model?: unknown; readonly enabled?: boolean }[] = model;
    return resolve(fallbacks.find(({ enabled }) => enabled !== false)?.model);
  };
  return resolve(agent.__getOverridableFields().model);
}

/**
 * The model that a hook selects instead of the configured one. An id with a slash belongs to Mastra's model router,
 * any other to the same provider. Undefined if the configured model is an object that does not name its provider.
 */
export function otherModel(configured: unknown, id: string): CallModel | undefined {
  const { provider }: NamedModel = isModel(configured) ? {} : namedModel(configured);
  if (provider === undefined) {
    if (isRouterId(id)) return id;
    return isModel(configured) ? withModelId(configured, id) : undefined;
  }
  const named: RouterId = isRouterId(id) ? id : `${provider}/${id}`;
  // Address and key belong to the provider, not to the model.
  if (typeof configured === 'string' || providerOf(named) !== provider) return named;
  const { id: _id, providerId: _provider, modelId: _model, ...endpoint }: ModelName = Object(configured);
  return { ...endpoint, id: named };
}

type RouterId = `${string}/${string}`;

interface ModelName {
  readonly id?: string;
  readonly providerId?: string;
  readonly modelId?: string;
}

/** A model's name and its provider, as far as it tells. */
export interface NamedModel {
  readonly model?: string;
  readonly provider?: string;
}

/** The name and the provider of a configured model, as its calls will tell them. */
export function namedModel(configured: unknown): NamedModel {
  const known: ModelName & { readonly provider?: string } =
    typeof configured === 'string' ? { id: configured } : Object(configured);
  const { id, providerId = id && providerOf(id), provider = providerId } = known;
  const model = known.modelId ?? id?.slice(id.lastIndexOf('/') + 1);
  return { ...(model !== undefined && { model }), ...(provider && { provider }) };
}

/** What stands before the model's own name, as in `openrouter/anthropic` of `openrouter/anthropic/claude`. */
function providerOf(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf('/')));
}

function isRouterId(id: string): id is RouterId {
  return id.includes('/');
}

type Model = Extract<CallModel, { readonly specificationVersion: 'v2' | 'v3' | 'v4' }>;

/** A model as the AI SDK's providers make it, rather than a description of one. */
function isModel(configured: unknown): configured is Model {
  return typeof configured === 'object' && configured !== null && 'doStream' in configured;
}
