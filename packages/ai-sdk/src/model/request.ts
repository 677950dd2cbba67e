import type { ModelSettings } from '@hooks/core';
import type { ModelRequest, Prepared } from '@hooks/core/adapter';
import { changedPrompt, instructionsOf, messagesOf, toolsOf, withTools } from '@hooks/language-model';
import type { ModelParams } from '../sdk.ts';

type Send = Extract<Prepared, { readonly kind: 'send' }>;

/** A request to a model, as hooks see it. */
export function requestOf(params: ModelParams): ModelRequest {
  const { prompt, tools = [], temperature, maxOutputTokens } = params;
  return {
    instructions: instructionsOf(prompt),
    messages: messagesOf(prompt),
    tools: toolsOf(tools),
    settings: {
      temperature,
      maxTokens: maxOutputTokens,
    },
    native: params,
  };
}

/** The request as hooks left it, with their context as another system message. */
export function changedParams(params: ModelParams, { patch, context }: Send): ModelParams {
  const { instructions, messages, tools, settings } = patch;
  if (context.length === 0 && Object.keys(patch).length === 0) return params;
  return {
    ...withTools(params, tools),
    prompt: changedPrompt(params.prompt, { instructions, messages, context }),
    ...(settings && nativeSettings(settings)),
  };
}

function nativeSettings({ temperature, maxTokens, reasoningEffort }: ModelSettings): Partial<ModelParams> {
  return {
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(reasoningEffort !== undefined && { reasoning: reasoningEffort === 'off' ? 'none' : reasoningEffort }),
  };
}
