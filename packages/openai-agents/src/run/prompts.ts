import { BlockedError, type SubmitOptions } from '@hooks/core/adapter';
import type { AgentInputItem } from '@openai/agents';
import type { SdkState } from '../internals.ts';
import { textOf, withText } from '../translate.ts';
import type { HookedRun } from './hooked-run.ts';

/** The input of a run: a text, or items whose last user messages are the prompts. */
export type RunInput = string | AgentInputItem[];

/**
 * Asks hooks about each message of the user that is new in an input.
 *
 * @returns the input as hooks left it
 * @throws BlockedError
 */
export async function submitted<Input extends RunInput>(
  run: HookedRun,
  input: Input,
  options: SubmitOptions,
): Promise<Input> {
  const texts = promptsOf(input);
  const result = await run.submit(
    texts.map((text) => ({ text, native: input })),
    options,
  );
  if (result.kind === 'blocked') throw new BlockedError({ reason: result.stop.reason, stop: true });
  return result.prompts.reduce(
    (changed, text, nth) => (text === texts[nth] ? changed : withPrompt(changed, nth, text)),
    input,
  );
}

/** The same of what a user has said while a run was paused (`state.addInput`). */
export async function submitAdded(run: HookedRun, state: SdkState, options: SubmitOptions): Promise<void> {
  const added = [...state._pendingInput];
  if (promptsOf(added).length === 0) return;
  const input = await submitted(run, added, { ...options, delivery: 'followup' });
  if (input === added) return;
  state.clearPendingInput();
  state.addInput(input);
}

/** The texts that the user has sent since anybody else has spoken last. */
export function promptsOf(input: RunInput): readonly string[] {
  return typeof input === 'string' ? [input] : latest(input).map(({ content }) => textOf(content));
}

/** The input with another text in one of those messages; its images and files stay. */
function withPrompt<Input extends RunInput>(input: Input, nth: number, text: string): Input;
function withPrompt(input: RunInput, nth: number, text: string): RunInput {
  if (typeof input === 'string') return text;
  const message = latest(input)[nth];
  return input.map((item) =>
    item === message && isUserMessage(item)
      ? { ...item, content: typeof item.content === 'string' ? text : withText(item.content, text) }
      : item,
  );
}

type UserMessage = Extract<AgentInputItem, { role: 'user' }>;

/** Items after the last user message do not matter here: they are for the model to continue from. */
function latest(items: readonly AgentInputItem[]): readonly UserMessage[] {
  const heard = items.slice(0, items.findLastIndex(isUserMessage) + 1);
  const since = heard.findLastIndex((item) => !('role' in item) || item.role === 'assistant');
  return heard.slice(since + 1).filter(isUserMessage);
}

function isUserMessage(item: AgentInputItem): item is UserMessage {
  return 'role' in item && item.role === 'user';
}
