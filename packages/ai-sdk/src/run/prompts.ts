import { BlockedError, type NamedModel, type SubmitOptions } from '@hooks/core/adapter';
import type { ModelMessage, UserModelMessage } from 'ai';
import type { CallSettings } from '../sdk.ts';
import type { HookedRun } from './hooked-run.ts';

type Content = UserModelMessage['content'];

/** The messages that a call begins with. */
export function messagesOf({ prompt, messages }: Pick<CallSettings, 'prompt' | 'messages'>): ModelMessage[] {
  if (messages !== undefined) return messages;
  return typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : (prompt ?? []);
}

/** The user's messages since anybody else spoke. */
function promptsOf(messages: readonly ModelMessage[]): readonly UserModelMessage[] {
  const since = messages.findLastIndex(({ role }) => role === 'assistant' || role === 'tool');
  return messages.slice(since + 1).filter((message) => message.role === 'user');
}

/** The user's last text. */
export function lastPrompt(messages: readonly ModelMessage[]): string | undefined {
  const last = messages.findLast((message) => message.role === 'user');
  return last && textOf(last.content);
}

/**
 * Fires `UserPromptSubmit` for the user's new messages.
 *
 * @returns the messages as hooks left them
 * @throws BlockedError
 */
export async function submitted(
  run: HookedRun,
  messages: ModelMessage[],
  options: SubmitOptions & NamedModel,
  prompts: readonly UserModelMessage[] = promptsOf(messages),
): Promise<ModelMessage[]> {
  const texts = prompts.map(({ content }) => textOf(content));
  const result = await run.submit(
    prompts.map((native, nth) => ({ text: texts[nth] ?? '', native })),
    options,
  );
  if (result.kind === 'blocked') throw new BlockedError({ reason: result.stop.reason, stop: true });
  if (result.prompts.every((text, nth) => text === texts[nth])) return messages;
  return messages.map((message) => {
    if (message.role !== 'user') return message;
    const nth = prompts.indexOf(message);
    const text = result.prompts[nth];
    if (text === undefined || text === texts[nth]) return message;
    return { ...message, content: withText(message.content, text) };
  });
}

function textOf(content: Content): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** The content with another text. Its images and files stay. */
function withText(content: Content, text: string): Content {
  if (typeof content === 'string') return text;
  return [{ type: 'text', text }, ...content.filter(({ type }) => type !== 'text')];
}
