import { BeforeRun, UserPromptSubmit } from '@hooks/core';
import type { ModelProvider } from '@openai/agents';
import { RunBlockedError } from './blocked.ts';
import { promptOf, type RunInput, withPrompt } from './prompt.ts';
import { common, concerns, type Scope } from './scope.ts';
import type { SdkAgent } from './sdk.ts';

/**
 * Opens the session of a run that begins, and fires `UserPromptSubmit` and `BeforeRun`.
 *
 * @returns what the run begins with
 * @throws RunBlockedError
 */
export function submit(
  scope: Scope,
  agent: SdkAgent,
  input: RunInput,
  provider: ModelProvider,
): RunInput | Promise<RunInput> {
  scope.agent = agent.name;
  scope.lastUserMessage = promptOf(input);
  const opening = scope.session.open();
  if (opening === undefined && !EVENTS.some((event) => concerns(scope, event))) return input;
  return ask(scope, agent, input, provider);
}

const EVENTS = [UserPromptSubmit, BeforeRun];

async function ask(
  scope: Scope,
  agent: SdkAgent,
  input: RunInput,
  provider: ModelProvider,
): Promise<RunInput> {
  const { session, run, attached } = scope;
  const { hooks } = attached;
  await session.open();
  const model = typeof agent.model === 'string' && agent.model !== '' ? { model: agent.model } : {};
  let submitted = input;
  let prompt = scope.lastUserMessage;
  // What an agent as a tool begins with is no user's prompt.
  if (prompt !== undefined && session.parent === undefined && concerns(scope, UserPromptSubmit)) {
    const event = { ...common(scope), ...model, prompt, native: input };
    const decision = await hooks.dispatch(UserPromptSubmit, event);
    if (decision.kind === 'block') throw blocked(scope, decision.reason);
    if (decision.kind === 'modify' && decision.patch.prompt !== undefined) {
      prompt = decision.patch.prompt;
      submitted = withPrompt(input, prompt);
      scope.lastUserMessage = prompt;
    }
  }
  if (!concerns(scope, BeforeRun)) return submitted;
  const { metadata } = session.run(run);
  const event = { ...common(scope), ...model, message: prompt ?? '', metadata };
  const decision = await hooks.dispatch(BeforeRun, event);
  if (decision.kind === 'block') throw blocked(scope, decision.reason);
  if (decision.kind === 'modify') {
    scope.settings = decision.patch.settings;
    if (decision.patch.model !== undefined) scope.model = await provider.getModel(decision.patch.model);
  }
  return submitted;
}

function blocked(scope: Scope, reason: string): RunBlockedError {
  scope.stop = reason;
  return new RunBlockedError(reason);
}
