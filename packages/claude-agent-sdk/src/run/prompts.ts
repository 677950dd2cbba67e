import type { SDKUserMessage } from '@anthropic-ai/claude-agent-sdk';
import type { HookDecision } from '@hooks/core';
import { type AgentRun, besideText, joinParts, spreadParts } from '@hooks/core/adapter';
import { lostSetting } from '@hooks/language-model';
import type { HookAnswer, InputOf } from '../sdk.ts';
import type { Conversation, Expected } from './conversation.ts';
import type { Gate } from './gate.ts';

/** What Claude Code says to itself to go on with a call that waited. */
const RESUMED = 'Continue from where you left off.';

/** The text of a refused prompt, which Claude Code would keep in its queue. */
const PLACEHOLDER = '(A hook refused this prompt.)';

/**
 * Submits a prompt before Claude Code gets it, and returns what Claude Code gets. Nothing for a refused one that was sent
 * into a run: the run ends, and its result says why.
 */
export async function submitFirst(
  conversation: Conversation,
  given: SDKUserMessage,
  setModel: (model: string | undefined) => Promise<void>,
): Promise<SDKUserMessage | undefined> {
  const { uuid = crypto.randomUUID() } = given;
  const message = { ...given, uuid };
  const text = textOf(message);
  await conversation.settle();
  const { steered } = conversation;
  const steers = steered !== undefined;
  // A prompt drops the call that waits.
  if (!steers) conversation.deferred = undefined;
  const run = steered ?? (await conversation.open());
  const submitted = await run.submit(
    [{ text, native: message, parts: besideText(message.message.content) }],
    steers ? { delivery: 'steering' } : { ...conversation.model, refuse: refuseSettings(conversation) },
  );
  // A command of Claude Code may send the history to the model without asking about the prompt.
  if (submitted.kind === 'blocked' || (!steers && run.stop !== undefined)) {
    if (steers && !run.over) return undefined;
    const ended = steers ? await conversation.open() : run;
    // The result of the run that it was sent into has been read.
    if (submitted.kind === 'blocked') ended.endBy(submitted.stop);
    conversation.setting.expected.push({ text: PLACEHOLDER, uuid, run: ended, begins: true });
    return { ...message, message: { ...message.message, content: PLACEHOLDER } };
  }
  if (!steers) await setModel(run.model);
  const [left = text] = submitted.prompts;
  conversation.setting.expected.push({ text: left, uuid, run, begins: !steers });
  return left === text ? message : withText(message, left);
}

/** Decides on a prompt that Claude Code has got: one that was submitted first, or of whom else Claude Code heard it from. */
export async function submitHere(
  gate: Gate,
  conversation: Conversation,
  input: InputOf<'UserPromptSubmit'>,
): Promise<HookAnswer> {
  const { prompt, source, prompt_id: promptId } = input;
  const { setting } = conversation;
  const known = takeExpected(setting.expected, prompt);
  if (known.length > 0) return submittedBefore(gate, conversation, known, input);
  // A bare query has no proxy, whatever its options say.
  if (setting.seesModels && !setting.seesPrompts) return refusal(NO_PROXY);
  const isUsers = source === undefined ? !setting.seesPrompts : source === 'user' || source === 'sdk';
  const running = conversation.running(promptId);
  const run = await conversation.enter(running ?? (await conversation.open()), promptId);
  if (!isUsers && prompt === RESUMED && setting.options.resume !== undefined) {
    await run.startTurn();
    return proceed(conversation);
  }
  const submitted = await run.submit(
    // News of a background task, an agent's initial prompt, what a model has scheduled, and the like.
    [{ text: prompt, native: input, ...(!isUsers && { delivery: 'notification' }) }],
    running ? { delivery: 'steering' } : { ...conversation.model, refuse: refuseSettings(conversation) },
  );
  if (submitted.kind === 'blocked') return refusal(submitted.stop.reason);
  const instead = setting.seesPrompts ? '' : ': use hookedQuery in place of query';
  if (submitted.prompts[0] !== prompt)
    return refused(
      run,
      `A hook rewrote the prompt, and Claude Code does not let a hook replace one${instead}.`,
    );
  if (run.model !== undefined && run.model !== setting.options.model)
    return refused(run, `A hook chose another model, which Claude Code does not let a hook do${instead}.`);
  return proceed(conversation);
}

const NO_PROXY = "The option `models: 'proxy'` works in hookedQuery only: use it in place of query.";

