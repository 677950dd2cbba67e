import { BeforeRun, type HookDecision, type Hooks, UserPromptSubmit } from '@hooks/core';
import { hears } from '@hooks/core/adapter';
import type { ProcessInputArgs, ProcessInputStepArgs } from '@mastra/core/processors';
import { isOfUser, isSent } from '../internals.ts';
import { namedModel, otherModel } from '../model/other-model.ts';
import type { NativePrompt } from '../native.ts';
import { promptText, withPrompt } from '../translate.ts';
import type { AgentRun } from './agent-run.ts';
import { refuseBlocked } from './refuse-blocked.ts';

type Messages = ProcessInputArgs['messages'];
type Message = Messages[number];

/** What happens to the prompts before the run is set up: each is asked about by itself, then the run. */
export async function processPrompt(hooks: Hooks, run: AgentRun, args: ProcessInputArgs): Promise<Messages> {
  // `messages` holds what memory recalled, too.
  const given = new Set(args.messageList.get.input.db().map(({ id }) => id));
  for (const id of given) run.submitted.add(id);
  const prompts = latest(args.messages.filter(({ id }) => given.has(id)));
  const submitted = new Map<string, Message>();
  for (const message of prompts) submitted.set(message.id, await submit(hooks, run, message, args.abort));
  if (!run.delegated) await beforeRun(hooks, run, args);
  return args.messages.map((message) => submitted.get(message.id) ?? message);
}

/** What the user has said since the agent last spoke; what is put in its mouth behind that, to go on from, changes nothing. */
function latest(given: Messages): Messages {
  const heard = given.slice(0, given.findLastIndex(isOfUser) + 1);
  return heard.slice(heard.findLastIndex(({ role }) => role === 'assistant') + 1).filter(isOfUser);
}

/** What the user has sent into the run while it was going (`agent.sendMessage`) is asked about before the next model call. */
export async function processSent(hooks: Hooks, run: AgentRun, args: ProcessInputStepArgs): Promise<void> {
  const { messageList, abort } = args;
  const sent = messageList.get.input
    .db()
    .filter((message) => isSent(message) && isOfUser(message) && !run.submitted.has(message.id));
  const ids = sent.map(({ id }) => id);
  for (const id of ids) run.submitted.add(id);
  const refuse: typeof abort = (reason) => {
    messageList.removeByIds(ids); // what is refused enters no memory
    return abort(reason);
  };
  for (const message of sent) {
    const submitted = await submit(hooks, run, message, refuse);
    if (submitted === message) continue;
    messageList.removeByIds([message.id]);
    messageList.add(submitted, 'input');
  }
}

/** Asks about a message of the user, and gives what hooks leave of it. A sub-agent's kick-off message is no user's. */
async function submit(
  hooks: Hooks,
  run: AgentRun,
  message: Message,
  abort: ProcessInputArgs['abort'],
): Promise<Message> {
  const prompt = promptText(message);
  run.lastUserMessage = prompt;
  if (run.delegated) return message;
  if (!hears(hooks, UserPromptSubmit)) return message;
  const decision = await hooks.dispatch(
    UserPromptSubmit,
    {
      ...common(run),
      ...namedModel(await run.configuredModel()),
      prompt,
      native: { message } satisfies NativePrompt,
    },
    { signal: run.signal },
  );
  refuseBlocked(run, decision, abort);
  if (decision.kind !== 'modify' || decision.patch.prompt === undefined) return message;
  run.lastUserMessage = decision.patch.prompt;
  return withPrompt(message, decision.patch.prompt);
}

async function beforeRun(hooks: Hooks, run: AgentRun, { abort }: ProcessInputArgs): Promise<void> {
  if (!hears(hooks, BeforeRun)) return;
  const configured = await run.configuredModel();
  const decision = await hooks.dispatch(
    BeforeRun,
    {
      ...common(run),
      ...namedModel(configured),
      message: run.lastUserMessage ?? '',
      metadata: run.session.run(run.id).metadata,
    },
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
