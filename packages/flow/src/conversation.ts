import type { AfterToolCall, BeforeModelCall, ModelMessage, Session } from '@hooks/core';
import { rootOf } from '@hooks/core/adapter';
import { hashInput } from '@hooks/core/tool-call';
import type { Store } from '@hooks/store';
import { resultKey, unreadResults } from './history.ts';
import { callsIn, type MadeCall, writtenInput } from './inputs.ts';
import { type Entry, MEMORIES, Memory, MOST_WRITTEN, wholeLines } from './memory.ts';
import { type PromptParts, promptParts } from './untrusted.ts';
import { spaced } from './values/text.ts';
import { hashOf } from './version.ts';

/** The part of a store that {@link flow} uses. */
export type FlowStore = Pick<Store, 'append' | 'read'>;

/** How long a store keeps what is known of a conversation: a week. */
const KEPT_MS = 7 * 24 * 60 * 60_000;

/** The conversations that one provider knows. A sub-agent belongs to that of its parent. */
export function conversations(store: FlowStore | undefined): { of(session: Session): Conversation } {
  const key = {};
  const shared = new WeakMap<Session, SharedMemory>();
  /** By the session that began it: a sub-agent's thread may be used in several. */
  const own = new WeakMap<SharedMemory, WeakMap<Session, Conversation>>();
  const sharedOf = (session: Session): SharedMemory => {
    let known = shared.get(session);
    if (known === undefined) {
      known = new SharedMemory(session.id, store);
      shared.set(session, known);
      session.get(MEMORIES, () => new Map()).set(key, known.memory);
    }
    return known;
  };
  return {
    of(session) {
      const begun = sharedOf(rootOf(session));
      const within = own.get(begun) ?? new WeakMap<Session, Conversation>();
      own.set(begun, within);
      const conversation = within.get(session) ?? new Conversation(begun, session.parent && session.id);
      within.set(session, conversation);
      return conversation;
    },
  };
}

/** A prompt as the user wrote it. */
type HeardPrompt = PromptParts & { readonly prompt: string };

/** What one session sees of a conversation. */
export class Conversation {
  readonly #shared: SharedMemory;
  /** The id of a sub-agent's session. */
  readonly #child: string | undefined;
  /** What this process has seen itself, to tell what it has not. */
  #results = 0;
  /** The results that no model call has had yet, each with the run of its call. */
  readonly #unshown = new Map<string, string | undefined>();
  readonly #noted = new Set<string>();
  /** The prompts of each run that hooks are still asked about. */
  readonly #heard = new Map<string | undefined, readonly HeardPrompt[]>();
  /** How many calls of an id and an input write something that is noted, and are not over. */
  readonly #writing = new Map<string, number>();
  /** What the questions have shown. */
  readonly #asked = new Map<string, readonly string[]>();

  constructor(shared: SharedMemory, child: string | undefined) {
    this.#shared = shared;
    this.#child = child;
  }

  get memory(): Memory {
    return this.#shared.memory;
  }

  /** Adds what happened. Resolves once a store has it. */
  add(...entries: readonly Entry[]): Promise<void> | undefined {
    return this.#shared.add(entries);
  }

  /** Notes once that the model reads something of which hooks see no text: a file, or what the provider's tools return. */
  reads(origin: string): Promise<void> | undefined {
    if (this.#noted.has(origin)) return undefined;
    this.#noted.add(origin);
    return this.add({ kind: 'untrusted', origin, text: '' });
  }

  /** Resolves once a store has everything that was added. */
  flush(): Promise<void> | undefined {
    return this.#shared.add([]);
  }

  /** Brings the memory up to date. Rejects if the store cannot be asked. */
  load(): Promise<void> | undefined {
    return this.#shared.load();
  }

  /** The conversation has an earlier part. Resolves once a store has that. */
  resumes(): Promise<void> | undefined {
    return this.#shared.resume();
  }

  /** Does something that the next call waits for. */
  meanwhile(work: () => Promise<void>): Promise<void> {
    return this.#shared.meanwhile(work);
  }

  /** The user said something, which counts once the prompt is accepted. */
  hear(run: string | undefined, parts: PromptParts, prompt: string): void {
    this.#heard.set(run, [...(this.#heard.get(run) ?? []), { ...parts, prompt }]);
  }

  /**
   * Takes a prompt of a run that hooks have decided about. Hooks may have rewritten it: of several that wait, nobody can tell then
   * which it was, and none counts.
   */
  #decided(run: string | undefined, prompt: string): HeardPrompt | undefined {
    const waiting = this.#heard.get(run) ?? [];
    const same = waiting.findIndex((heard) => heard.prompt === prompt);
    const isClear = same !== -1 || waiting.length === 1;
    const at = Math.max(0, same);
    const others = waiting.filter((_, nth) => nth !== at);
    if (others.length === 0) this.#heard.delete(run);
    else this.#heard.set(run, isClear ? others : others.map((heard) => ({ ...heard, words: [] })));
    return isClear ? waiting[at] : undefined;
  }

