import type { HookDecision, ModelSettings } from '@hooks/core';
import { type ModelRequest, type RequestPatch, refusedSetting } from '@hooks/core/adapter';
import { changedTools, instructionsOf, messagesOf, withoutLostChoice } from '@hooks/language-model';
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
  { tools: left, settings }: RequestPatch,
): Options {
  const { tools, providerOptions } = options;
  const offered = tools && left && changedTools(tools, left);
  return {
    ...(offered ? withoutLostChoice(options, offered) : options),
    ...(offered && { tools: offered }),
    ...(settings && nativeSettings(settings, provider, providerOptions)),
  };
}

/** Why a decision cannot be honored: Mastra has no setting that shows the reasoning, only options of each provider. */
export function lostSetting(decision: HookDecision): string | undefined {
  return refusedSetting(decision, ['temperature', 'maxTokens', 'reasoningEffort']);
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
