import { BeforeRun, UserPromptSubmit } from '@hooks/core';
import type { SdkAgent, SdkState } from '../internals.ts';
import { firstModel, type ModelConfig } from '../model/hooked-model.ts';
import { RunBlockedError } from './blocked.ts';
import { promptsOf, type RunInput, withPrompt } from './prompts.ts';
import { common, concerns, type Scope } from './scope.ts';

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
  config: ModelConfig,
): RunInput | Promise<RunInput> {
  scope.agent = agent.name;
  scope.lastUserMessage = promptsOf(input).at(-1);
  const opening = scope.session.open();
  if (opening === undefined && !EVENTS.some((event) => concerns(scope, event))) return input;
  return ask(scope, agent, input, config);
}

const EVENTS = [UserPromptSubmit, BeforeRun];

async function ask(scope: Scope, agent: SdkAgent, input: RunInput, config: ModelConfig): Promise<RunInput> {
  const { session, run, attached } = scope;
  const { hooks } = attached;
  await session.open();
  const submitted = await askPrompt(scope, agent, input, config);
  if (!concerns(scope, BeforeRun)) return submitted;
  const { metadata } = session.run(run);
  const event = {
    ...common(scope),
    ...firstModel(agent, config),
    message: scope.lastUserMessage ?? '',
    metadata,
  };
  const decision = await hooks.dispatch(BeforeRun, event, { signal: scope.signal });
  if (decision.kind === 'block') throw blocked(scope, decision.reason);
  if (decision.kind === 'modify') {
    scope.settings = decision.patch.settings;
    if (decision.patch.model !== undefined)
      scope.model = await config.modelProvider.getModel(decision.patch.model);
  }
  return submitted;
}

/** Fires `UserPromptSubmit` for each message of the user that is new in an input. */
async function askPrompt(
  scope: Scope,
  agent: SdkAgent,
  input: RunInput,
  config: ModelConfig,
): Promise<RunInput> {
  // What an agent as a tool begins with is no user's prompt.
  if (scope.session.parent !== undefined || !concerns(scope, UserPromptSubmit)) return input;
  const { signal, attached } = scope;
  let submitted = input;
  for (const [nth, prompt] of promptsOf(input).entries()) {
    const event = { ...common(scope), ...firstModel(agent, config), prompt, native: submitted };
    const decision = await attached.hooks.dispatch(UserPromptSubmit, event, { signal });
    if (decision.kind === 'block') throw blocked(scope, decision.reason);
    const rewritten = decision.kind === 'modify' ? decision.patch.prompt : undefined;
    scope.lastUserMessage = rewritten ?? prompt;
    if (rewritten !== undefined) submitted = withPrompt(submitted, nth, rewritten);
  }
  return submitted;
}

/**
 * Fires `UserPromptSubmit` for what a user has said while a run was paused (`state.addInput`).
 *
 * @throws RunBlockedError
 */
export async function submitAdded(scope: Scope, state: SdkState, config: ModelConfig): Promise<void> {
  const added = [...state._pendingInput];
  const prompt = promptsOf(added).at(-1);
  if (prompt === undefined) return;
  scope.lastUserMessage = prompt;
  await scope.session.open();
  const submitted = await askPrompt(scope, state._currentAgent, added, config);
  if (submitted === added || typeof submitted === 'string') return;
  state.clearPendingInput();
  state.addInput(submitted);
}

/** What a run that a hook has blocked ends with; one that was aborted while the hook was asked ends as that. */
function blocked(scope: Scope, reason: string): RunBlockedError {
  scope.signal?.throwIfAborted();
  scope.stop = reason;
  return new RunBlockedError(reason);
}
