import { AfterModelCall, BeforeRun, Stop, UserPromptSubmit } from '@hooks/core';
import type { AgentRun, NamedModel } from '@hooks/core/adapter';
import {
  type BaseMessage,
  ChatMessage,
  coerceMessageLikeToMessage,
  HumanMessage,
} from '@langchain/core/messages';
import { isCommand } from '../internals.ts';
import { roleOf, withText } from '../translate.ts';

/** The input of a run after its hooks. */
export interface SubmittedInput {
  readonly state: unknown;
  /** The run must not start; `run.stop` has the reason. */
  readonly refused: boolean;
}

/** Whether any hook sees the prompt, now or in a later event. */
export function isPromptHeard(run: AgentRun): boolean {
  return [UserPromptSubmit, BeforeRun, AfterModelCall, Stop].some((point) => run.hears(point));
}

/** The indexes of the user's messages since the last one of a model or a tool. */
export function promptsIn(messages: readonly BaseMessage[]): readonly number[] {
  const since = messages.findLastIndex((message) => ['assistant', 'tool'].includes(roleOf(message)));
  return messages.flatMap((message, index) => (index > since && isUsers(message) ? [index] : []));
}

/** The same for an input, which may end with the beginning of the model's answer. */
function promptsOf(messages: readonly BaseMessage[]): readonly number[] {
  return promptsIn(messages.slice(0, messages.findLastIndex(isUsers) + 1));
}

function isUsers(message: BaseMessage): boolean {
  return (
    HumanMessage.isInstance(message) ||
    (ChatMessage.isInstance(message) && ['user', 'human'].includes(message.role))
  );
}

/**
 * Submits the user's new messages in an input or in a Command's update, before the framework sees them.
 *
 * @param find returns the indexes of the prompts
 */
export async function submitPrompt(
  run: AgentRun,
  state: unknown,
  model: NamedModel,
  find: (messages: readonly BaseMessage[]) => readonly number[] = promptsOf,
): Promise<SubmittedInput> {
  const given = messagesOf(fieldsOf(state));
  const messages = given?.map(coerceMessageLikeToMessage) ?? [];
  const places = find(messages);
  if (places.length === 0 && goesOn(state)) return { state, refused: false };
  const prompts = places.flatMap((place) => messages[place] ?? []);
  const submitted = await run.submit(
    // A node that runs again after a pause has the same prompts again.
    prompts.map((message) => ({ text: message.text, id: message.text, native: message })),
    model,
  );
  if (submitted.kind === 'blocked')
    return { state: isCommand(state) || given === undefined ? { messages } : state, refused: true };
  let changed = false;
  for (const [index, text] of submitted.prompts.entries()) {
    const message = prompts[index];
    const place = places[index];
    if (message === undefined || place === undefined || message.text === text) continue;
    messages[place] = withText(message, text);
    changed = true;
  }
  return { state: changed ? withMessages(state, messages) : state, refused: false };
}

/** The text of the user's last message in an input. */
export function lastPrompt(state: unknown): string | undefined {
  const messages = messagesOf(fieldsOf(state))?.map(coerceMessageLikeToMessage);
  return messages?.findLast(isUsers)?.text;
}

/** Whether there is no input but at most a Command, so that a thread resumes. */
export function goesOn(state: unknown): boolean {
  return state === null || state === undefined || isCommand(state);
}

/** The state fields of an input. */
function fieldsOf(input: unknown): unknown {
  if (!isCommand(input)) return input;
  const { update } = input;
  if (!Array.isArray(update)) return update;
  const messages = update.flatMap(([channel, value]) => (channel === 'messages' ? [value].flat() : []));
  return { ...Object.fromEntries(update), ...(messages.length > 0 && { messages }) };
}

function withMessages(input: unknown, messages: readonly BaseMessage[]): unknown {
  const fields = { ...Object(fieldsOf(input)), messages };
  return isCommand(input)
    ? Object.assign(Object.create(Object.getPrototypeOf(input)), input, { update: fields })
    : fields;
}

type MessageLike = Parameters<typeof coerceMessageLikeToMessage>[0];

function messagesOf(state: unknown): readonly MessageLike[] | undefined {
  const messages: unknown =
    typeof state === 'object' && state !== null ? Reflect.get(state, 'messages') : undefined;
  if (Array.isArray(messages)) return messages;
  return messages === undefined ? undefined : [messages as MessageLike]; // LangGraph takes a single message, too
}
