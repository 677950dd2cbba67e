import { besideText, joinParts, type PromptPort, type SubmitOptions, spreadParts } from '@hooks/core/adapter';
import type { ModelMessage, UserModelMessage } from 'ai';
import type { CallSettings } from '../sdk.ts';
import type { HookedRun } from './hooked-run.ts';

type Content = UserModelMessage['content'];

/** The messages that a call begins with. */
export function messagesOf({ prompt, messages }: Pick<CallSettings, 'prompt' | 'messages'>): ModelMessage[] {
  if (messages !== undefined) return messages;
  return typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : (prompt ?? []);
}

/** The user's last text. */
export function lastPrompt(messages: readonly ModelMessage[]): string | undefined {
  const last = messages.findLast((message) => message.role === 'user');
  return last && textOf(last.content);
}

/** Hooks refused a user's message. `kept` is what the history keeps. */
export interface RefusedMessages {
  readonly kept: readonly ModelMessage[];
}

/** What the SDK gets in the place of messages that hooks refused. It calls no model. */
export const UNREAD: ModelMessage[] = [{ role: 'user', content: '' }];

/**
 * Submits the user's messages of an input.
 *
 * @param isPrompt leaves out user messages that others have written
 * @returns the messages as hooks left them, the same array if they changed none; or that hooks refused them
 * @throws BlockedError if the run throws refusals
 */
export async function submitted(
  run: HookedRun,
  messages: ModelMessage[],
  options: SubmitOptions,
  isPrompt: (message: UserModelMessage) => boolean = () => true,
): Promise<ModelMessage[] | RefusedMessages> {
  const port: PromptPort<ModelMessage> = {
    read(message) {
      if (message.role === 'system') return undefined;
      if (message.role !== 'user') return 'answer';
      if (!isPrompt(message)) return undefined;
      const { content, role: _role, ...fields } = message;
      return { text: textOf(content), parts: [...besideText(content), fields], native: message };
    },
    write: (message, text) =>
      message.role === 'user' ? { ...message, content: withText(message.content, text) } : message,
  };
  const result = await run.submitInput(messages, port, options);
  if (result.kind === 'blocked') {
    run.hookedBy.throwRejection(run);
    return { kept: result.kept };
  }
  return result.messages === messages ? messages : [...result.messages];
}

function textOf(content: Content): string {
  return typeof content === 'string' ? content : joinParts(content, '\n');
}

/** The content with another text. Its images and files stay. */
function withText(content: Content, text: string): Content {
  return typeof content === 'string' ? text : spreadParts(content, text, '\n');
}
