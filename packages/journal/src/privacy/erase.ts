import type { KeyObject } from 'node:crypto';
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FileLine } from '../read/lines.ts';
import { filesOf, type JournalSource, type Placed, portionsIn, portionsOf } from '../read/read-journal.ts';
import { erasedTorn, TornNames } from '../read/torn-names.ts';
import { lineOf, tornLine } from '../record/line.ts';
import { OWN_TYPES } from '../record/schema.ts';
import type { Responsible, TornLine } from '../record/types.ts';
import { readFrom } from '../write/append.ts';
import { blobPath } from '../write/file-sink.ts';
import { dataKeysOf } from '../write/store-sink.ts';
import { changing, checkSigningKey, endLastLine, note } from './note.ts';
import { oldBlobsOf } from './old-blobs.ts';

/** Who erases, and why: both stay in the journal. */
export interface EraseOptions extends Responsible {
  /** The private key that signs the record of it. Give it where the journal is signed. */
  readonly key?: KeyObject;
}

/** What was erased. */
export interface Erased {
  /** The session, and those of its sub-agents. */
  readonly sessions: readonly string[];
  /** How many records lost their data. */
  readonly records: number;
  /**
   * The places of text that is neither a record nor a torn line. Nobody knows whose data it holds, so it stays. The journal is
   * broken there.
   */
  readonly unread: readonly string[];
}

/**
 * Erases the values and texts of a session and of its sub-agents: inputs, outputs, prompts, answers, reasons, principals. Their records
 * stay, so that the journal still verifies, and one more says who has erased them and why. Close the
 * journal of the writing process first: what it has not written yet, it writes afterwards. Nobody knows whose data a torn line holds, so
 * all torn lines are erased, too.
 *
 * In a file the data is overwritten where it stands; copies and backups of the file are not touched.
 *
 * @throws JournalError `NOT_FOUND`, `INVALID`, `WRITE_FAILED`
 */
export async function eraseSession(
  source: JournalSource,
  session: string,
  options: EraseOptions = {},
): Promise<Erased> {
  return changing('eraseSession', () => eraseIn(source, session, options));
}

async function eraseIn(
  source: JournalSource,
  session: string,
  { key, ...responsible }: EraseOptions,
): Promise<Erased> {
  await checkSigningKey('eraseSession', source, key);
  const sessions = new Set([session]);
  const orphans = oldBlobsOf(source);
  const torn = new TornLines();
  // From here on each torn line is named, and no process is still writing it.
  if (typeof source === 'string') for (const file of filesOf(source).files) endLastLine(file, key);
  const unread: string[] = [];
  let records = 0;
  const last = new Map<string, number>();
  for await (const portion of everyPortionOf(source))
    for (const placed of portion) {
      if ('problem' in placed) {
        unread.push(placed.problem.place);
        continue;
      }
      torn.take(placed);
      const { session, parentSession = '', commitment, source: writer, id } = placed.record;
      if (session !== undefined && sessions.has(parentSession)) sessions.add(session);
      if (session !== undefined && sessions.has(session)) last.set(writer, Number(id));
      if (holds(placed, sessions)) records++;
      if (typeof source === 'string' && commitment !== undefined)
        orphans.delete(blobPath(source, commitment));
    }
  // Whose they are no record says, and nothing reads them.
  for (const path of orphans) rmSync(path, { force: true });
  const left = typeof source === 'string' ? [] : await dataKeysOf(source, sessions);
  const lines = torn.end();
  unread.push(...lines.unnamed);
  const found = { sessions: [...sessions], records };
  const result = { ...found, unread };
  if (records === 0 && left.length === 0 && !lines.hasData) return result;
  // First the record: where the process ends in between, what is gone was announced, and what is still there is found.
  const content = {
    type: OWN_TYPES.erasure,
    erasure: {
      ...found,
      last: [...last].map(([writer, id]) => ({ source: writer, id })),
      ...(lines.hasData && { torn: lines.named.map(({ erased }) => erased), replaces: [...lines.replaces] }),
      ...responsible,
    },
  };
  const noted = await note(source, content, key);
  if (lines.hasData) for (const { line, text } of lines.named) overwrite(line, line.offset, text);
  erasing: for await (const portion of everyPortionOf(source))
    for (const placed of portion) {
      // The session may go on: the record covers what stands before it.
      if ('record' in placed && placed.record.source === noted) break erasing;
      const isReplaced = hasNames(placed) && lines.replaces.has(placed.parts.hash);
      if (isReplaced || holds(placed, sessions)) await erase(source, placed);
    }
  if (typeof source !== 'string') for (const dataKey of left) await source.delete(dataKey);
  return result;
}

