import { AfterModelCall, BeforeRun, Stop, UserPromptSubmit } from '@hooks/core';
import type { AgentRun, NamedModel, PromptPort } from '@hooks/core/adapter';
import { type BaseMessage, ChatMessage, coerceMessageLikeToMessage } from '@langchain/core/messages';
import { isCommand } from '../internals.ts';
import { withText } from '../translate.ts';

/** The input of a run after its hooks. */
export interface SubmittedInput {
  readonly state: unknown;
  /** The run must not start; `run.stop` has the reason. */
  readonly refused: boolean;
  /** The index of the prompt that was refused. */
  readonly at?: number | undefined;
}

/** Whether any hook sees the prompt, now or in a later event. */
export function isPromptHeard(run: AgentRun): boolean {
  return [UserPromptSubmit, BeforeRun, AfterModelCall, Stop].some((point) => run.hears(point));
}

/** The indexes of the user's messages since the last one of a model or a tool. */
export function promptsIn(messages: readonly BaseMessage[]): readonly number[] {
  const since = messages.findLastIndex((message) => speakerOf(message) === 'answer');
  return messages.flatMap((message, index) =>
    index > since && speakerOf(message) === 'user' ? [index] : [],
  );
}

/** Who a message is from. What is from nobody else counts as the user's. */
function speakerOf(message: BaseMessage): 'user' | 'answer' | undefined {
  switch (ChatMessage.isInstance(message) ? message.role : message.getType()) {
    case 'ai':
    case 'assistant':
    case 'tool':
    case 'function':
      return 'answer';
    case 'system':
    case 'developer':
    case 'remove':
      return undefined;
    default:
      return 'user';
  }
}

/** Submits the user's messages in an input or in a Command's update, before the framework sees them. */
export async function submitPrompt(
  run: AgentRun,
  state: unknown,
  model: NamedModel,
): Promise<SubmittedInput> {
  const given = messagesOf(fieldsOf(state));
  const messages = given?.map(coerceMessageLikeToMessage) ?? [];
  if (goesOn(state) && !messages.some((message) => speakerOf(message) === 'user'))
    return { state, refused: false };
  const submitted = await run.submitInput(messages, portFor(isCommand(state)), model);
  if (submitted.kind === 'blocked') {
    const unread = isCommand(state) || given === undefined ? { messages } : state;
    return { state: unread, refused: true, at: submitted.at };
  }
  const changed = submitted.messages.some((message, index) => message !== messages[index]);
  return { state: changed ? withMessages(state, submitted.messages) : state, refused: false };
}

/** @param added whether the messages are added to a run, so that each is new in it */
function portFor(added: boolean): PromptPort<BaseMessage> {
  const counts = new Map<string, number>();
  return {
    read(message) {
      const speaker = speakerOf(message);
      if (speaker !== 'user') return speaker;
      const { text, content } = message;
      const nth = counts.get(text) ?? 0;
      counts.set(text, nth + 1);
      const parts = Array.isArray(content) ? content.filter(({ type }) => type !== 'text') : [];
      return {
        text,
        native: message,
        ...(parts.length > 0 && { parts }),
        // A node that runs again after a pause has the same prompts again.
        ...(!added && { id: `${nth} ${text}` }),
      };
    },
    write: withText,
  };
}

/** The text of the user's last message in an input. */
export function lastPrompt(state: unknown): string | undefined {
  const messages = messagesOf(fieldsOf(state))?.map(coerceMessageLikeToMessage);
  return messages?.findLast((message) => speakerOf(message) === 'user')?.text;
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
