import { BeforeRun, UserPromptSubmit } from '@hooks/core';
import type { ModelProvider } from '@openai/agents';
import { RunBlockedError } from './blocked.ts';
import { promptOf, type RunInput, withPrompt } from './prompt.ts';
import { common, concerns, type Scope } from './scope.ts';
import type { SdkAgent, SdkState } from './sdk.ts';

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
  const submitted = await askPrompt(scope, agent, input);
  if (!concerns(scope, BeforeRun)) return submitted;
  const { metadata } = session.run(run);
  const event = { ...common(scope), ...modelOf(agent), message: scope.lastUserMessage ?? '', metadata };
  const decision = await hooks.dispatch(BeforeRun, event, { signal: scope.signal });
  if (decision.kind === 'block') throw blocked(scope, decision.reason);
  if (decision.kind === 'modify') {
    scope.settings = decision.patch.settings;
    if (decision.patch.model !== undefined) scope.model = await provider.getModel(decision.patch.model);
  }
  return submitted;
}

/** Fires `UserPromptSubmit` for the user's message of an input. */
async function askPrompt(scope: Scope, agent: SdkAgent, input: RunInput): Promise<RunInput> {
  const prompt = scope.lastUserMessage;
  // What an agent as a tool begins with is no user's prompt.
  if (prompt === undefined || scope.session.parent !== undefined || !concerns(scope, UserPromptSubmit))
    return input;
  const event = { ...common(scope), ...modelOf(agent), prompt, native: input };
  const { signal } = scope;
  const decision = await scope.attached.hooks.dispatch(UserPromptSubmit, event, { signal });
  if (decision.kind === 'block') throw blocked(scope, decision.reason);
  if (decision.kind !== 'modify' || decision.patch.prompt === undefined) return input;
  scope.lastUserMessage = decision.patch.prompt;
  return withPrompt(input, decision.patch.prompt);
}

/**
 * Fires `UserPromptSubmit` for what a user has said while a run was paused (`state.addInput`).
 *
 * @throws RunBlockedError
 */
export async function submitAdded(scope: Scope, state: SdkState): Promise<void> {
  const added = [...state._pendingInput];
  const prompt = promptOf(added);
  if (prompt === undefined) return;
  scope.lastUserMessage = prompt;
  await scope.session.open();
  const submitted = await askPrompt(scope, state._currentAgent, added);
  if (submitted === added || typeof submitted === 'string') return;
  state.clearPendingInput();
  state.addInput(submitted);
}

function modelOf({ model }: SdkAgent): { readonly model?: string } {
  return typeof model === 'string' && model !== '' ? { model } : {};
}

/** What a run that a hook has blocked ends with; one that was aborted while the hook was asked ends as that. */
function blocked(scope: Scope, reason: string): RunBlockedError {
  scope.signal?.throwIfAborted();
  scope.stop = reason;
  return new RunBlockedError(reason);
}
