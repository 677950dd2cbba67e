import type { ModelSettings, ModelTool } from '@hooks/core';
import type { AnswerPart } from '@hooks/language-model';
import type { ProcessInputStepArgs, ProcessLLMRequestArgs } from '@mastra/core/processors';

export type Prompt = ProcessLLMRequestArgs['prompt'];

/** A part of a model's stream. */
export type StreamPart = AnswerPart;

/** A tool as hooks see it. */
export function toolOf(name: string, native: unknown): ModelTool {
  const { description }: { readonly description?: unknown } = Object(native);
  return { name, native, ...(typeof description === 'string' && { description }) };
}

/** Mastra's settings of a model call in our form. */
export function settingsOf(settings: ProcessInputStepArgs['modelSettings']): ModelSettings {
  const { temperature, maxOutputTokens } = settings ?? {};
  return {
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { maxTokens: maxOutputTokens }),
  };
}
