import { BeforeRun, type HookDecision, type Hooks, UserPromptSubmit } from '@hooks/core';
import { hears } from '@hooks/core/adapter';
import type { ProcessInputArgs } from '@mastra/core/processors';
import type { AgentRun } from './agent-run.ts';
import type { NativePrompt } from './native.ts';
import { otherModel } from './other-model.ts';
import { promptText, withPrompt } from './translate.ts';

type Messages = ProcessInputArgs['messages'];

/** What happens to a prompt before the run is set up: the user's message, then the run. */
export async function processPrompt(hooks: Hooks, run: AgentRun, args: ProcessInputArgs): Promise<Messages> {
  const submitted = new Set(args.messageList.get.input.db().map(({ id }) => id));
  // `messages` holds what memory recalled, too.
  const users = args.messages.filter(({ id, role }) => role === 'user' && submitted.has(id));
  run.lastUserMessage = users.map(promptText).join('\n');
  const messages =
    run.delegated || users.length === 0 ? args.messages : await submit(hooks, run, args, users);
  await beforeRun(hooks, run, args);
  return messages;
}

async function submit(
  hooks: Hooks,
  run: AgentRun,
  args: ProcessInputArgs,
  users: Messages,
): Promise<Messages> {
  const decision = await hooks.dispatch(
    UserPromptSubmit,
    { ...common(run), prompt: run.lastUserMessage ?? '', native: { messages: users } satisfies NativePrompt },
    { signal: run.signal },
  );
  if (decision.kind === 'block') args.abort(decision.reason);
  if (decision.kind !== 'modify' || decision.patch.prompt === undefined) return args.messages;
  const { prompt } = decision.patch;
  run.lastUserMessage = prompt;
  const last = users.at(-1);
  return args.messages.flatMap((message) => {
    if (message === last) return [withPrompt(message, prompt)];
    return users.includes(message) ? [] : [message];
  });
}

async function beforeRun(hooks: Hooks, run: AgentRun, { abort }: ProcessInputArgs): Promise<void> {
  if (!hears(hooks, BeforeRun)) return;
  const configured = await run.configuredModel();
  const decision = await hooks.dispatch(
    BeforeRun,
    { ...common(run), message: run.lastUserMessage ?? '', metadata: run.session.run(run.id).metadata },
    { signal: run.signal, refuse: (answer) => unavailable(answer, configured) },
  );
  if (decision.kind === 'block') abort(decision.reason);
  if (decision.kind !== 'modify') return;
  const { settings, model } = decision.patch;
  run.settings = settings;
  run.model = model === undefined ? undefined : otherModel(configured, model);
}

/** Why the model that a hook wants cannot be had. */
function unavailable(answer: HookDecision, configured: unknown): string | undefined {
  const { model }: { readonly model?: string } = answer.kind === 'modify' ? answer.patch : {};
  if (model === undefined || otherModel(configured, model) !== undefined) return undefined;
  return `the agent's model is an object that does not tell its provider, so "${model}" cannot be had of it; an id of Mastra's model router can, as in "openai/gpt-5"`;
}

function common({ session, id, agent }: AgentRun): {
  readonly session: AgentRun['session'];
  readonly run: string;
  readonly agent: string;
} {
  return { session, run: id, agent };
}