  /** What the user said with a prompt counts. `prompt` is what hooks left of it. */
  accept(run: string | undefined, left: string): void {
    const heard = this.#decided(run, left);
    if (heard === undefined) return;
    const { prompt } = heard;
    this.expect(prompt);
    const at = Date.now();
    // What a hook has marked as quoted is not the user's, nor what it has written beside it.
    const marked = promptParts(left);
    const isMarked = marked.quoted.length > heard.quoted.length;
    const words = isMarked ? marked.words.filter((text) => prompt.includes(text)) : heard.words;
    const { quoted } = isMarked ? marked : heard;
    const entries: Entry[] = words.map((text) => ({ kind: 'words', text, at, ...(run && { run }) }));
    for (const text of quoted)
      entries.push({ kind: 'untrusted', origin: 'a quoted part of the prompt', text });
    // `flush` reports a store that cannot be reached, and so does the next call that needs it.
    this.add(...entries)?.catch(() => {});
  }

  /**
   * A prompt is refused: it may be of somebody who may not write here.
   *
   * @param isRun whether the run is refused with it, and so all that was said in it
   */
  refuse(run: string | undefined, prompt: string, isRun: boolean): void {
    this.#decided(run, prompt);
    if (isRun) this.refuseRun(run);
  }

  /** A run is refused. */
  refuseRun(run: string | undefined): void {
    if (run !== undefined) this.add({ kind: 'refused', run })?.catch(() => {});
  }

  /** A message of the user that the model will read, of which this process knows where it comes from. */
  expect(prompt: string): void {
    // The first message of a sub-agent is no prompt, but its parent's model has written it.
    if (this.#child === undefined) void this.#show(PROMPTS, prompt);
  }

  /** The model answered. Resolves once a store has it. */
  answered(text: string): Promise<void> | undefined {
    return text === '' ? undefined : this.#show(ANSWERS, text);
  }

  /** A call was made with this input, by the model or as the framework reads it. Resolves once a store has it. */
  called({ callId, input }: MadeCall): Promise<void> | undefined {
    return this.#show(this.#callKey(callId), writtenInput(input));
  }

  #callKey(callId: string): string {
    return `call ${resultKey(this.#child ?? '', callId)}`;
  }