/** Lets Claude Code go on with what was submitted first, in the run that it was submitted to. */
async function submittedBefore(
  gate: Gate,
  conversation: Conversation,
  known: readonly Expected[],
  { prompt, prompt_id: promptId }: InputOf<'UserPromptSubmit'>,
): Promise<HookAnswer> {
  const isRefused = ({ run, begins }: Expected) => begins && run.stop !== undefined;
  const blocked = known.filter(isRefused);
  const left = known.filter((one) => !isRefused(one));
  // The result of the turn tells of them all.
  for (const { run, begins } of [...blocked, ...left]) if (begins) await conversation.enter(run, promptId);
  const [first] = blocked;
  if (first?.run.stop !== undefined && left.length === 0) return refusal(first.run.stop.reason);
  const running = conversation.running(promptId);
  if (left.some(({ run }) => run === running)) return proceed(conversation);
  // They were sent into a run, or a session, that ended before Claude Code read them.
  const run = await conversation.enter(await conversation.open(), promptId);
  run.lastUserMessage = prompt;
  const submitted = await run.submit([], { ...conversation.model, refuse: refuseSettings(conversation) });
  if (submitted.kind === 'blocked') return refusal(submitted.stop.reason);
  // Claude Code would switch after its next call of the model.
  return run.model === undefined || gate.usesModel(run.model)
    ? proceed(conversation)
    : refused(
        run,
        'A hook chose another model for a prompt that was sent into a run which is over, and Claude Code has read it already: send it again.',
      );
}

/** Takes out what a prompt was submitted as. Claude Code joins those that wait in its queue, and drops space around them. */
function takeExpected(expected: Expected[], prompt: string): readonly Expected[] {
  const wanted = prompt.trim();
  for (const from of expected.keys()) {
    const taken = joinedFrom(expected, from, wanted);
    for (const one of taken) expected.splice(expected.indexOf(one), 1);
    if (taken.length > 0) return taken;
  }
  return [];
}

/** Those from one on that a prompt is joined of, whatever waits between them. None if something is left over. */
function joinedFrom(expected: readonly Expected[], from: number, prompt: string): readonly Expected[] {
  const taken: Expected[] = [];
  let rest = prompt;
  for (let nth = from; nth < expected.length; nth++) {
    const one = expected[nth] as Expected;
    const text = one.text.trim();
    const after = rest.slice(text.length);
    const isNext = rest.startsWith(text) && (text === '' || isBroken(after));
    if (!isNext && taken.length === 0) return [];
    if (!isNext) continue;
    taken.push(one);
    rest = after.trimStart();
    if (rest === '') return taken;
  }
  return [];
}

/** Whether a text is over, or goes on in another line: Claude Code joins prompts by line breaks. */
function isBroken(text: string): boolean {
  const space = text.slice(0, text.length - text.trimStart().length);
  return text === space || space.includes('\n');
}

async function proceed(conversation: Conversation): Promise<HookAnswer> {
  const run = await conversation.runOf(undefined);
  if (run.turn === undefined) await run.startTurn();
  if (run.stop !== undefined) return refusal(run.stop.reason);
  return conversation.contextOf(run);
}

/** Refuses a prompt, which stays in no message and in no file. */
export function refusal(reason: string): HookAnswer {
  return { block: reason, suppressOriginalPrompt: true };
}

/** Refuses a prompt, and ends its run. */
function refused(run: AgentRun, reason: string): HookAnswer {
  return refusal(run.endBy({ reason }).reason);
}

function refuseSettings({ setting }: Conversation): (decision: HookDecision) => string | undefined {
  if (setting.seesModels) return lostSetting;
  return (decision) =>
    decision.kind === 'modify' && 'settings' in decision.patch
      ? "Claude Code does not let a hook change the settings of model calls: set `models: 'proxy'`"
      : undefined;
}

function textOf({ message: { content } }: SDKUserMessage): string {
  return typeof content === 'string' ? content : joinParts(content, '\n');
}

/**
 * The message with all that Claude Code would add to it without asking: what starts no turn before it, and what a user
 * pasted.
 */
export function withAdded(notes: readonly SDKUserMessage[], message: SDKUserMessage): SDKUserMessage {
  const { pasted_content: pasted, ...rest } = message;
  if (notes.length === 0 && pasted === undefined) return message;
  const content = [...notes, message].flatMap(({ message: own, pasted_content: entries = [] }) => [
    ...contentOf(own.content),
    ...entries.flatMap((entry) => contentOf(entry).filter(({ type }) => type === 'text')),
  ]);
  return { ...rest, message: { role: 'user', content } };
}

/** Whether Claude Code may take a prompt for one of its commands. */
export function mayBeCommand({ message: { content } }: SDKUserMessage): boolean {
  return contentOf(content).some((part) => part.type === 'text' && part.text.trimStart().startsWith('/'));
}

function contentOf(content: string | readonly ContentPart[]): readonly ContentPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

type ContentPart = Exclude<SDKUserMessage['message']['content'], string>[number];

/** The message with another text. Its other parts stay. */
function withText(message: SDKUserMessage, text: string): SDKUserMessage {
  const given: string | readonly ContentPart[] = message.message.content;
  const content = typeof given === 'string' ? text : spreadParts(given, text, '\n');
  return { ...message, message: { role: 'user', content } };
}
