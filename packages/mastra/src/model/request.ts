import type { ModelSettings, ModelTool } from '@hooks/core';
import type { ModelCall, Prepared } from '@hooks/core/adapter';
import type { ProcessInputStepArgs, ProcessLLMRequestArgs } from '@mastra/core/processors';
import type { NativeModelCall } from '../native.ts';
import { messagesOf, type Prompt, promptOf, settingsOf, toolOf, withSystemText } from './translate.ts';

/** The changes to a model call that processors cannot make. */
export interface CallPatch {
  readonly toolNames?: readonly string[];
  readonly settings?: ModelSettings;
}

/** The settings of the program for one model call. */
export type StepSetup = Pick<ProcessInputStepArgs, 'activeTools' | 'modelSettings' | 'tools'>;

/** Fires `BeforeModelCall` for the next model call. */
export async function prepareRequest(
  call: ModelCall,
  step: StepSetup,
  { prompt }: ProcessLLMRequestArgs,
): Promise<Prepared> {
  return call.prepare(() => ({
    instructions: prompt.flatMap(({ role, content }) => (role === 'system' ? [content] : [])).join('\n\n'),
    messages: messagesOf(prompt),
    tools: toolsOf(step),
    settings: settingsOf(step.modelSettings),
    native: { prompt } satisfies NativeModelCall,
  }));
}

function toolsOf({ activeTools, tools = {} }: StepSetup): readonly ModelTool[] {
  return Object.entries(tools)
    .filter(([name]) => activeTools?.includes(name) ?? true)
    .map(([name, tool]) => toolOf(name, tool));
}

/** The prompt as hooks left it, and the changes that processors cannot make. */
export function patchedRequest(
  prompt: Prompt,
  { patch }: Extract<Prepared, { readonly kind: 'send' }>,
): { readonly prompt: Prompt; readonly patch: CallPatch } {
  const { instructions, messages, tools, settings } = patch;
  const system =
    instructions === undefined
      ? prompt.filter(({ role }) => role === 'system')
      : withSystemText([], instructions);
  const rest =
    messages === undefined ? prompt.filter(({ role }) => role !== 'system') : messages.map(promptOf);
  return {
    prompt: instructions === undefined && messages === undefined ? prompt : [...system, ...rest],
    patch: {
      ...(tools && { toolNames: tools.map(({ name }) => name) }),
      ...(settings && { settings }),
    },
  };
}