  #show(result: string, text: string): Promise<void> | undefined {
    const entry: Entry = { kind: 'shown', result, text: spaced(text) };
    if (this.memory.hasShown(result, entry.text)) return undefined;
    this.memory.add(entry); // now, because a store may not be reached
    // Where a store cannot be reached, the next call that needs it says so.
    return this.add(entry)?.catch(() => {});
  }

  /** A question shows these values of a call. */
  asks(call: MadeCall, keys: readonly string[]): void {
    this.#asked.set(noteKey(call), keys);
    for (const oldest of this.#asked.keys()) {
      if (this.#asked.size <= MOST_ASKED) break;
      this.#asked.delete(oldest);
    }
  }

  /** The values that the question about a call has shown. Undefined where it had another input, or another process put it. */
  shown(call: MadeCall): readonly string[] | undefined {
    return this.#asked.get(noteKey(call));
  }

  /** Notes what the agent writes with a call. Resolves once a store has it. */
  writes(call: MadeCall, text: string): Promise<void> | undefined {
    const key = noteKey(call);
    this.#writing.set(key, (this.#writing.get(key) ?? 0) + 1);
    for (const oldest of this.#writing.keys()) {
      if (this.#writing.size <= MOST_ASKED) break;
      this.#writing.delete(oldest);
    }
    return this.add({ kind: 'wrote', text });
  }

  /** Whether it is noted what a call writes that is not over. */
  isWriting(call: MadeCall): boolean {
    return this.#writing.has(noteKey(call));
  }

  /** A call is over. */
  ends(call: MadeCall): void {
    const key = noteKey(call);
    this.#asked.delete(key);
    const others = (this.#writing.get(key) ?? 0) - 1;
    if (others > 0) this.#writing.set(key, others);
    else this.#writing.delete(key);
  }

  /** Notes that a result was read. */
  read({ callId, run }: Pick<AfterToolCall, 'callId' | 'run'>): Extract<Entry, { readonly kind: 'read' }> {
    this.#results++;
    const result = resultKey(this.#child ?? '', callId);
    this.#unshown.set(result, run);
    return { kind: 'read', result };
  }

  /** Looks for messages that nobody here has seen: of another process, of a session that was closed, or replaced by a client. */
  compare({ messages, run }: BeforeModelCall): Promise<void> | undefined {
    const results = messages.filter(({ role }) => role === 'tool');
    const own = new Set([...this.#unshown].flatMap(([result, of]) => (of === run ? [result] : [])));
    this.#unshown.clear();
    const texts = messages.flatMap((message): readonly ShownText[] => {
      const { role } = message;
      if (role !== 'assistant' && (role !== 'user' || this.#child !== undefined)) return [];
      const text = spaced(message.text);
      if (role === 'user') return [{ result: PROMPTS, text }];
      const calls = callsIn(message).flatMap((call): readonly ShownText[] => {
        // Frameworks may write it as the tool reads it, with defaults and numbers for texts.
        if (own.has(resultKey(this.#child ?? '', call.callId))) void this.called(call);
        return [{ result: this.#callKey(call.callId), text: spaced(writtenInput(call.input)) }];
      });
      return text === '' ? calls : [{ result: ANSWERS, text }, ...calls];
    });
    // An adapter of somebody else may not say of which call a result is.
    const isUnseen = results.length > this.#results && results.some(({ callId }) => callId === undefined);
    const reading = this.#shared.readEarlier(results, texts, this.#child ?? '', own);
    if (isUnseen) this.#shared.miss();
    return reading;
  }
}

const MOST_ASKED = 1_000;

function noteKey({ callId, input }: MadeCall): string {
  return JSON.stringify([callId, writtenInput(input)]);
}

/** Where a memory keeps the answers of the models and the prompts of a conversation, beside results. A result has another key. */
const ANSWERS = 'answers';
const PROMPTS = 'prompts';

/** A text of a history, and where a memory keeps what was seen of its kind. */
interface ShownText {
  readonly result: string;
  readonly text: string;
}

/** The memory of a conversation, in this process or in a store. */
class SharedMemory {
  readonly memory: Memory = new Memory();
  readonly #id: string;
  readonly #store: FlowStore | undefined;
  #stream: Promise<string> | undefined;
  /** How many records of the store the memory has, and the id of the last one. */
  #position = 0;
  #last: unknown;
  readonly #unsent: Entry[] = [];
  /** What the next call waits for. */
  #working: Promise<void> | undefined;

  constructor(id: string, store: FlowStore | undefined) {
    this.#id = id;
    this.#store = store;
  }

  add(entries: readonly Entry[]): Promise<void> | undefined {
    if (this.#store === undefined) {
      for (const entry of entries) this.memory.add(entry);
      return undefined;
    }
    this.#unsent.push(...entries);
    return this.#inTurn(() => this.#send());
  }

  load(): Promise<void> | undefined {
    const store = this.#store;
    if (store === undefined) return this.#working;
    return (this.#working ?? Promise.resolve()).then(() => this.#inTurn(() => this.#read(store)));
  }

  async #read(store: FlowStore): Promise<void> {
    await this.#send();
    if (!(await this.#readOn(store))) {
      // What was read has expired, and others may have begun anew.
      this.#position = 0;
      const { touched } = this.memory;
      if (touched !== undefined) this.#unsent.push({ kind: 'untrusted', origin: touched, text: '' });
      await this.#send();
      await this.#readOn(store);
    }
  }

  /** Reads what is new. Resolves to whether the stream still has the last record that was read. */
  async #readOn(store: FlowStore): Promise<boolean> {
    let isSame = this.#position === 0;
    const from = Math.max(0, this.#position - 1);
    for await (const { record, position } of store.read(await this.#streamOf(), { from })) {
      if (!isSame) {
        if (position !== from || idOf(record) !== this.#last) return false;
        isSame = true;
        continue;
      }
      this.memory.add(entryOf(record));
      this.#position = position + 1;
      this.#last = idOf(record);
    }
    return isSame;
  }

  meanwhile(work: () => Promise<void>): Promise<void> {
    const done = work();
    const settled = done.then(
      () => {},
      () => {},
    );
    this.#working = Promise.all([this.#working, settled]).then(() => {});
    return done;
  }

  /** Adds the results of a history that nobody has read, and looks for answers, calls and prompts that nobody has given here. */
  readEarlier(
    results: readonly ModelMessage[],
    texts: readonly ShownText[],
    place: string,
    own: ReadonlySet<string>,
  ): Promise<void> | undefined {
    const unread = unreadResults(results, place, own, this.memory);
    const store = this.#store;
    const isSeen = (): boolean => texts.every(({ result, text }) => this.memory.hasShown(result, text));
    if (unread.length === 0 && isSeen()) return undefined;
    if (store === undefined) {
      const adding = this.add(unread);
      if (!isSeen()) this.miss();
      return adding;
    }
    return this.#inTurn(async () => {
      try {
        // Another process may have read them, or this one just now.
        await this.#read(store);
        this.#unsent.push(...unreadResults(results, place, own, this.memory));
        await this.#read(store);
        if (!isSeen()) this.miss();
        await this.#send();
      } catch (error) {
        this.miss();
        throw error;
      }
    });
  }

  /**
   * The conversation has an earlier part. Where a store knows nothing of it, nobody knows what the model has read. Without a store,
   * the next model call shows it.
   */
  async resume(): Promise<void> {
    if (this.#store === undefined) return;
    await this.load();
    if (this.memory.words.length > 0) return;
    this.miss();
    await this.add([]);
  }

  /** The model reads something that nobody here has seen. A store keeps that, because the history may lose it. */
  miss(): void {
    if (this.memory.touched !== undefined) return;
    const origin = 'an earlier part of the conversation, which this process has not seen';
    this.memory.touched = origin;
    if (this.#store !== undefined) this.#unsent.push({ kind: 'untrusted', origin, text: '' });
  }

  async #send(): Promise<void> {
    // Each record has an id, by which a stream that has expired is told from the one that has begun in its place.
    const batch = await Promise.all(
      this.#unsent.map(async (entry) => ({ ...(await shortened(entry)), id: crypto.randomUUID() })),
    );
    if (batch.length === 0) return;
    await this.#store?.append(await this.#streamOf(), batch, { ttlMs: KEPT_MS });
    this.#unsent.splice(0, batch.length);
  }

  #streamOf(): Promise<string> {
    this.#stream ??= hashInput(this.#id).then((hash) => `flow/${hash}`);
    return this.#stream;
  }

  /** Runs one thing after the other, also after one that failed. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = (this.#turn ?? Promise.resolve()).then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  #turn: Promise<void> | undefined;
}

/** What is stored of an entry. What the agent wrote is stored as a whole: a part would vouch for the rest. */
async function shortened(entry: Entry): Promise<Entry> {
  if (entry.kind === 'read' || entry.kind === 'shown')
    return entry.text === undefined ? entry : { ...entry, text: await hashOf(entry.text) };
  if (entry.kind === 'wrote') return entry.text.length > MOST_WRITTEN ? { kind: 'full' } : entry;
  if (entry.kind === 'untrusted') return { ...entry, text: entry.text.slice(0, MOST_STORED) };
  return 'text' in entry ? { ...entry, text: wholeLines(entry.text, MOST_STORED) } : entry;
}

const MOST_STORED = 256_000;

function entryOf(record: unknown): Entry {
  const { kind } = Object(record) as Partial<Entry>;
  if (kind === undefined || !KINDS.has(kind))
    throw new Error('flow: the store has a record of another program under its name');
  return record as Entry;
}

function idOf(record: unknown): unknown {
  return (Object(record) as { readonly id?: unknown }).id;
}

const KINDS: ReadonlySet<string> = new Set<Entry['kind']>([
  'words',
  'refused',
  'trusted',
  'untrusted',
  'wrote',
  'full',
  'began',
  'read',
  'shown',
  'endorsed',
]);
