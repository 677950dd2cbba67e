import { type SessionKey, sessionKey } from '@hooks/core';
import { asBytes, bytesIn, shownAs } from './encodings.ts';
import { folded } from './folded.ts';
import { hostsIn, siteOf } from './links.ts';
import { parsedJson, textsOf } from './sources.ts';
import { spells } from './spelling.ts';
import { meant, meantValue } from './values/shown.ts';
import { countWords, ReadText, SEPARATOR } from './values/text.ts';
import { standsBelow, standsIn, type Value } from './values/value.ts';
import { digestOf } from './version.ts';

/** What happened in a conversation, as far as it says where values come from. Plain data, for a store. */
export type Entry =
  | { readonly kind: 'words'; readonly text: string; readonly at: number; readonly run?: string }
  /** What was said in a run does not count. */
  | { readonly kind: 'refused'; readonly run: string }
  | {
      readonly kind: 'trusted';
      readonly origin: string;
      /** The call that returned it, as `began` has it. */
      readonly call: string;
      readonly text: string;
      readonly input: string;
      readonly at: number;
    }
  | { readonly kind: 'untrusted'; readonly origin: string; readonly text: string }
  | { readonly kind: 'began'; readonly call: string }
  /** A result was read: one with the same key may stand in the history once more. In a store, its text is a hash. */
  | { readonly kind: 'read'; readonly result: string; readonly text?: string }
  /** A result stands in the history with another text, too, or this is a prompt or an answer. */
  | { readonly kind: 'shown'; readonly result: string; readonly text: string }
  /** `elsewhere`: the call began in another process, which may have noted it. */
  | { readonly kind: 'wrote'; readonly text: string; readonly elsewhere?: true }
  /** The agent wrote more than is kept. */
  | { readonly kind: 'full' }
  | { readonly kind: 'endorsed'; readonly keys: readonly string[] };

/** Limits of what is kept of a conversation, in characters. What is dropped is no longer known, so it is asked about. */
const MOST_WORDS = 1_000_000;
const MOST_TRUSTED = 2_000_000;
const MOST_UNTRUSTED = 500_000;
const MOST_OF_A_RESULT = 64_000;
export const MOST_WRITTEN = 4_000_000;
const MOST_ENDORSED = 2_000;
const LONGEST_ENDORSED = 1_000;
const MOST_BEGUN = 10_000;
const MOST_READ = 10_000;
const MOST_SHOWN = 4_000_000;
/** What a text costs besides its characters. */
const PER_TEXT = 64;

/** A text that was read: of the user, of a source that is trusted, or of others. */
export interface KnownText {
  readonly origin: string;
  readonly read: ReadText;
  /** Of the user's words: what they mean, where the words differ. */
  readonly meant?: ReadText;
  /** Of the user's words: the run that they began. */
  readonly run?: string;
  /** The input of the call that returned it, which it may only repeat. */
  readonly input?: WrittenText;
  /** Of all other texts: how many texts the agent had written before. Where it is unknown, the text may repeat any of them. */
  readonly after?: number;
}

/** What is known of one conversation. */
export class Memory {
  readonly words: KnownText[] = [];
  readonly trusted: KnownText[] = [];
  readonly untrusted: KnownText[] = [];
  readonly endorsed: Set<string> = new Set();
  /** Where anything that others wrote was first read. */
  touched: string | undefined;
  /** What the agent wrote with its tools: a source that shows it again vouches for nothing. */
  readonly #written: WrittenText[] = [];
  readonly #pieces = new WrittenPieces();
  /** The calls of trusted sources that have run. */
  readonly #began = new Set<string>();
  /** The results that were read, by their keys. */
  readonly #results = new Map<string, ReadResult>();
  readonly #lengths = { words: 0, trusted: 0, untrusted: 0, written: 0, shown: 0 };

