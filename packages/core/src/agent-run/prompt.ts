import type { HookDecision } from '../decision.ts';
import { defined } from '../defined.ts';
import { BeforeRun, UserPromptSubmit } from '../event/catalogue/prompt.ts';
import { isObject, isPlain } from '../plain.ts';
import { identityOf } from '../principal.ts';
import { promptKey } from './known-prompts.ts';
import { refusedSetting } from './settings.ts';
import { type RunState, type RunStop, unlessAborted } from './state.ts';

/** A model, as events describe it. */
export interface NamedModel {
  readonly model?: string;
  readonly provider?: string;
}

/** A user message. */
export interface Prompt {
  readonly text: string;
  /** Identifies the prompt in its run. The same prompt, submitted again with the same id after a pause, runs no hooks. */
  readonly id?: string;
  /**
   * The content besides the text, such as images, and the fields of texts and of the message itself. The same text with other
   * parts is another prompt. What is empty counts as missing.
   */
  readonly parts?: readonly object[];
  /** The framework's own message. */
  readonly native?: unknown;
  /**
   * Whether the input contains an answer behind it. Then it may be part of a history that is posted again: no hook runs
   * if a run of this session has submitted it.
   */
  readonly answered?: boolean;
  /** Set where no user sent it: an agent did, or its framework. */
  readonly delivery?: 'notification';
}

/** How an adapter reads and writes the messages of its framework's input. */
export interface PromptPort<Message> {
  /** A user's message as a prompt; `answer` for one of the model or a tool; undefined for others, such as system messages. */
  read(message: Message): Omit<Prompt, 'answered'> | 'answer' | undefined;
  /** The user's message with another text. Its other parts stay. */
  write(message: Message, text: string): Message;
}

/** The context of a prompt. */
export interface SubmitOptions extends NamedModel {
  /** `prompt` begins a run. The others arrive during a run, after `BeforeRun`. Default: `prompt`. */
  readonly delivery?: 'prompt' | 'steering' | 'followup';
  /** Why a `BeforeRun` decision cannot be honored: its model is not available. */
  refuse?(decision: HookDecision): string | undefined;
}

/** Hooks ended the run. `at` is the index of the refused prompt; undefined if `BeforeRun` refused. */
export interface RefusedInput {
  readonly kind: 'blocked';
  readonly stop: RunStop;
  readonly at?: number;
}

/** The texts of the prompts as hooks left them, in order; or that the run must not continue. */
export type Submitted = { readonly kind: 'submitted'; readonly prompts: readonly string[] } | RefusedInput;

/** The messages of an input as hooks left them, or that the run must not continue. */
export type SubmittedInput<Message> =
  | { readonly kind: 'submitted'; readonly messages: readonly Message[] }
  | (RefusedInput & {
      /** What stands before the refused prompt, without the user's messages that it leaves unanswered: a history keeps these. */
      readonly kept: readonly Message[];
    });

/**
 * Submits all user messages of an input, wherever they stand. Messages that hooks did not change stay the same objects, as
 * does the list if they changed none.
 */
export async function submitInput<Message>(
  messages: readonly Message[],
  { read, write }: PromptPort<Message>,
  submit: (prompts: readonly Prompt[]) => Promise<Submitted>,
): Promise<SubmittedInput<Message>> {
  const all = messages.map((message) => read(message));
  const lastAnswer = all.lastIndexOf('answer');
  const places: number[] = [];
  const prompts = all.flatMap((one, index): Prompt[] => {
    if (one === undefined || one === 'answer') return [];
    places.push(index);
    return [{ ...one, answered: index < lastAnswer }];
  });
  const submitted = await submit(prompts);
  if (submitted.kind === 'blocked') {
    const at = submitted.at === undefined ? undefined : places[submitted.at];
    const before = all.slice(0, at);
    const unanswered = new Set(unansweredIn(before));
    const kept = messages.slice(0, at).filter((_, index) => !unanswered.has(index));
    return { kind: 'blocked', stop: submitted.stop, ...defined({ at }), kept };
  }
  const changed = [...messages];
  submitted.prompts.forEach((text, nth) => {
    const place = places[nth] ?? -1;
    const message = messages[place];
    if (message !== undefined && text !== prompts[nth]?.text) changed[place] = write(message, text);
  });
  const isChanged = changed.some((message, index) => message !== messages[index]);
  return { kind: 'submitted', messages: isChanged ? changed : messages };
}

/**
 * The indexes of the user's messages that nobody has answered: those behind the last answer. No history keeps them if hooks refuse
 * the input.
 */
export function unansweredPrompts<Message>(
  messages: readonly Message[],
  { read }: PromptPort<Message>,
): readonly number[] {
  return unansweredIn(messages.map((message) => read(message)));
}

function unansweredIn(all: readonly ReturnType<PromptPort<never>['read']>[]): readonly number[] {
  const last = all.lastIndexOf('answer');
  return all.flatMap((one, index) => (index > last && one !== undefined ? [index] : []));
}

/**
 * Fires `UserPromptSubmit` for each prompt that is new in its session, then `BeforeRun`. A sub-agent's first message is
 * not a user's prompt.
 *
 * @param known the prompts of this run by id and content, with the texts that hooks left
 */
