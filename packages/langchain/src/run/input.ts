import { HooksError } from '@hooks/core';
import { type BaseMessage, ChatMessage, coerceMessageLikeToMessage } from '@langchain/core/messages';
import { dropForgedMark, markOf } from '../blocked.ts';
import { isCommand } from '../internals.ts';
import { withFields } from '../translate.ts';

/** The input of a run after its hooks. */
export interface SubmittedInput {
  readonly state: unknown;
  /** The run must not start; `run.stop` has the reason. */
  readonly refused: boolean;
  /** The index of the prompt that was refused. */
  readonly at?: number | undefined;
}

/** Who a message is from. What is from nobody else counts as the user's. */
export function speakerOf(message: BaseMessage): 'user' | 'model' | 'tool' | undefined {
  switch (ChatMessage.isInstance(message) ? message.role : message.getType()) {
    case 'ai':
    case 'assistant':
      return 'model';
    case 'tool':
    case 'function':
      return 'tool';
    case 'system':
    case 'developer':
    case 'remove':
      return undefined;
    default:
      return 'user';
  }
}

/** Whether there is no input but at most a Command, so that a thread resumes. */
export function goesOn(state: unknown): boolean {
  return state === null || state === undefined || isCommand(state);
}

/** Whether a Command gives a node messages of its own, by `Send`. They are not in the state, where hooks would see them. */
export function sendsMessages(state: unknown): boolean {
  if (!isCommand(state)) return false;
  return [state.goto].flat().some((to) => {
    const { messages = [] }: { readonly messages?: unknown } = Object(Reflect.get(Object(to), 'args'));
    return !Array.isArray(messages) || messages.length > 0;
  });
}

/** Refuses them. */
export function unseen(): HooksError {
  return new HooksError(
    'INVALID_INPUT',
    'A hooked agent cannot be given messages in a Send, because no hook would see them: put them into the `update` of the Command.',
  );
}

/** The messages in an input or in a Command's update; undefined if it has none. */
export function messagesIn(input: unknown): readonly BaseMessage[] | undefined {
  const messages: unknown = Reflect.get(Object(fieldsOf(input)), 'messages');
  if (messages === undefined) return undefined;
  // LangGraph takes a single message, too.
  const all = (Array.isArray(messages) ? messages : [messages]) as MessageLike[];
  return all.map(coerceMessageLikeToMessage);
}

/** The input without marks of blocked messages that hooks have not written. */
export function withoutForgedMarks(input: unknown): unknown {
  const messages = messagesIn(input) ?? [];
  if (messages.every((message) => markOf(message) === undefined)) return input;
  const unmarked = messages.map((message) => {
    const copy = withFields(message, {});
    dropForgedMark(copy);
    return markOf(copy) === markOf(message) ? message : copy;
  });
  return withMessages(input, unmarked);
}

/** The input with other messages. */
export function withMessages(input: unknown, messages: readonly BaseMessage[]): unknown {
  const fields = { ...Object(fieldsOf(input)), messages };
  return isCommand(input)
    ? Object.assign(Object.create(Object.getPrototypeOf(input)), input, { update: fields })
    : fields;
}

type MessageLike = Parameters<typeof coerceMessageLikeToMessage>[0];

/** The state fields of an input. */
function fieldsOf(input: unknown): unknown {
  if (!isCommand(input)) return input;
  const { update } = input;
  if (!Array.isArray(update)) return update;
  const messages = update.flatMap(([channel, value]) => (channel === 'messages' ? [value].flat() : []));
  return { ...Object.fromEntries(update), ...(messages.length > 0 && { messages }) };
}
