import { BeforeModelCall, type Hooks, type ModelSettings, type ModelTool } from '@hooks/core';
import type { ProcessInputStepArgs, ProcessLLMRequestArgs } from '@mastra/core/processors';
import type { NativeModelCall } from '../native.ts';
import type { AgentRun } from '../run/agent-run.ts';
import { refuseBlocked } from '../run/refuse-blocked.ts';
import { turnEvent } from '../run/turn.ts';
import { messagesOf, promptOf, settingsOf, toolOf, withSystemText } from './translate.ts';

/** What is to be changed in one model call, below what processors can change. */
export interface CallPatch {
  readonly toolNames?: readonly string[];
  readonly settings?: ModelSettings;
}

/** What the program has set for one model call. */
export type StepSetup = Pick<ProcessInputStepArgs, 'activeTools' | 'modelSettings' | 'tools'>;

type Prompt = ProcessLLMRequestArgs['prompt'];

/** Asks about the next model call, and gives the prompt that it gets. */
export async function beforeModelCall(
  hooks: Hooks,
  run: AgentRun,
  step: StepSetup,
  { prompt, model, abort }: ProcessLLMRequestArgs,
): Promise<{ readonly prompt: Prompt; readonly patch: CallPatch }> {
  const { activeTools } = step;
  const tools: readonly ModelTool[] = Object.entries(step.tools ?? {})
    .filter(([name]) => activeTools?.includes(name) ?? true)
    .map(([name, tool]) => toolOf(name, tool));
  const decision = await hooks.dispatch(
    BeforeModelCall,
    {
      ...turnEvent(run),
      provider: model.provider,
      model: model.modelId,
      instructions: prompt.flatMap(({ role, content }) => (role === 'system' ? [content] : [])).join('\n\n'),
      messages: messagesOf(prompt),
      tools,
      settings: { ...settingsOf(step.modelSettings), ...run.settings },
      native: { prompt } satisfies NativeModelCall,
    },
    { signal: run.signal },
  );
  refuseBlocked(run, decision, abort);
  if (decision.kind !== 'modify') return { prompt, patch: {} };
  const { instructions, messages, tools: kept, settings } = decision.patch;
  const system =
    instructions === undefined
      ? prompt.filter(({ role }) => role === 'system')
      : withSystemText([], instructions);
  const rest =
    messages === undefined ? prompt.filter(({ role }) => role !== 'system') : messages.map(promptOf);
  return {
    prompt: [...system, ...rest],
    patch: {
      ...(kept && { toolNames: kept.map(({ name }) => name) }),
      ...(settings && { settings }),
    },
  };
}
