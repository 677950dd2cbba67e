import { AfterModelCall, BeforeRun, type Hooks, Stop, UserPromptSubmit } from '@hooks/core';
import { type BaseMessage, coerceMessageLikeToMessage, HumanMessage } from '@langchain/core/messages';
import type { BlockMark } from './blocked.ts';
import { common, isHeard } from './events.ts';
import type { HookedRun } from './run.ts';

/** The input of a run as hooks left it; with `refused` it must not run. */
export interface SubmittedInput {
  readonly state: unknown;
  readonly refused?: BlockMark;
}

/** Whether hooks are asked about the prompt, or are told of it later. */
export function isPromptHeard(hooks: Hooks): boolean {
  return isHeard(hooks, UserPromptSubmit, BeforeRun, AfterModelCall, Stop);
}

/**
 * Asks `UserPromptSubmit` about the user's messages at the end of an input, then `BeforeRun`, before the framework has
 * seen any of it.
 */
export async function submitPrompt(
  hooks: Hooks,
  run: HookedRun,
  state: unknown,
  { model, signal }: { readonly model: string | undefined; readonly signal: AbortSignal | undefined },
): Promise<SubmittedInput> {
  const given = messagesOf(state);
  if (given === undefined) return { state };
  const messages = given.map(coerceMessageLikeToMessage);
  const first = messages.findLastIndex((message) => !HumanMessage.isInstance(message)) + 1;
  if (first === messages.length) return { state };
  let changed = false;
  for (const [index, message] of messages.entries()) {
    if (index < first) continue;
    const event = {
      ...common(run),
      prompt: message.text,
      ...(model !== undefined && { model }),
      native: message,
    };
    const decision = await hooks.dispatch(UserPromptSubmit, event, { signal });
    if (decision.kind === 'block') return { state, refused: marked(decision) };
    const prompt = decision.kind === 'modify' ? decision.patch.prompt : undefined;
    if (prompt === undefined) continue;
    messages[index] = withText(message, prompt);
    changed = true;
  }
  run.lastUserMessage = messages.at(-1)?.text;
  const refused = await beforeRun(hooks, run, model, signal);
  return {
    state: changed ? { ...(state as object), messages } : state,
    ...(refused !== undefined && { refused }),
  };
}

async function beforeRun(
  hooks: Hooks,
  run: HookedRun,
  model: string | undefined,
  signal: AbortSignal | undefined,
): Promise<BlockMark | undefined> {
  const { metadata } = run.session.run(run.id);
  const event = {
    ...common(run),
    message: run.lastUserMessage ?? '',
    metadata,
    ...(model !== undefined && { model }),
  };
  const decision = await hooks.dispatch(BeforeRun, event, { signal });
  if (decision.kind === 'block') return marked(decision);
  if (decision.kind === 'modify') {
    run.model = decision.patch.model;
    run.settings = decision.patch.settings;
  }
  return undefined;
}

function marked({ reason, by }: BlockMark): BlockMark {
  return { reason, ...(by !== undefined && { by }) };
}

type MessageLike = Parameters<typeof coerceMessageLikeToMessage>[0];

function messagesOf(state: unknown): readonly MessageLike[] | undefined {
  const messages: unknown =
    typeof state === 'object' && state !== null ? Reflect.get(state, 'messages') : undefined;
  if (Array.isArray(messages)) return messages;
  return messages === undefined ? undefined : [messages as MessageLike]; // LangGraph takes a single message, too
}

/** The same message with another text; parts that are no text (images, files) stay. */
function withText(message: BaseMessage, text: string): HumanMessage {
  const { content, id, name, additional_kwargs, response_metadata } = message;
  const others = Array.isArray(content) ? content.filter(({ type }) => type !== 'text') : [];
  return new HumanMessage({
    content: others.length === 0 ? text : [{ type: 'text', text }, ...others],
    additional_kwargs,
    response_metadata,
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
  });
}
