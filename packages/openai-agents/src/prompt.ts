import type { AgentInputItem } from '@openai/agents';
import { textOf } from './translate.ts';

/** What a run is begun with: a text, or items of which the last user's message is the prompt. */
export type RunInput = string | AgentInputItem[];

/** The text of the user's message; undefined where there is none. */
export function promptOf(input: RunInput): string | undefined {
  if (typeof input === 'string') return input;
  const last = input.findLast(isUserMessage);
  return last === undefined ? undefined : textOf(last.content);
}

/** The input with another text in the user's message; its images and files stay. */
export function withPrompt(input: RunInput, text: string): RunInput {
  if (typeof input === 'string') return text;
  const index = input.findLastIndex(isUserMessage);
  return input.map((item, at) =>
    at === index && isUserMessage(item) ? { ...item, content: replaced(item.content, text) } : item,
  );
}

type UserMessage = Extract<AgentInputItem, { role: 'user' }>;

function isUserMessage(item: AgentInputItem): item is UserMessage {
  return 'role' in item && item.role === 'user';
}

function replaced(content: UserMessage['content'], text: string): UserMessage['content'] {
  if (typeof content === 'string') return text;
  return [{ type: 'input_text', text }, ...content.filter(({ type }) => type !== 'input_text')];
}
