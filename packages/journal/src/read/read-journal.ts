import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Store, whyNoPath } from '@hooks/store';
import { JournalError } from '../error.ts';
import { canonicalJson, leafHash, lineOf, sha256, tornLine } from '../record/line.ts';
import { OWN_TYPES } from '../record/schema.ts';
import type { TornLine } from '../record/types.ts';
import { blobPath } from '../write/file-sink.ts';
import { dataKey, JOURNAL_STREAM, startOf } from '../write/store-sink.ts';
import { lastStart } from './last-record.ts';
import { type FileLine, LONGEST_TEXT, linesOf, textOf } from './lines.ts';
import {
  cutOffAt,
  type JournalReading,
  malformedAt,
  type ParsedLine,
  type ParsedRecord,
  parseLine,
  type ReadProblem,
  withData,
} from './parse.ts';
import { TornNames } from './torn-names.ts';

/** Where a journal is: a directory or a file of one, or a store. */
export type JournalSource = string | Store;

/** What to read. */
export interface ReadOptions {
  /** Only records from this time on. */
  readonly since?: Date | undefined;
  /** Only records of this session. */
  readonly session?: string | undefined;
  /**
   * Gets each line that is no record, and reading goes on behind it. Without it such a line is an error, but for one that is cut off
   * because its process was killed. Those come last, because a record further on may say that the process has written the line again.
   */
  readonly onProblem?: ((problem: ReadProblem) => void) | undefined;
}

/**
 * Reads a journal, record by record, in the order in which it was written. Holds about a megabyte in memory, however large the journal
 * is.
 *
 * @throws JournalError `NOT_FOUND`; `MALFORMED`, `NEWER_VERSION` where `onProblem` is not set
 * @example
 * ```ts
 * for await (const { record, data } of readJournal('.hooks/journal'))
 *   if (record.type === 'hooks.before_tool_call') console.log(record.tool?.name, data?.input);
 * ```
 */
export async function* readJournal(
  source: JournalSource,
  { since, session, onProblem }: ReadOptions = {},
): AsyncGenerator<JournalReading> {
  const from = since?.toISOString();
  const names = new TornNames();
  const torn: { readonly line: TornLine; readonly place: string }[] = [];
  for await (const portion of portionsOf(source, from)) {
    for (const parsed of portion) {
      // Nobody knows when such a line was written, and in which session.
      const left = leftOf(parsed);
      if (left) torn.push(left);
      if ('record' in parsed) names.note(parsed);
      // Both times are UTC with milliseconds.
      if ('record' in parsed && from !== undefined && parsed.record.time < from) continue;
      if ('record' in parsed && session !== undefined && parsed.record.session !== session) continue;
      const read = 'record' in parsed ? withData(parsed) : parsed;
      if ('reading' in read) yield read.reading;
      else if (read.problem.code === 'CUT_OFF') continue;
      else if (onProblem) onProblem(read.problem);
      else throw new JournalError(read.problem.code, read.problem.message);
    }
  }
  for (const { line, place } of torn) if (!names.take(line)?.again) onProblem?.(cutOffAt(place));
}

/** A line that was read, and where it stands in which file. */
export type Placed = ParsedLine & {
  readonly line?: FileLine;
  /** In a store: its position in the log. Not set for records that stand before the log. */
  readonly position?: number;
  /** In a store: the key of the value that has its data, and that of other records of its session. */
  readonly dataKey?: string;
};

/**
 * Reads a journal in portions, with the lines that are no records. A portion can be iterated once: it reads each blob
 * when it comes to it, because those of one portion may be larger than the memory.
 */
export async function* portionsOf(source: JournalSource, since?: string): AsyncGenerator<Iterable<Placed>> {
  if (typeof source !== 'string') {
    yield* storePortions(source);
    return;
  }
  const { directory, files } = filesOf(source);
  // A record is never written before the day on which it began; it may be written on a later one.
  const wanted = files.filter(
    (file) => since === undefined || basename(file) >= `${since.slice(0, 10)}.jsonl`,
  );
  yield* portionsIn(directory, await keptOf(wanted));
}

/** The files without those that a pruning has removed, should it have been killed before they were gone. */
export async function keptOf(files: readonly string[]): Promise<readonly string[]> {
  for (let at = files.length - 1; at > 0; at--)
    if (await beginsWithPruning(files[at] ?? '')) return files.slice(at);
  return files;
}

/** Where a journal begins. It is another place once a pruning has removed its oldest records. */
export async function beginningOf(source: JournalSource): Promise<string | null> {
  if (typeof source !== 'string') return (await startOf(source)).version;
  const [first = ''] = await keptOf(filesOf(source).files);
  return `${first} ${statSync(first, { throwIfNoEntry: false })?.ino}`;
}