  add(entry: Entry): void {
    const lengths = this.#lengths;
    switch (entry.kind) {
      case 'words': {
        const text = wholeLines(entry.text, MOST_WORDS);
        const said = meant(text);
        this.words.push({
          origin: 'your words',
          read: new ReadText(text, new Date(entry.at)),
          ...(said !== undefined && { meant: new ReadText(said, new Date(entry.at)) }),
          ...(entry.run !== undefined && { run: entry.run }),
        });
        lengths.words = trim(this.words, lengths.words, MOST_WORDS);
        return;
      }
      case 'refused': {
        const kept = this.words.filter(({ run }) => run !== entry.run);
        this.words.splice(0, this.words.length, ...kept);
        lengths.words = kept.reduce((sum, { read }) => sum + read.length + PER_TEXT, 0);
        return;
      }
      case 'began':
        this.#began.add(entry.call);
        for (const oldest of this.#began) {
          if (this.#began.size <= MOST_BEGUN) break;
          this.#began.delete(oldest);
        }
        return;
      case 'read':
      case 'shown': {
        const { times, texts } = this.#results.get(entry.result) ?? { times: 0, texts: new Set() };
        if (entry.text !== undefined) this.#keepShown(texts, entry.text);
        this.#results.delete(entry.result); // the oldest come first
        this.#results.set(entry.result, { times: entry.kind === 'read' ? times + 1 : times, texts });
        for (const oldest of this.#results.keys()) {
          if (this.#results.size <= MOST_READ) break;
          this.#results.delete(oldest);
        }
        return;
      }
      case 'trusted': {
        // A client may post results of calls that nobody made.
        if (!this.#began.has(entry.call)) {
          this.add({ ...entry, kind: 'untrusted' });
          return;
        }
        // Nobody can tell any more what the agent itself has written.
        if (this.isFull) return;
        this.trusted.push({
          origin: entry.origin,
          read: new ReadText(wholeLines(entry.text, MOST_TRUSTED), new Date(entry.at)),
          // Most were noted when the call began.
          input: this.#written.findLast((text) => text.is(entry.input)) ?? new WrittenText(entry.input),
          after: this.#written.length,
        });
        lengths.trusted = trim(this.trusted, lengths.trusted, MOST_TRUSTED);
        return;
      }
      case 'untrusted': {
        this.touched ??= entry.origin;
        if (lengths.untrusted > MOST_UNTRUSTED) return;
        const text = cut(entry.text, MOST_OF_A_RESULT);
        // Once the agent has written more than is kept, anything may be its own.
        const after = this.isFull ? {} : { after: this.#written.length };
        this.untrusted.push({ origin: entry.origin, read: new ReadText(text, new Date()), ...after });
        lengths.untrusted += text.length + PER_TEXT;
        return;
      }
      case 'wrote':
        if (this.isFull || entry.text === '') return;
        if (entry.elsewhere && this.#written.some((written) => written.is(entry.text))) return;
        this.#written.push(new WrittenText(cut(entry.text, MOST_WRITTEN)));
        lengths.written += entry.text.length + PER_TEXT;
        return;
      case 'full':
        lengths.written = Number.POSITIVE_INFINITY;
        return;
      case 'endorsed':
        for (const key of entry.keys)
          if (key.length < LONGEST_ENDORSED && this.endorsed.size < MOST_ENDORSED) this.endorsed.add(key);
    }
  }

  /** Whether the agent has written more than is kept, so that no later result can be told from its own words. */
  get isFull(): boolean {
    return this.#lengths.written > MOST_WRITTEN;
  }

  /**
   * Whether the agent has read nothing that others wrote. Where no prompt was seen, as in a proxy or around a single tool, nobody
   * knows.
   */
  get isUntouched(): boolean {
    return this.touched === undefined && this.words.length > 0;
  }

  /** How often a result was read. */
  timesRead(result: string): number {
    return this.#results.get(result)?.times ?? 0;
  }

  /** Whether a result was read with this text. */
  hasShown(result: string, text: string): boolean {
    const texts = this.#results.get(result)?.texts;
    if (texts === undefined || texts.has(text)) return texts !== undefined;
    if (!texts.has(digestOf(text))) return false;
    this.#keepShown(texts, text);
    return true;
  }

  /** The text itself is compared faster than its hash. */
  #keepShown(texts: Set<string>, text: string): void {
    if (texts.has(text)) return;
    const isKept = this.#lengths.shown + text.length < MOST_SHOWN;
    if (isKept) this.#lengths.shown += text.length;
    texts.add(isKept ? text : digestOf(text));
  }

  /** Where a value is known from: the user's words, or a source that is trusted. */
  origin(value: Value, below = false): string | undefined {
    const values = [value, meantValue(value) ?? value];
    const said = this.words.find(
      ({ read, meant = read }) => stands(value, read, below) || values.some((one) => standsIn(one, meant)),
    );
    if (said !== undefined) return said.origin;
    const isEcho = this.#echoOf(value);
    return this.trusted.find((text) => stands(value, text.read, below) && !isEcho(text))?.origin;
  }

  /** Where others wrote a value, and do not only repeat the agent. */
  read(value: Value): string | undefined {
    const isEcho = this.#echoOf(value);
    return this.untrusted.find((text) => standsIn(value, text.read) && !isEcho(text))?.origin;
  }

  /** Returns a function that says whether a text may only repeat what the agent wrote before. */
  #echoOf(value: Value): (text: KnownText) => boolean {
    let first: number | undefined;
    return ({ input, after }) => {
      if (after === undefined) return true;
      if (input !== undefined && (input.has(value) || input.makes(value))) return true;
      first ??= this.#written.findIndex((text) => text.has(value));
      return (first !== -1 && first < after) || this.#pieces.make(value, this.#written, after);
    };
  }

  /**
   * Where the user says a value, letter for letter, and how many bits it says which of the words since then it is. A value of several
   * words that follow each other is one choice of where it begins and ends.
   */
  said(value: Value): { readonly origin: string; readonly bits: number } | undefined {
    let words = 1;
    for (const { origin, read, meant = read } of this.words.toReversed()) {
      words += read.words;
      if (!standsIn(value, read) && !standsIn(value, meant)) continue;
      const length = Math.max(1, countWords(value.text));
      return { origin, bits: Math.log2(words) + Math.min(2 * Math.log2(length), Math.log2(words)) };
    }
    return undefined;
  }

  /** How many links of a site stand in what was read, also where a text has nothing but their hosts. */
  linksOf(site: string): number {
    const found = new Set<string>();
    for (const { read } of [...this.words, ...this.trusted, ...this.untrusted]) {
      for (const { kind, key } of read.typed) if (kind === 'url' && siteOf(key) === site) found.add(key);
      for (const link of hostsIn(read.text, site)) found.add(link);
    }
    return found.size;
  }

  /** Where the user says some words, with capitals or without. */
  saidInAnyCase({ kind, text }: Value): string | undefined {
    if (kind !== 'text' || !WORDS.test(text)) return undefined;
    const words = text.toLowerCase();
    return this.words.find(({ read }) => read.lowered.has(words))?.origin;
  }

  /** Where a value that is not known was first read: as a whole value, or else as a part of one. */
  firstSeen(value: Value): string | undefined {
    const whole = this.untrusted.find(({ read }) => standsIn(value, read));
    return (whole ?? this.untrusted.find(({ read }) => read.text.includes(value.text)))?.origin;
  }
}

function stands(value: Value, read: ReadText, below: boolean): boolean {
  return standsIn(value, read) || (below && standsBelow(value, read));
}

/** Words that have nothing but letters. Of all other values, a service may tell cases apart. */
const WORDS = /^\p{L}[\p{L}\p{M}'’ -]*$/u;

interface ReadResult {
  readonly times: number;
  /** The texts with which a history may show it, or their hashes. */
  readonly texts: Set<string>;
}

/** What the agent wrote with a tool. */
class WrittenText {
  readonly #text: string;
  #all: { readonly text: string | undefined } | undefined;
  #letters: string | undefined;
  #folded: string | undefined;
  #digits: string | undefined;
  #words: string | undefined;
  #read: ReadText | undefined;
  #bytes: readonly string[] = [];
  #pieces: readonly string[] | undefined;
  #own: WrittenPieces | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  is(text: string): boolean {
    return this.#text === text;
  }

  /** Its texts, and what a service may make of them. Undefined where that is too much. */
  #decoded(): string | undefined {
    this.#all ??= { text: this.#readAll() };
    return this.#all.text;
  }

  #readAll(): string | undefined {
    const texts = new Set(this.#text.split(SEPARATOR));
    if (/[[{]/.test(this.#text))
      for (const text of texts) {
        if (texts.size > MOST_TEXTS) return undefined;
        const shown = /^\s*[[{]/.test(text) ? undefined : shownAs(text);
        for (const one of shown === undefined ? [text] : [text, shown])
          for (const inner of textsOf(parsedJson(one))) texts.add(inner.replaceAll(SEPARATOR, '\ufffd'));
      }
    const shown = [...texts].flatMap((text) => shownAs(text) ?? []);
    this.#bytes = bytesIn([...texts, ...shown]);
    const all = new Set([
      ...texts,
      ...shown,
      ...this.#bytes.flatMap((text) => [text, shownAs(text) ?? text]),
    ]);
    if ([...all].reduce((sum, { length }) => sum + length, 0) > MOST_DECODED) return undefined;
    return [...all].map((one) => one.replaceAll(SEPARATOR, '\ufffd')).join(SEPARATOR);
  }

  /** Each of its values, without names of fields. */
  get values(): readonly string[] {
    const [values = ''] = this.#text.split(SEPARATOR + SEPARATOR);
    return values.split(SEPARATOR);
  }

  /** The letters of the values, and of what some are the bytes of. */
  get pieces(): {
    readonly values: readonly string[];
    readonly digits: string;
    readonly bytes: readonly string[];
  } {
    this.#decoded();
    this.#pieces ??= this.values.map(lettersIn);
    return {
      values: this.#pieces,
      digits: this.values.map((text) => text.replace(NO_BYTES, '')).join(''),
      bytes: this.#bytes.filter(({ length }) => length < LONGEST_MADE).map(lettersIn),
    };
  }

  /** Whether its own pieces make a value. */
  makes(value: Value): boolean {
    this.#own ??= new WrittenPieces();
    return this.#own.make(value, [this], 1);
  }

  has(value: Value): boolean {
    const all = this.#decoded();
    // Nobody knows what it has.
    if (all === undefined) return true;
    const letters = lettersOf(value);
    const isNumber = value.kind === 'number';
    // Short values stand in others by chance.
    if (letters.length >= SHORT && !isNumber) {
      this.#letters ??= lettersIn(all);
      if (this.#letters.includes(letters)) return true;
      this.#digits ??= all.replace(NO_BYTES, '');
      if (asBytes(value.text).some((bytes) => this.#digits?.includes(bytes))) return true;
    }
    this.#folded ??= folded(all);
    if (spells(this.#folded, value.text)) return true;
    // No other text has the letters of these.
    if (letters.length >= SHORT && (value.kind === 'address' || value.kind === 'iban')) return false;
    if (letters !== '') {
      this.#words ??= `${wordsIn(all)}${joinedWordsIn(all)}`;
      if (!isNumber && this.#words.includes(wordsIn(value.text))) return true;
      if (this.#words.includes(` ${joinedUp(value.text)} `)) return true;
    }
    this.#read ??= new ReadText(all, new Date());
    // `12,50` may come back as 12.5.
    return (
      standsIn(value, this.#read) || (NUMERIC.test(value.text) && this.#read.hasNumber(Number(value.text)))
    );
  }
}

const NUMERIC = /^-?\d{1,20}(?:\.\d{1,20})?$/;

/** What the agent wrote with several calls, which a service may put together again: `eve@ev` and `il.example`. */
class WrittenPieces {
  #all = '';
  /** Where each text ends in `all`. */
  readonly #ends: number[] = [];
  /** The texts that have a piece as a whole value, from the first. */
  readonly #first = new Map<string, number>();
  /** The digits of bytes, and where those of each text end. */
  #digits = '';
  readonly #digitEnds: number[] = [];
  /** The short values, which may have numbers of letters, and where those of each text end. */
  #codes = '';
  readonly #codeEnds: number[] = [];

  make(value: Value, written: readonly WrittenText[], after: number): boolean {
    const letters = lettersOf(value);
    if (value.kind === 'number' || letters.length < SHORT || letters.length > LONGEST_MADE) return false;
    for (let nth = this.#ends.length; nth < written.length; nth++) this.#add(written[nth], nth);
    // One after the other.
    const at = this.#all.indexOf(letters);
    if (at !== -1 && at + letters.length <= (this.#ends[after - 1] ?? 0)) return true;
    const digits = this.#digits.slice(0, this.#digitEnds[after - 1] ?? 0);
    if (asBytes(value.text).some((bytes) => digits.includes(bytes))) return true;
    if (spells(this.#codes.slice(0, this.#codeEnds[after - 1] ?? 0), value.text)) return true;
    // In any order.
    const isMade = [true];
    for (let end = 1; end <= letters.length; end++)
      for (let start = 0; start < end && !isMade[end]; start++)
        isMade[end] =
          (isMade[start] ?? false) && (this.#first.get(letters.slice(start, end)) ?? after) < after;
    return isMade[letters.length] ?? false;
  }

  #add(text: WrittenText | undefined, nth: number): void {
    const { values = [], bytes = [], digits = '' } = text?.pieces ?? {};
    this.#all += values.join('');
    this.#digits += digits;
    this.#digitEnds.push(this.#digits.length);
    this.#ends.push(this.#all.length);
    for (const piece of [...values, ...bytes])
      if (piece.length >= SHORTEST_PIECE && piece.length < LONGEST_MADE && !this.#first.has(piece))
        this.#first.set(piece, nth);
    for (const one of text?.values ?? []) if (one.length < LONGEST_MADE) this.#codes += folded(one);
    this.#codeEnds.push(this.#codes.length);
  }
}

/** In letters and digits. */
const SHORT = 8;
const SHORTEST_PIECE = 3;
const LONGEST_MADE = 256;

/** The letters and digits of a value, without the scheme that a service may put before a host. */
function lettersOf({ kind, text }: Value): string {
  return lettersIn(kind === 'url' ? text.replace(/^[a-z][a-z\d+.-]*:\/\//i, '') : text);
}

/** All letters and digits: a service may leave out or add what stands between. */
function lettersIn(text: string): string {
  return folded(text).replace(NO_LETTERS, '');
}

/** The same with a space between words, and around them. */
function wordsIn(text: string): string {
  return ` ${sameNumbers(folded(text)).replace(NO_LETTERS, ' ').replace(ZEROS, '').trim()} `;
}

/** Each word that has signs in it as one: `e-v-e`. */
function joinedWordsIn(text: string): string {
  const words = text.split(WORDS_APART).filter((word) => /[^\p{L}\p{N}]/u.test(word));
  // A point may be one between thousands: `1.000`.
  return `${words.map((word) => `${joinedUp(word)} ${lettersIn(word)}`).join(' ')} `;
}

const WORDS_APART = new RegExp(`[\\s${SEPARATOR}]+`);

function joinedUp(word: string): string {
  return sameNumbers(folded(word)).replace(NO_LETTERS, '').replace(ZEROS, '');
}

/** Writes equal numbers alike: 42, 0042, 42.00 and 4.2e1. */
function sameNumbers(text: string): string {
  return text.replace(NUMBER, (written) => {
    const number = Number(written.replaceAll(',', ''));
    return Number.isSafeInteger(Math.trunc(number)) ? String(number) : written;
  });
}

const NUMBER = /(?<![\p{L}\p{N}.,])\d[\d,]{0,20}(?:\.\d{1,20})?(?:e[+-]?\d)?(?![\p{L}\p{N}])/giu;
const ZEROS = /(?<!\d)0+(?=\d)/g;

/** How many texts are read of one call. */
const MOST_TEXTS = 100_000;
/** How many characters what is decoded of it may have. */
const MOST_DECODED = 8_000_000;

/** What is no digit of base64 or hexadecimal, or may stand between others. */
const NO_BYTES = /[^A-Za-z\d]+/g;

const NO_LETTERS = /[^\p{L}\p{N}]+/gu;

/** Drops the oldest texts until the rest fits. Returns the length of the rest. */
function trim(texts: KnownText[], before: number, most: number): number {
  const lengthOf = (text: KnownText | undefined): number => (text?.read.length ?? 0) + PER_TEXT;
  let length = before + lengthOf(texts.at(-1));
  while (length > most && texts.length > 1) length -= lengthOf(texts.shift());
  return length;
}

/** The beginning of a text, as a text of its own: a slice would keep the whole in memory. */
function cut(text: string, most: number): string {
  return text.length <= most ? text : JSON.parse(JSON.stringify(text.slice(0, most)));
}

/** The first lines or texts of a text that vouches for values: one that was cut would be another value. */
export function wholeLines(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most + 1);
  return cut(text, Math.max(0, kept.lastIndexOf('\n'), kept.lastIndexOf(SEPARATOR)));
}

/** The memories of a session, by the provider that keeps them. */
export const MEMORIES: SessionKey<Map<object, Memory>> = sessionKey('@hooks/flow');
