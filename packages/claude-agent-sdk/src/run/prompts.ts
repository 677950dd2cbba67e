import type { SDKUserMessage } from '@anthropic-ai/claude-agent-sdk';
import type { HookDecision } from '@hooks/core';
import { joinParts, spreadParts } from '@hooks/core/adapter';
import type { HookAnswer, InputOf } from '../sdk.ts';
import type { Conversation, Expected } from './conversation.ts';

/** The text of a refused prompt, which Claude Code would keep in its queue. */
const PLACEHOLDER = '(A hook refused this prompt.)';

/** Submits a prompt before Claude Code gets it, and returns what Claude Code gets. */
export async function submitFirst(
  conversation: Conversation,
  given: SDKUserMessage,
  setModel: (model: string | undefined) => Promise<void>,
): Promise<SDKUserMessage> {
  const message = withPasted(given);
  const text = textOf(message);
  await conversation.settle();
  const steers = conversation.isRunning;
  // A prompt drops the call that waits.
  if (!steers) conversation.deferred = undefined;
  const run = steers && conversation.main ? conversation.main : await conversation.open();
  const submitted = await run.submit(
    [{ text, native: message, parts: partsOf(message) }],
    steers ? { delivery: 'steering' } : { ...conversation.model, refuse: refuseSettings },
  );
  // A command of Claude Code may send the history to the model without asking about the prompt.
  const stop = submitted.kind === 'blocked' ? submitted.stop : run.stop;
  if (submitted.kind === 'blocked' || stop !== undefined) {
    conversation.expected.push({ text: PLACEHOLDER, run, stop });
    return { ...message, message: { ...message.message, content: PLACEHOLDER } };
  }
  if (!steers) await setModel(run.model);
  const [left = text] = submitted.prompts;
  conversation.expected.push({ text: left, run });
  return left === text ? message : withText(message, left);
}

/** Decides on a prompt that Claude Code has got: one that was submitted first, or of whom else Claude Code heard it from. */
export async function submitHere(
  conversation: Conversation,
  input: InputOf<'UserPromptSubmit'>,
): Promise<HookAnswer> {
  const { prompt } = input;
  const { expected, setting } = conversation;
  const known = takeExpected(expected, prompt);
  if (known?.stop !== undefined) return refusal(known.stop.reason);
  if (known !== undefined) {
    let { run } = known;
    if (run.over || (run === conversation.main && conversation.answer !== undefined)) {
      // It steered a run that ended before Claude Code read it.
      run = await conversation.open();
      run.lastUserMessage = prompt;
      const submitted = await run.submit([], { ...conversation.model, refuse: refuseSettings });
      if (submitted.kind === 'blocked') return refusal(submitted.stop.reason);
    }
    return proceed(conversation);
  }
  // The end of a background task, and the like: nobody's prompt.
  if (!isUsers(input, setting.seesPrompts)) {
    const run = conversation.isRunning ? await conversation.runOf(undefined) : await conversation.open();
    await run.startTurn();
    return proceed(conversation);
  }
  const steers = conversation.isRunning;
  const run = steers && conversation.main ? conversation.main : await conversation.open();
  const submitted = await run.submit(
    [{ text: prompt, native: input }],
    steers ? { delivery: 'steering' } : { ...conversation.model, refuse: refuseSettings },
  );
  if (submitted.kind === 'blocked') return refusal(submitted.stop.reason);
  if (submitted.prompts[0] !== prompt)
    return refusal(
      'A hook rewrote the prompt, and Claude Code does not let a hook replace one: use hookedQuery in place of query.',
    );
  if (run.model !== undefined && run.model !== setting.options.model)
    return refusal(
      'A hook chose another model, which Claude Code does not let a hook do: use hookedQuery in place of query.',
    );
  return proceed(conversation);
}

/** Takes out what a prompt was submitted as. Claude Code joins those that wait in its queue. */
function takeExpected(expected: Expected[], prompt: string): Expected | undefined {
  for (const from of expected.keys()) {
    const taken: Expected[] = [];
    let joined: string | undefined;
    for (const one of expected.slice(from)) {
      joined = joined === undefined ? one.text : `${joined}\n${one.text}`;
      if (!prompt.startsWith(joined)) break;
      taken.push(one);
      if (joined !== prompt) continue;
      expected.splice(from, taken.length);
      return taken.find(({ stop }) => stop === undefined) ?? one;
    }
  }
  return undefined;
}

/**
 * Whether a prompt that was not submitted may have somebody's words: the initial prompt of an agent, for example.
 * Without `hookedQuery`, nothing tells those from the messages of Claude Code, whose text anybody can write.
 */
function isUsers({ source, prompt }: InputOf<'UserPromptSubmit'>, seesPrompts: boolean): boolean {
  if (source !== undefined) return source === 'user' || source === 'sdk';
  return !seesPrompts || !(prompt.startsWith('<task-notification>') || prompt === RESUMED);
}

/** What Claude Code says to go on with a call that waited. */
const RESUMED = 'Continue from where you left off.';

async function proceed(conversation: Conversation): Promise<HookAnswer> {
  const run = await conversation.runOf(undefined);
  if (run.turn === undefined) await run.startTurn();
  if (run.stop !== undefined) return refusal(run.stop.reason);
  return { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', ...conversation.contextOf(run) } };
}

function refusal(reason: string): HookAnswer {
  return {
    decision: 'block',
    reason,
    hookSpecificOutput: { hookEventName: 'UserPromptSubmit', suppressOriginalPrompt: true },
  };
}

function refuseSettings(decision: HookDecision): string | undefined {
  return decision.kind === 'modify' && 'settings' in decision.patch
    ? 'Claude Code does not let a hook change the settings of model calls'
    : undefined;
}

function textOf({ message: { content } }: SDKUserMessage): string {
  return typeof content === 'string' ? content : joinParts(content, '\n');
}

/** What a message has besides its text. */
function partsOf({ message: { content } }: SDKUserMessage): unknown {
  if (typeof content === 'string') return undefined;
  const parts = content.filter(({ type }) => type !== 'text');
  return parts.length > 0 ? parts : undefined;
}

/** The message with what a user pasted in its content, where Claude Code would put it later. */
function withPasted(message: SDKUserMessage): SDKUserMessage {
  const { pasted_content: pasted, ...rest } = message;
  if (pasted === undefined) return message;
  const { content } = message.message;
  const typed: readonly ContentPart[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const parts = pasted.flatMap((entry): readonly ContentPart[] =>
    typeof entry === 'string' ? [{ type: 'text', text: entry }] : entry.filter(({ type }) => type === 'text'),
  );
  return { ...rest, message: { role: 'user', content: [...typed, ...parts] } };
}

type ContentPart = Exclude<SDKUserMessage['message']['content'], string>[number];

/** The message with another text. Its other parts stay. */
function withText(message: SDKUserMessage, text: string): SDKUserMessage {
  const given: string | readonly ContentPart[] = message.message.content;
  const content = typeof given === 'string' ? text : spreadParts(given, text, '\n');
  return { ...message, message: { role: 'user', content } };
}