/** Whether a file has the record of a pruning, in the place of a day that it removed. Those of earlier ones may stand before it. */
async function beginsWithPruning(file: string): Promise<boolean> {
  for await (const lines of linesOf(file))
    for (const line of lines) {
      const parsed = parseOf(line);
      const { type, pruning } = 'record' in parsed ? parsed.record : {};
      if (type === OWN_TYPES.pruning && basename(file) < `${pruning?.before}.jsonl`) return true;
      if (type !== OWN_TYPES.pruning && type !== OWN_TYPES.checkpoint) return false;
    }
  return false;
}

export async function* portionsIn(
  directory: string,
  files: readonly string[],
): AsyncGenerator<Iterable<Placed>> {
  for (const file of files)
    for await (const lines of linesOf(file)) {
      const wanted = lines.filter(({ text, ended }) => text !== '' || !ended);
      yield withBlobs(
        directory,
        wanted.map((line) => ({ ...parseOf(line), line })),
      );
    }
}

/** What is left of a torn line. */
function leftOf(placed: Placed): { readonly line: TornLine; readonly place: string } | undefined {
  if ('record' in placed) return placed.torn && { line: placed.torn, place: placed.place };
  const { problem, line } = placed;
  return problem.code === 'CUT_OFF' && line ? { line: tornLine(line.raw), place: problem.place } : undefined;
}

function* withBlobs(directory: string, portion: readonly Placed[]): Generator<Placed> {
  for (const placed of portion) yield { ...placed, ...withBlob(directory, placed) };
}

/** The files of a journal, oldest first. */
export function filesOf(path: string): { readonly directory: string; readonly files: readonly string[] } {
  const problem = whyNoPath(path);
  if (problem !== undefined) throw new JournalError('INVALID', `A journal needs ${problem}`);
  if (!existsSync(path)) throw new JournalError('NOT_FOUND', `There is no journal at ${path}.`);
  if (!statSync(path).isDirectory()) return { directory: dirname(path), files: [path] };
  const files = readdirSync(path)
    .filter((name) => /^\d{4}-\d{2}-\d{2}\.jsonl$/.test(name))
    .sort();
  if (files.length === 0)
    throw new JournalError(
      'NOT_FOUND',
      `There is no journal in ${path}: it has no file such as 2026-11-23.jsonl.`,
    );
  return { directory: path, files: files.map((name) => join(path, name)) };
}

function placeOf({ file, number }: FileLine): string {
  return `${basename(file)}:${number}`;
}

export function parseOf(line: FileLine): ParsedLine {
  const { text, ended } = line;
  const place = placeOf(line);
  // Also where it reads as a record: its process did not come to the end of its write, and may write it again.
  if (!ended) return { problem: cutOffAt(place) };
  const parsed = parseLine(text, place);
  return isWhole(parsed, text) ? parsed : (lastRecordOf(line) ?? parsed);
}

/** Whether a line is one record, or of a newer version. What was torn off in the data of a record reads as its data, if a record follows. */
function isWhole(parsed: ParsedLine, text = ''): boolean {
  if ('problem' in parsed) return parsed.problem.code === 'NEWER_VERSION';
  return text.slice(1).search(BEGINNING) < 0 || hasItsData(parsed);
}

