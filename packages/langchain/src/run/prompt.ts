import { AfterModelCall, BeforeRun, type Hooks, Stop, UserPromptSubmit } from '@hooks/core';
import {
  type BaseMessage,
  ChatMessage,
  coerceMessageLikeToMessage,
  HumanMessage,
} from '@langchain/core/messages';
import { type BlockMark, markFrom } from '../blocked.ts';
import { isCommand } from '../tool/result.ts';
import { type NamedModel, roleOf, withText } from '../translate.ts';
import { common, hearing } from './events.ts';
import type { HookedRun } from './run.ts';

/** The input of a run as hooks left it; with `refused` it must not run. */
export interface SubmittedInput {
  readonly state: unknown;
  readonly refused?: BlockMark;
}

interface SubmitOptions {
  readonly model: NamedModel;
  readonly signal: AbortSignal | undefined;
  /** Where among the messages the prompts are. */
  readonly prompts?: (messages: readonly BaseMessage[]) => readonly number[];
}

/** Whether hooks are asked about the prompt, or are told of it later. */
export const isPromptHeard: (hooks: Hooks) => boolean = hearing(
  UserPromptSubmit,
  BeforeRun,
  AfterModelCall,
  Stop,
);

/** Where among messages those are that a user has sent since the model or a tool last spoke. */
export function promptsIn(messages: readonly BaseMessage[]): readonly number[] {
  const since = messages.findLastIndex((message) => ['assistant', 'tool'].includes(roleOf(message)));
  return messages.flatMap((message, index) => (index > since && isUsers(message) ? [index] : []));
}

/** The same of an input: what is put in the model's mouth behind them, for it to go on from, changes nothing. */
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
 * Asks `UserPromptSubmit` about the user's new messages in an input, or in what a Command updates, then `BeforeRun`,
 * before the framework has seen any of it.
 */
export async function submitPrompt(
  hooks: Hooks,
  run: HookedRun,
  state: unknown,
  { model, signal, prompts: find = promptsOf }: SubmitOptions,
): Promise<SubmittedInput> {
  const given = messagesOf(fieldsOf(state));
  const messages = given?.map(coerceMessageLikeToMessage) ?? [];
  const prompts = find(messages);
  if (prompts.length === 0 && goesOn(state)) return { state };
  const before = run.prompts; // A node that is run again after a pause gives the same ones once more.
  run.prompts = new Map();
  let changed = false;
  let asks = before === undefined;
  for (const index of prompts) {
    const message = messages[index] as BaseMessage;
    const { text } = message;
    let prompt = before?.get(text);
    if (prompt === undefined) {
      asks = true;
      run.lastUserMessage = text;
      const event = { ...common(run), prompt: text, ...model, native: message };
      const decision = await hooks.dispatch(UserPromptSubmit, event, { signal });
      if (decision.kind === 'block')
        return { state: isCommand(state) ? { messages } : state, refused: markFrom(decision) };
      prompt = (decision.kind === 'modify' ? decision.patch.prompt : undefined) ?? text;
    }
    run.prompts.set(text, prompt);
    run.lastUserMessage = prompt;
    if (prompt === text) continue;
    messages[index] = withText(message, prompt);
    changed = true;
  }
  const refused = asks ? await beforeRun(hooks, run, model, signal) : undefined;
  const input = changed ? withMessages(state, messages) : state;
  if (refused === undefined) return { state: input };
  return { state: isCommand(input) || given === undefined ? { messages } : input, refused };
}

/** The text of the last of the user's messages in an input. */
export function lastPrompt(state: unknown): string | undefined {
  const messages = messagesOf(fieldsOf(state))?.map(coerceMessageLikeToMessage);
  return messages?.findLast(isUsers)?.text;
}

/** Whether an input is none, or a Command: then a thread goes on. */
export function goesOn(state: unknown): boolean {
  return state === null || state === undefined || isCommand(state);
}

/** The fields of the state that an input sets. */
function fieldsOf(input: unknown): unknown {
  if (!isCommand(input)) return input;
  const update: unknown = input.update;
  return Array.isArray(update) ? Object.fromEntries(update) : update;
}

function withMessages(input: unknown, messages: readonly BaseMessage[]): unknown {
  const fields = { ...Object(fieldsOf(input)), messages };
  return isCommand(input)
    ? Object.assign(Object.create(Object.getPrototypeOf(input)), input, { update: fields })
    : fields;
}

async function beforeRun(
  hooks: Hooks,
  run: HookedRun,
  model: NamedModel,
  signal: AbortSignal | undefined,
): Promise<BlockMark | undefined> {
  const { metadata } = run.session.run(run.id);
  const event = {
    ...common(run),
    message: run.lastUserMessage ?? '',
    metadata,
    ...model,
  };
  const decision = await hooks.dispatch(BeforeRun, event, { signal });
  if (decision.kind === 'block') return markFrom(decision);
  if (decision.kind === 'modify') {
    run.model = decision.patch.model;
    run.settings = decision.patch.settings;
  }
  return undefined;
}

type MessageLike = Parameters<typeof coerceMessageLikeToMessage>[0];

function messagesOf(state: unknown): readonly MessageLike[] | undefined {
  const messages: unknown =
    typeof state === 'object' && state !== null ? Reflect.get(state, 'messages') : undefined;
  if (Array.isArray(messages)) return messages;
  return messages === undefined ? undefined : [messages as MessageLike]; // LangGraph takes a single message, too
}
