import { type AgentRun, type PromptPort, type SubmitOptions, unansweredPrompts } from '@hooks/core/adapter';
import { type BaseMessage, ChatMessage } from '@langchain/core/messages';
import { isCommand } from '../internals.ts';
import { textIn, withText } from '../translate.ts';
import { goesOn, messagesIn, type SubmittedInput, speakerOf, withMessages } from './input.ts';

/** The indexes of the user's messages that nobody has answered. */
export function unanswered(messages: readonly BaseMessage[]): readonly number[] {
  return unansweredPrompts(messages, portFor(true));
}

function isAnswer(speaker: ReturnType<typeof speakerOf>): boolean {
  return speaker === 'model' || speaker === 'tool';
}

/** Submits the user's messages in an input or in a Command's update, before the framework sees them. */
export async function submitPrompt(
  run: AgentRun,
  state: unknown,
  options: SubmitOptions,
): Promise<SubmittedInput> {
  const given = messagesIn(state);
  const messages = given ?? [];
  if (goesOn(state) && !messages.some((message) => speakerOf(message) === 'user'))
    return { state, refused: false };
  const submitted = await run.submitInput(messages, portFor(isCommand(state)), options);
  if (submitted.kind === 'blocked') {
    const unread = isCommand(state) || given === undefined ? { messages } : state;
    return { state: unread, refused: true, at: submitted.at };
  }
  const isSame = submitted.messages === messages;
  return { state: isSame ? state : withMessages(state, submitted.messages), refused: false };
}

/** @param added whether the messages are added to a run, so that each is new in it */
function portFor(added: boolean): PromptPort<BaseMessage> {
  const counts = new Map<string, number>();
  return {
    read(message) {
      const speaker = speakerOf(message);
      if (speaker !== 'user') return isAnswer(speaker) ? 'answer' : undefined;
      const text = textIn(message);
      const nth = counts.get(text) ?? 0;
      counts.set(text, nth + 1);
      return {
        text,
        native: message,
        parts: besideText(message),
        // A node that runs again after a pause has the same prompts again.
        ...(!added && { id: `${nth} ${text}` }),
      };
    },
    write: withText,
  };
}

/** What a message has besides its text. Clients send some of it to the model: the name, `additional_kwargs`, cache marks. */
function besideText(message: BaseMessage): readonly object[] {
  const { content, name, additional_kwargs, response_metadata } = message;
  const blocks: readonly object[] = Array.isArray(content) ? content : [];
  const role = ChatMessage.isInstance(message) ? message.role : undefined;
  return [...blocks.map(withoutText), { name, role, additional_kwargs, response_metadata }];
}

/** A block of text without it; another block as it is. */
function withoutText(block: object): object {
  const { type, text: _text, id: _id, ...fields }: { readonly [field: string]: unknown } = { ...block };
  return type === 'text' ? fields : block;
}

/** The text of the user's last message in an input. */
export function lastPrompt(state: unknown): string | undefined {
  const message = messagesIn(state)?.findLast((one) => speakerOf(one) === 'user');
  return message && textIn(message);
}
