import type { AgentInputItem } from '@openai/agents';
import { textOf, withText } from '../translate.ts';

/** What a run is begun with: a text, or items of which the last messages of the user are the prompts. */
export type RunInput = string | AgentInputItem[];

/** The texts that the user has sent since anybody else has spoken last. */
export function promptsOf(input: RunInput): readonly string[] {
  return typeof input === 'string' ? [input] : latest(input).map(({ content }) => textOf(content));
}

/** The input with another text in one of those messages; its images and files stay. */
export function withPrompt(input: RunInput, nth: number, text: string): RunInput {
  if (typeof input === 'string') return text;
  const message = latest(input)[nth];
  return input.map((item) =>
    item === message && isUserMessage(item)
      ? { ...item, content: typeof item.content === 'string' ? text : withText(item.content, text) }
      : item,
  );
}

type UserMessage = Extract<AgentInputItem, { role: 'user' }>;

/** What stands behind them, for the model to go on from, changes nothing. */
function latest(items: readonly AgentInputItem[]): readonly UserMessage[] {
  const heard = items.slice(0, items.findLastIndex(isUserMessage) + 1);
  const since = heard.findLastIndex((item) => !('role' in item) || item.role === 'assistant');
  return heard.slice(since + 1).filter(isUserMessage);
}

function isUserMessage(item: AgentInputItem): item is UserMessage {
  return 'role' in item && item.role === 'user';
}
