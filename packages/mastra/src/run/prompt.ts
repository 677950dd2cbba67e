import { BeforeRun, type HookDecision, UserPromptSubmit } from '@hooks/core';
import type { PromptPort } from '@hooks/core/adapter';
import { lostSetting } from '@hooks/language-model';
import type { ProcessInputArgs, ProcessInputStepArgs } from '@mastra/core/processors';
import { isOfUser, isSent } from '../internals.ts';
import { namedModel, otherModel } from '../model/other-model.ts';
import type { NativePrompt } from '../native.ts';
import { promptText, withPrompt } from '../translate.ts';
import type { MastraRun } from './agent-run.ts';

type Messages = ProcessInputArgs['messages'];
type Message = Messages[number];

/** Fires `UserPromptSubmit` for the prompts before the run is set up, then `BeforeRun`. */
export async function processPrompt(run: MastraRun, args: ProcessInputArgs): Promise<Messages> {
  const { messages, messageList, abort } = args;
  // `messages` also contains what memory recalled.
  const given = new Set(messageList.get.input.db().map(({ id }) => id));
  for (const id of given) run.submitted.add(id);
  const input = messages.filter(({ id }) => given.has(id));
  const submitted = await submit(run, input, 'prompt', abort);
  return messages.map((message) => submitted.get(message.id) ?? message);
}

/** Asks about what the user has sent into the run while it was going (`agent.sendMessage`), before the next model call. */
export async function processSent(run: MastraRun, args: ProcessInputStepArgs): Promise<void> {
  const { messageList, abort } = args;
  const sent = messageList.get.input
    .db()
    .filter((message) => isSent(message) && isOfUser(message) && !run.submitted.has(message.id));
  if (sent.length === 0) return;
  const ids = sent.map(({ id }) => id);
  for (const id of ids) run.submitted.add(id);
  const submitted = await submit(run, sent, 'steering', (reason) => {
    messageList.removeByIds(ids); // what is refused enters no memory
    return abort(reason);
  });
  for (const message of sent) {
    const changed = submitted.get(message.id);
    if (changed === undefined) continue;
    messageList.removeByIds([message.id]);
    messageList.add(changed, 'input');
  }
}

/** The messages that hooks have changed, by their ids. */
async function submit(
  run: MastraRun,
  messages: Messages,
  delivery: 'prompt' | 'steering',
  abort: ProcessInputArgs['abort'],
): Promise<ReadonlyMap<string, Message>> {
  const isAsked = run.hears(UserPromptSubmit) || run.hears(BeforeRun);
  const configured = isAsked ? await run.configuredModel() : undefined;
  const submitted = await run.submitInput(messages, portOf(run), {
    ...namedModel(configured),
    ...(delivery !== 'prompt' && { delivery }),
    refuse: (answer) => lostSetting(answer) ?? unavailable(answer, configured),
  });
  if (submitted.kind === 'blocked') return abort(submitted.stop.reason);
  const changed = submitted.messages.filter((message, at) => message !== messages[at]);
  return new Map(changed.map((message) => [message.id, message]));
}

function portOf(run: MastraRun): PromptPort<Message> {
  return {
    read(message) {
      // The model reads every message that was sent as the user's, so one that a client has posted is a prompt of any kind.
      const isPrompt = isSent(message) ? isOfUser(message) || !run.sent.has(message.id) : isOfUser(message);
      if (!isPrompt) return message.role === 'assistant' ? 'answer' : undefined;
      return {
        text: promptText(message),
        parts: besideText(message),
        native: { message } satisfies NativePrompt,
      };
    },
    write: withPrompt,
  };
}

/** What a message has besides its text, and Mastra sends: other parts, attachments, and the providers' own options. */
function besideText({ content }: Message): readonly object[] {
  const beside = content.parts.map((part): object => {
    if (part.type !== 'text') return part;
    const { providerMetadata } = part;
    return { providerMetadata };
  });
  const { providerMetadata, experimental_attachments: files } = content;
  return [...beside, { providerMetadata, files }];
}

/** Why the model that a hook wants cannot be had. */
function unavailable(answer: HookDecision, configured: unknown): string | undefined {
  const { model }: { readonly model?: string } = answer.kind === 'modify' ? answer.patch : {};
  if (model === undefined || otherModel(configured, model) !== undefined) return undefined;
  return `the agent's model is an object that does not tell its provider, so "${model}" cannot be had of it; an id of Mastra's model router can, as in "openai/gpt-5"`;
}