/** The beginnings of a line. No text in a record holds them: quotes are escaped there. */
const BEGINNING = /\{"(?:data|hash)":/;

function hasItsData({ parts: { data }, record }: ParsedRecord): boolean {
  return typeof data !== 'string' || sha256(data) === record.commitment;
}

/** The record that a process has written behind what another one left of a line. */
function lastRecordOf(line: FileLine): ParsedRecord | undefined {
  const before = Math.max(0, line.raw.length - LONGEST_TEXT);
  const text = line.raw.toString('latin1', before);
  const recordAt = (found: number | undefined): ParsedRecord | undefined => {
    if (found === undefined || before + found <= 0) return undefined;
    const start = before + found;
    const parsed = parseLine(textOf(line.raw.subarray(start)), placeOf(line));
    if ('problem' in parsed || leafHash(parsed.parts.record) !== parsed.parts.hash) return undefined;
    return { ...parsed, torn: tornLine(line.raw.subarray(0, start)) };
  };
  const whole = recordAt(lastStart(text));
  if (whole && hasItsData(whole)) return whole;
  // Its data may be half erased. That of a record which names torn lines holds no beginning of a line.
  const naming = recordAt(text.lastIndexOf('{"data":'));
  return naming?.record.type === OWN_TYPES.torn ? naming : undefined;
}

/** Adds data that stands in a file of its own. */
export function withBlob(directory: string, parsed: ParsedLine): ParsedLine {
  if ('problem' in parsed) return parsed;
  const { blob, commitment } = parsed.record;
  // In an exported journal it stands in its line.
  if (blob === undefined || commitment === undefined || parsed.parts.data !== undefined) return parsed;
  const path = blobPath(directory, commitment);
  const data = existsSync(path) ? readFileSync(path, 'utf8') : null;
  return { ...parsed, parts: { ...parsed.parts, data } };
}

const PORTION = 200;

async function* storePortions(store: Store): AsyncGenerator<readonly Placed[]> {
  let portion: (() => Placed | Promise<Placed>)[] = [];
  const parse = storedParser(store);
  const parsed = (): Promise<readonly Placed[]> => {
    const places = portion;
    portion = [];
    return Promise.all(places.map((place) => place()));
  };
  const start = await startOf(store);
  yield await Promise.all(start.records.map((record) => parse(undefined, record)));
  let next = start.from;
  for await (const { position, record } of store.read(JOURNAL_STREAM)) {
    if (position < start.from) {
      // A pruning that was killed has left it. It removes a day that had not come, too.
      const day = String(Object(Object(record).record).time).slice(0, 10);
      if (day < start.before || day > start.day) continue;
      portion.push(() => misplaced(store, position, 'stands before the beginning of the journal'));
    } else {
      const missing = position - next;
      // A pruning says where the journal begins before it removes what is older.
      if (missing > 0 && (await startOf(store)).from < position)
        portion.push(() => misplaced(store, position, `does not follow: ${missing} before it are missing`));
      const isLarge = Object(Object(record).record).blob === true;
      // Of large values one at a time is in memory.
      if (isLarge && portion.length > 0) yield await parsed();
      portion.push(async () => ({ ...(await parse(position, record)), position }));
      next = position + 1;
      if (isLarge) yield await parsed();
    }
    if (portion.length >= PORTION) yield await parsed();
  }
  if (portion.length > 0) yield await parsed();
}

function misplaced(store: Store, position: number, what: string): Placed {
  const place = placeIn(store, position);
  return { problem: { code: 'MALFORMED', place, message: `${place} ${what}` } };
}

function placeIn(store: Store, position: number | undefined): string {
  return position === undefined
    ? `the beginning of the log in ${store.name}`
    : `record ${position} of the log in ${store.name}`;
}

/** Reads the records of a store from a position on, without their data. */
export async function* bareRecords(store: Store, from: number): AsyncGenerator<Placed> {
  for await (const { position, record } of store.read(JOURNAL_STREAM, { from }))
    yield parseStored(record, placeIn(store, position));
}

function parseStored(stored: unknown, place: string): ParsedLine {
  const { hash, record } = Object(stored) as { readonly hash?: unknown; readonly record?: object };
  // A store holds a record as a whole or not at all: nothing in it may read as a line that a kill has cut off.
  if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash))
    return { problem: malformedAt(place, 'is no record of a journal') };
  return parseLine(lineOf({ hash, record: canonicalJson(record) }), place);
}

/** Parses the records of a store, and reads their data once for those that have it in one value. */
export function storedParser(
  store: Store,
): (position: number | undefined, stored: unknown) => Promise<Placed> {
  const values = new Map<string, { readonly texts: Promise<Texts>; length: number }>();
  let held = 0;
  const read = async (key: string): Promise<Texts> =>
    Object(Object((await store.get(key))?.value).data) as Texts;
  const textsAt = (key: string): Promise<Texts> => {
    const known = values.get(key);
    if (known) return known.texts;
    const value = { texts: read(key), length: 0 };
    values.set(key, value);
    void value.texts.then(
      (texts) => {
        value.length = Object.values(texts).reduce<number>((sum, text) => sum + String(text).length, 0);
        held += value.length;
        for (const [oldest, { length }] of values) {
          if (held <= MOST_HELD && values.size <= MOST_VALUES) break;
          if (oldest === key) break;
          values.delete(oldest);
          held -= length;
        }
      },
      () => values.delete(key),
    );
    return value.texts;
  };
  return async (position, stored) => {
    const parsed = parseStored(stored, placeIn(store, position));
    const { data: bundle } = Object(stored) as { readonly data?: unknown };
    if ('problem' in parsed || parsed.record.commitment === undefined) return parsed;
    if (typeof bundle !== 'string' || !/^\d{1,20}$/.test(bundle))
      return { ...parsed, parts: { ...parsed.parts, data: null } };
    const key = dataKey(parsed.record.source, bundle);
    // A large value is that of one record, which is read once.
    const { [parsed.record.id]: text } = await (parsed.record.blob ? read(key) : textsAt(key));
    // Ids are numbers, so none is that of an inherited field. What is no text is not what was written.
    const data = text === undefined ? null : typeof text === 'string' ? text : '';
    return { ...parsed, parts: { ...parsed.parts, data }, dataKey: key };
  };
}

/** The data of some records, by their ids. Any program may have written it. */
type Texts = Readonly<Record<string, unknown>>;

/** The records that are written together may be of as many sessions. */
const MOST_VALUES = 256;
/** How many characters of them are kept. */
const MOST_HELD = 8_000_000;
