import { besideText, type PromptPort, type SubmitOptions } from '@hooks/core/adapter';
import type { AgentInputItem } from '@openai/agents';
import type { SdkState } from '../internals.ts';
import { textOf, withText } from '../translate.ts';
import type { HookedRun } from './hooked-run.ts';

/** The input of a run: a text, or items, among them the user's messages. */
export type RunInput = string | AgentInputItem[];

/** Hooks refused a user's message. `kept` is what the history keeps. */
export interface RefusedItems {
  readonly kept: AgentInputItem[];
}

/**
 * Submits the user's messages of an input.
 *
 * @returns the input as hooks left it, or that hooks refused it
 * @throws BlockedError if the run throws refusals
 */
export async function submitted(
  run: HookedRun,
  input: RunInput,
  options: SubmitOptions,
): Promise<RunInput | RefusedItems> {
  if (typeof input !== 'string') return submittedItems(run, input, input, options);
  const items = await submittedItems(run, [{ role: 'user', content: input }], input, options);
  if ('kept' in items) return items;
  const [left] = items;
  return left !== undefined && isUserMessage(left) ? textOf(left.content) : input;
}

/** The same of what a user has said while a run was paused (`state.addInput`). */
export async function submitAdded(
  run: HookedRun,
  state: SdkState,
  options: SubmitOptions,
): Promise<RefusedItems | undefined> {
  const added = [...state._pendingInput];
  if (!added.some(isUserMessage)) return undefined;
  const input = await submittedItems(run, added, added, { ...options, delivery: 'followup' });
  if ('kept' in input) return input;
  if (input === added) return undefined;
  state.clearPendingInput();
  state.addInput(input);
  return undefined;
}

/** The text of the user's last message. */
export function lastPrompt(items: readonly AgentInputItem[]): string | undefined {
  const last = items.findLast(isUserMessage);
  return last && textOf(last.content);
}

/** The items as hooks left them, the same array if they changed none; or that hooks refused them. */
async function submittedItems(
  run: HookedRun,
  items: AgentInputItem[],
  native: RunInput,
  options: SubmitOptions,
): Promise<AgentInputItem[] | RefusedItems> {
  const port: PromptPort<AgentInputItem> = {
    read(item) {
      if (!isUserMessage(item)) return 'role' in item && item.role === 'system' ? undefined : 'answer';
      const { content, providerData } = item;
      return {
        text: textOf(content),
        parts: [...besideText(content, 'input_text'), { providerData }],
        native,
      };
    },
    write: (item, text) =>
      isUserMessage(item)
        ? { ...item, content: typeof item.content === 'string' ? text : withText(item.content, text) }
        : item,
  };
  const result = await run.submitInput(items, port, options);
  if (result.kind === 'blocked') {
    run.hookedBy.throwRejection(run);
    return { kept: [...result.kept] };
  }
  return result.messages === items ? items : [...result.messages];
}

type UserMessage = Extract<AgentInputItem, { role: 'user' }>;

function isUserMessage(item: AgentInputItem): item is UserMessage {
  return 'role' in item && item.role === 'user';
}
