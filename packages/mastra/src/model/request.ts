import type { ModelSettings } from '@hooks/core';
import type { ModelRequest, RequestPatch } from '@hooks/core/adapter';
import { instructionsOf, messagesOf, withTools } from '@hooks/language-model';
import type { ProcessInputStepArgs, ProcessLLMRequestArgs } from '@mastra/core/processors';
import type { NativeModelCall } from '../native.ts';

/** The settings of the program for one model call. */
export type StepSetup = Pick<
  ProcessInputStepArgs,
  'activeTools' | 'modelSettings' | 'providerOptions' | 'tools'
>;

/** What Mastra gives to a model. */
export interface CallOptions {
  readonly abortSignal?: AbortSignal;
  readonly prompt?: unknown;
  readonly tools?: readonly { readonly name?: string }[];
  readonly providerOptions?: { readonly [provider: string]: object };
}

/** A request to a model, as hooks see it. */
export function requestOf(
  { activeTools, modelSettings, providerOptions, tools = {} }: StepSetup,
  { prompt }: ProcessLLMRequestArgs,
): ModelRequest {
  const offered = Object.entries(tools).filter(([name]) => activeTools?.includes(name) ?? true);
  return {
    instructions: instructionsOf(prompt),
    messages: messagesOf(prompt),
    tools: offered.map(([name, native]) => ({ name, native, description: descriptionOf(native) })),
    settings: { temperature: modelSettings?.temperature, maxTokens: modelSettings?.maxOutputTokens },
    native: { prompt, ...(providerOptions && { providerOptions }) } satisfies NativeModelCall,
  };
}

function descriptionOf(tool: unknown): string | undefined {
  const { description }: { readonly description?: unknown } = Object(tool);
  return typeof description === 'string' ? description : undefined;
}

/** The changes of hooks that a processor cannot make. */
export function patched<Options extends CallOptions>(
  options: Options,
  provider: string,
  { tools, settings }: RequestPatch,
): Options {
  return {
    ...withTools(options, tools),
    ...(settings && nativeSettings(settings, provider, options.providerOptions)),
  };
}

function nativeSettings(
  { temperature, maxTokens, reasoningEffort }: ModelSettings,
  provider: string,
  providerOptions: CallOptions['providerOptions'],
): object {
  const name = provider.split('.')[0] ?? provider;
  return {
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
    ...(reasoningEffort !== undefined && {
      providerOptions: {
        ...providerOptions,
        [name]: {
          ...providerOptions?.[name],
          reasoningEffort: reasoningEffort === 'off' ? 'none' : reasoningEffort,
        },
      },
    }),
  };
}
