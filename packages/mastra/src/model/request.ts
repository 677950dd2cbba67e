import type { ModelSettings, ModelTool } from '@hooks/core';
import type { ModelCall, Prepared } from '@hooks/core/adapter';
import { changedPrompt, instructionsOf, messagesOf } from '@hooks/language-model';
import type { ProcessInputStepArgs, ProcessLLMRequestArgs } from '@mastra/core/processors';
import type { NativeModelCall } from '../native.ts';

type Prompt = ProcessLLMRequestArgs['prompt'];

/** The changes to a model call that processors cannot make. */
export interface CallPatch {
  readonly tools?: readonly ModelTool[];
  readonly settings?: ModelSettings;
}

/** The settings of the program for one model call. */
export type StepSetup = Pick<
  ProcessInputStepArgs,
  'activeTools' | 'modelSettings' | 'providerOptions' | 'tools'
>;

/** Fires `BeforeModelCall` for the next model call. */
export async function prepareRequest(
  call: ModelCall,
  step: StepSetup,
  { prompt }: ProcessLLMRequestArgs,
): Promise<Prepared> {
  return call.prepare(() => ({
    instructions: instructionsOf(prompt),
    messages: messagesOf(prompt),
    tools: toolsOf(step),
    settings: {
      temperature: step.modelSettings?.temperature,
      maxTokens: step.modelSettings?.maxOutputTokens,
    },
    native: {
      prompt,
      ...(step.providerOptions && { providerOptions: step.providerOptions }),
    } satisfies NativeModelCall,
  }));
}

function toolsOf({ activeTools, tools = {} }: StepSetup): readonly ModelTool[] {
  return Object.entries(tools)
    .filter(([name]) => activeTools?.includes(name) ?? true)
    .map(([name, native]) => {
      const { description }: { readonly description?: unknown } = Object(native);
      return { name, native, description: typeof description === 'string' ? description : undefined };
    });
}

/** The prompt as hooks left it, with their context, and the changes that processors cannot make. */
export function patchedRequest(
  prompt: Prompt,
  { patch: { instructions, messages, tools, settings } }: Extract<Prepared, { readonly kind: 'send' }>,
  context: readonly string[],
): { readonly prompt: Prompt; readonly patch: CallPatch } {
  return {
    prompt: changedPrompt(prompt, { instructions, messages, context }),
    patch: { ...(tools && { tools }), ...(settings && { settings }) },
  };
}