/** Also those of the days that a pruning has left because it was killed. */
function everyPortionOf(source: JournalSource): AsyncGenerator<Iterable<Placed>> {
  if (typeof source !== 'string') return portionsOf(source);
  const { directory, files } = filesOf(source);
  return portionsIn(directory, files);
}

/** The torn lines of a journal. */
class TornLines {
  readonly #names = new TornNames();
  readonly #found: { readonly line: FileLine; readonly torn: TornLine; readonly place: string }[] = [];
  /** The hashes of the records whose names are there. */
  readonly #named = new Set<string>();

  take(placed: Readable): void {
    const { torn, line, place } = placed;
    this.#names.note(placed);
    if (hasNames(placed)) this.#named.add(placed.parts.hash);
    if (torn && line) this.#found.push({ line, torn, place });
  }

  end(): ErasedLines {
    const replaces = new Set([...this.#names.records, ...this.#named]);
    const found = this.#found.map((each) => ({ ...each, name: this.#names.take(each.torn) }));
    const unnamed: string[] = [];
    let hasData = this.#named.size > 0;
    const named = found.flatMap(({ line, torn, place, name: own }) => {
      const text = erasedTorn(torn);
      const erased = tornLine(text);
      // An erasure that was killed within one can be repeated.
      const name = own ?? this.#names.take(erased);
      if (name === undefined) {
        unnamed.push(place);
        return [];
      }
      if (torn.sha256 !== erased.sha256) hasData = true;
      return [{ line, text, erased: { ...erased, ...(name.again && { again: name.again }) } }];
    });
    return { named, unnamed, replaces, hasData };
  }
}

interface ErasedLines {
  /** Those that are named, as they are to be. */
  readonly named: readonly { readonly line: FileLine; readonly text: Buffer; readonly erased: TornLine }[];
  /** The places of those that are not. */
  readonly unnamed: readonly string[];
  /** The records that have named them. */
  readonly replaces: ReadonlySet<string>;
  /** Whether there is something to erase: of a line, or its name. */
  readonly hasData: boolean;
}

/** Whether a record has names of torn lines in its data. They are hashes, from which a short text can be guessed. */
function hasNames(placed: Placed): placed is Readable {
  return 'record' in placed && placed.record.type === OWN_TYPES.torn && typeof placed.parts.data === 'string';
}

type Readable = Exclude<Placed, { problem: unknown }>;

/** Whether a line has data of one of the sessions. A line that cannot be read is left as it is: verify names it. */
function holds(placed: Placed, sessions: ReadonlySet<string>): placed is Readable {
  if ('problem' in placed) return false;
  const {
    record: { session },
    parts: { data },
  } = placed;
  return session !== undefined && sessions.has(session) && data !== undefined && data !== null;
}

async function erase(source: JournalSource, placed: Readable): Promise<void> {
  const { record, parts, line, dataKey } = placed;
  if (typeof source !== 'string') {
    if (dataKey !== undefined) await source.delete(dataKey);
    return;
  }
  if (line === undefined) return;
  if (record.blob && record.commitment !== undefined) {
    rmSync(blobPath(dirname(line.file), record.commitment), { force: true });
  }
  const before = placed.torn?.bytes ?? 0;
  const { hash, record: text } = parts;
  // In an exported journal large data stands in its line, too.
  if (line.bytes - before === Buffer.byteLength(lineOf({ hash, record: text }))) return;
  const bare = Buffer.byteLength(lineOf({ ...parts, data: '' }));
  // The line keeps its length, so that no other moves: another process may be appending.
  const erased = Buffer.from(lineOf({ ...parts, data: 'null'.padEnd(line.bytes - before - bare) }));
  overwrite(line, line.offset + before, erased);
}

/**
 * Overwrites a part of a line where it still stands. Where another process has pruned the day meanwhile, the file is gone, or another one
 * has its name.
 */
function overwrite({ file: path, offset: start, raw }: FileLine, offset: number, text: Buffer): void {
  const file = openThere(path);
  if (file === undefined) return;
  try {
    if (!readFrom(file, start, raw.length).equals(raw)) return;
    for (let done = 0; done < text.length; )
      done += writeSync(file, text, done, text.length - done, offset + done);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function openThere(path: string): number | undefined {
  try {
    return openSync(path, 'r+');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
