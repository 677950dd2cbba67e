import { BeforeRun, type HookDecision, type Hooks, UserPromptSubmit } from '@hooks/core';
import { hears } from '@hooks/core/adapter';
import type { ProcessInputArgs, ProcessInputStepArgs } from '@mastra/core/processors';
import type { AgentRun } from './agent-run.ts';
import { isOfUser, isSent } from './internals.ts';
import type { NativePrompt } from './native.ts';
import { otherModel } from './other-model.ts';
import { refuseBlocked } from './refuse-blocked.ts';
import { promptText, withPrompt } from './translate.ts';

type Messages = ProcessInputArgs['messages'];

/** What happens to a prompt before the run is set up: the user's message, then the run. */
export async function processPrompt(hooks: Hooks, run: AgentRun, args: ProcessInputArgs): Promise<Messages> {
  const given = new Set(args.messageList.get.input.db().map(({ id }) => id));
  // `messages` holds what memory recalled, too.
  const users = args.messages.filter((message) => isOfUser(message) && given.has(message.id));
  for (const { id } of users) run.submitted.add(id);
  run.lastUserMessage = users.map(promptText).join('\n');
  const asked = !run.delegated && users.length > 0;
  const rewritten = asked ? await submit(hooks, run, users, args) : undefined;
  if (!run.delegated) await beforeRun(hooks, run, args);
  return args.messages.flatMap((message) => {
    if (message.id === rewritten?.id) return [rewritten];
    return rewritten !== undefined && users.includes(message) ? [] : [message];
  });
}

/** What the user has sent into the run while it was going (`agent.sendMessage`) is asked about before the next model call. */
export async function processSent(hooks: Hooks, run: AgentRun, args: ProcessInputStepArgs): Promise<void> {
  const { messageList, abort } = args;
  const sent = messageList.get.input
    .db()
    .filter((message) => isSent(message) && isOfUser(message) && !run.submitted.has(message.id));
  if (sent.length === 0) return;
  const ids = sent.map(({ id }) => id);
  for (const id of ids) run.submitted.add(id);
  run.lastUserMessage = sent.map(promptText).join('\n');
  const refuse: typeof abort = (reason) => {
    messageList.removeByIds(ids); // what is refused enters no memory
    return abort(reason);
  };
  const rewritten = await submit(hooks, run, sent, { abort: refuse });
  if (rewritten === undefined) return;
  messageList.removeByIds(ids);
  messageList.add(rewritten, 'input');
}

/** Asks about messages of the user; a rewritten prompt is the text of the last one and stands in the place of all. */
async function submit(
  hooks: Hooks,
  run: AgentRun,
  users: Messages,
  { abort }: Pick<ProcessInputArgs, 'abort'>,
): Promise<Messages[number] | undefined> {
  const decision = await hooks.dispatch(
    UserPromptSubmit,
    { ...common(run), prompt: run.lastUserMessage ?? '', native: { messages: users } satisfies NativePrompt },
    { signal: run.signal },
  );
  refuseBlocked(run, decision, abort);
  const last = users.at(-1);
  if (decision.kind !== 'modify' || decision.patch.prompt === undefined || last === undefined)
    return undefined;
  run.lastUserMessage = decision.patch.prompt;
  return withPrompt(last, decision.patch.prompt);
}

async function beforeRun(hooks: Hooks, run: AgentRun, { abort }: ProcessInputArgs): Promise<void> {
  if (!hears(hooks, BeforeRun)) return;
  const configured = await run.configuredModel();
  const decision = await hooks.dispatch(
    BeforeRun,
    { ...common(run), message: run.lastUserMessage ?? '', metadata: run.session.run(run.id).metadata },
    { signal: run.signal, refuse: (answer) => unavailable(answer, configured) },
  );
  refuseBlocked(run, decision, abort);
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
