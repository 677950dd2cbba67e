import type { KeyObject } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FileLine } from '../read/lines.ts';
import { filesOf, type JournalSource, type Placed, portionsIn, portionsOf } from '../read/read-journal.ts';
import { lineOf } from '../record/line.ts';
import { OWN_TYPES } from '../record/schema.ts';
import type { Responsible, TornLine } from '../record/types.ts';
import { tornLine } from '../write/append.ts';
import { blobPath } from '../write/file-sink.ts';
import { dataKeysOf } from '../write/store-sink.ts';
import { checkSigningKey, endLastLine, note } from './note.ts';
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
   * The places of what is neither a record nor left of one that a process could not end. Nobody knows whose data it holds, if any, and it
   * stays: the journal is broken there.
   */
  readonly unread: readonly string[];
}

/**
 * Erases the values and texts of a session and of its sub-agents: inputs, outputs, prompts, answers, reasons, principals. Their records
 * stay, so that the journal still verifies, and one more says who has erased them and why. What the writing process has not written yet
 * it writes afterwards: close it before. Of lines that a process could not end nobody can say whose they are, so that what is left of them
 * goes, too.
 *
 * In a file the data is overwritten where it stands; copies and backups of the file are not touched.
 *
 * @throws JournalError `NOT_FOUND`, `INVALID`, `WRITE_FAILED`
 */
export async function eraseSession(
  source: JournalSource,
  session: string,
  { key, ...responsible }: EraseOptions = {},
): Promise<Erased> {
  await checkSigningKey('eraseSession', source, key);
  const sessions = new Set([session]);
  const orphans = oldBlobsOf(source);
  const torn = new TornLines();
  // From here on each torn line is named, and no process is still writing it.
  if (typeof source === 'string') for (const file of filesOf(source).files) endLastLine(file, key);
  const unread: string[] = [];
  let records = 0;
  for await (const portion of everyPortionOf(source))
    for (const placed of portion) {
      if ('problem' in placed) {
        unread.push(placed.problem.place);
        continue;
      }
      torn.take(placed);
      const { session, parentSession = '', commitment } = placed.record;
      if (session !== undefined && sessions.has(parentSession)) sessions.add(session);
      if (holds(placed, sessions)) records++;
      if (typeof source === 'string' && commitment !== undefined)
        orphans.delete(blobPath(source, commitment));
    }
  // Whose they are no record says, and nothing reads them.
  for (const path of orphans) unlinkSync(path);
  const left = typeof source === 'string' ? [] : await dataKeysOf(source, sessions);
  const lines = torn.toErase();
  unread.push(...torn.unnamed());
  const found = { sessions: [...sessions], records };
  const erased = { ...found, unread };
  if (records === 0 && left.length === 0 && lines.length === 0) return erased;
  // First the record: where the process ends in between, what is gone was announced, and what is still there is found.
  const content = {
    type: OWN_TYPES.erasure,
    erasure: { ...found, ...responsible },
    ...(lines.length > 0 && { torn: lines.map(({ erased }) => erased) }),
  };
  const noted = await note(source, content, key);
  for (const { line, text } of lines) overwrite(line, line.offset, text);
  erasing: for await (const portion of everyPortionOf(source))
    for (const placed of portion) {
      // The session may go on: the record covers what stands before it.
      if ('record' in placed && placed.record.source === noted) break erasing;
      if (holds(placed, sessions)) await erase(source, placed);
    }
  if (typeof source !== 'string') for (const dataKey of left) await source.delete(dataKey);
  return erased;
}

/** Also those of the days that a pruning has left because it was killed. */
function everyPortionOf(source: JournalSource): AsyncGenerator<Iterable<Placed>> {
  if (typeof source !== 'string') return portionsOf(source);
  const { directory, files } = filesOf(source);
  return portionsIn(directory, files);
}

/** The lines of a journal that processes could not end. */
class TornLines {
  readonly #named = new Map<string, TornLine>();
  readonly #found: { readonly line: FileLine; readonly torn: TornLine; readonly place: string }[] = [];

  take({ record, torn, line, place }: Readable): void {
    for (const each of record.torn ?? [])
      if (!this.#named.get(each.sha256)?.again) this.#named.set(each.sha256, each);
    if (torn && line) this.#found.push({ line, torn, place });
  }

  /** Those that are named, as they are to be. */
  toErase(): readonly { readonly line: FileLine; readonly text: Buffer; readonly erased: TornLine }[] {
    return this.#found.flatMap(({ line, torn }) => {
      const name = this.#nameOf(torn);
      const text = erasedOf(torn);
      const erased = tornLine(text);
      if (name === undefined || torn.sha256 === erased.sha256) return [];
      return {
        line,
        text,
        erased: { ...erased, replaces: torn.sha256, ...(name.again && { again: name.again }) },
      };
    });
  }

  /** The places of those that are not. */
  unnamed(): readonly string[] {
    return this.#found.filter(({ torn }) => !this.#nameOf(torn)).map(({ place }) => place);
  }

  /** Also as erased: an erasure that was killed within one can be repeated. */
  #nameOf(torn: TornLine): TornLine | undefined {
    return this.#named.get(torn.sha256) ?? this.#named.get(tornLine(erasedOf(torn)).sha256);
  }
}

/** What an erasure leaves of a line. */
function erasedOf({ bytes }: TornLine): Buffer {
  return Buffer.from('{"data":null'.padEnd(bytes).slice(0, bytes));
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
    const path = blobPath(dirname(line.file), record.commitment);
    if (existsSync(path)) unlinkSync(path);
    return;
  }
  const before = placed.torn?.bytes ?? 0;
  const bare = Buffer.byteLength(lineOf({ ...parts, data: '' }));
  // The line keeps its length, so that no other moves: another process may be appending.
  const erased = Buffer.from(lineOf({ ...parts, data: 'null'.padEnd(line.bytes - before - bare) }));
  overwrite(line, line.offset + before, erased);
}

function overwrite({ file: path }: FileLine, offset: number, text: Buffer): void {
  const file = openSync(path, 'r+');
  try {
    for (let done = 0; done < text.length; )
      done += writeSync(file, text, done, text.length - done, offset + done);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