export async function submitPrompts(
  run: RunState,
  known: Map<string, string>,
  prompts: readonly Prompt[],
  options: SubmitOptions,
): Promise<Submitted> {
  const { delivery = 'prompt' } = options;
  const ids = await Promise.all(prompts.map(idOf));
  const goesOn = ids.length > 0 && ids.every((id) => id !== undefined && known.has(id));
  const hears = run.parent === undefined && run.hears(UserPromptSubmit);
  const counts = new Map<string, number>();
  const texts: string[] = [];
  for (const [at, prompt] of prompts.entries()) {
    const { text } = prompt;
    const id = ids[at];
    const seen = hears ? await seenBefore(run, prompt, counts) : undefined;
    const before = (id === undefined ? undefined : known.get(id)) ?? seen;
    run.lastUserMessage = before ?? text;
    if (before === undefined && hears) {
      const decision = await askAboutPrompt(run, prompt, options);
      if (decision.kind === 'block') return { kind: 'blocked', stop: run.endBy(decision), at };
    }
    texts.push(run.lastUserMessage);
    if (id !== undefined) known.set(id, run.lastUserMessage);
  }
  const stop = delivery === 'prompt' && !goesOn ? await beforeRun(run, options) : undefined;
  return stop === undefined ? { kind: 'submitted', prompts: texts } : { kind: 'blocked', stop };
}

/** Identifies a prompt with an id by that and its content: a client may give its id to another one. */
async function idOf({ id, text, parts }: Prompt): Promise<string | undefined> {
  return id === undefined ? undefined : promptKey([id, text, filled(parts)]);
}

/**
 * What hooks left of a prompt that a run of this session has submitted. Undefined for a new one.
 *
 * @param counts how often each prompt stands in the input so far, by key
 */
async function seenBefore(
  run: RunState,
  { text, parts, answered = false }: Prompt,
  counts: Map<string, number>,
): Promise<string | undefined> {
  const key = await keyOf(run, text, parts);
  if (key === undefined) return undefined;
  const nth = counts.get(key) ?? 0;
  counts.set(key, nth + 1);
  return answered ? run.knownPrompt(key, nth, text) : undefined;
}

/** Fires `UserPromptSubmit`. What hooks make of the text is the run's last user message. */
async function askAboutPrompt(
  run: RunState,
  { text, native, parts, answered = false, ...prompt }: Prompt,
  { refuse: _, ...options }: SubmitOptions,
) {
  const { delivery = options.delivery } = prompt;
  const event = {
    ...options,
    prompt: text,
    ...defined({ delivery, answered: answered || undefined, native }),
  };
  const decision = await unlessAborted(run.signal, run.ask(UserPromptSubmit, event));
  if (decision.kind === 'block') return decision;
  const left = (decision.kind === 'modify' ? decision.patch.prompt : undefined) ?? text;
  run.lastUserMessage = left;
  await rememberPrompt(run, text, left, parts);
  return decision;
}

/** Fires `BeforeRun`, unless it is the run of a sub-agent. Returns why a hook ended the run, if so. */
async function beforeRun(
  run: RunState,
  { delivery: _, refuse, ...model }: SubmitOptions,
): Promise<RunStop | undefined> {
  if (run.parent !== undefined || !run.hears(BeforeRun)) return undefined;
  const { metadata } = run.session.run(run.id);
  const event = { ...model, message: run.lastUserMessage ?? '', metadata };
  const asked = run.ask(BeforeRun, event, {
    refuse: (decision) => refusedSetting(decision) ?? refuse?.(decision),
  });
  const decision = await unlessAborted(run.signal, asked);
  if (decision.kind === 'block') return run.endBy(decision);
  if (decision.kind === 'modify') {
    run.model = decision.patch.model;
    run.settings = decision.patch.settings;
  }
  return undefined;
}

/** Remembers a user message of the run's history, and the one that hooks made of it: a client may post either again. */
export async function rememberPrompt(
  run: RunState,
  text: string,
  left: string = text,
  parts?: Prompt['parts'],
): Promise<void> {
  const changed = left === text ? undefined : left;
  const key = await keyOf(run, text, parts);
  if (key !== undefined) run.rememberPrompt(key, changed);
  if (changed === undefined) return;
  const ofLeft = await keyOf(run, left, parts);
  if (ofLeft !== undefined) run.rememberPrompt(ofLeft, undefined);
}

/** What was let through for one principal is new from another, and from the same with other rights. */
function keyOf({ principal }: RunState, text: string, parts: Prompt['parts']): Promise<string | undefined> {
  return promptKey([text, filled(parts), identityOf(principal)]);
}

/** Parts without their empty fields, and without parts that have no other ones. Undefined if none is left. */
function filled(parts: Prompt['parts'] = []): readonly object[] | undefined {
  const left = parts.map(withoutEmpty).filter((part) => !isEmpty(part));
  return left.length > 0 ? left : undefined;
}

function withoutEmpty(part: object): object {
  return isPlain(part)
    ? Object.fromEntries(Object.entries(part).filter(([, value]) => !isEmpty(value)))
    : part;
}

/**
 * Whether a value says nothing: undefined, an empty list, or an object without fields. Bytes, dates and instances of classes hold
 * what their fields do not show.
 */
function isEmpty(value: unknown): boolean {
  return value === undefined || (isObject(value) && isPlain(value) && Object.keys(value).length === 0);
}
