import type { KeyObject } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { type FileLine, linesOf } from '../read/lines.ts';
import {
  filesOf,
  type JournalSource,
  type Placed,
  parseOf,
  portionsIn,
  portionsOf,
} from '../read/read-journal.ts';
import { lineOf } from '../record/line.ts';
import { OWN_TYPES } from '../record/schema.ts';
import type { Responsible } from '../record/types.ts';
import { blobPath } from '../write/file-sink.ts';
import { dataKeysOf } from '../write/store-sink.ts';
import { checkSigningKey, note } from './note.ts';
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
}

/**
 * Erases the values and texts of a session and of its sub-agents: inputs, outputs, prompts, answers, reasons, principals. Their records
 * stay, so that the journal still verifies, and one more says who has erased them and why. What the writing process has not written yet
 * it writes afterwards: close it before.
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
  let records = 0;
  for await (const portion of everyPortionOf(source))
    for (const placed of portion) {
      if ('problem' in placed) continue;
      const { session, parentSession = '', commitment } = placed.record;
      if (session !== undefined && sessions.has(parentSession)) sessions.add(session);
      if (holds(placed, sessions)) records++;
      if (typeof source === 'string' && commitment !== undefined)
        orphans.delete(blobPath(source, commitment));
    }
  // Whose they are no record says, and nothing reads them.
  for (const path of orphans) unlinkSync(path);
  if (typeof source === 'string') await eraseCutOff(source);
  const left = typeof source === 'string' ? [] : await dataKeysOf(source, sessions);
  const erased = { sessions: [...sessions], records };
  if (records === 0 && left.length === 0) return erased;
  // First the record: where the process ends in between, what is gone was announced, and what is still there is found.
  const noted = await note(source, { type: OWN_TYPES.erasure, erasure: { ...erased, ...responsible } }, key);
  erasing: for await (const portion of everyPortionOf(source))
    for (const placed of portion) {
      // The session may go on: the record covers what stands before it.
      if ('record' in placed && placed.record.source === noted) break erasing;
      if (holds(placed, sessions)) await erase(source, placed);
    }
  if (typeof source !== 'string') for (const dataKey of left) await source.delete(dataKey);
  // The record of it has ended the last line.
  else await eraseCutOff(source);
  return erased;
}

/** Also those of the days that a pruning has left because it was killed. */
function everyPortionOf(source: JournalSource): AsyncGenerator<Iterable<Placed>> {
  if (typeof source !== 'string') return portionsOf(source);
  const { directory, files } = filesOf(source);
  return portionsIn(directory, files);
}

/** Erases the data of lines that a process could not end: whose it is they do not say, and nothing reads it. */
async function eraseCutOff(source: string): Promise<void> {
  for (const file of filesOf(source).files)
    for await (const lines of linesOf(file))
      for (const line of lines) {
        const parsed = parseOf(line);
        const isCutOff = 'problem' in parsed ? parsed.problem.code === 'CUT_OFF' : parsed.torn !== undefined;
        if (!isCutOff || (!line.ended && isBeingWritten(file))) continue;
        const length =
          'problem' in parsed ? line.bytes : line.bytes - Buffer.byteLength(lineOf(parsed.parts));
        const erased = Buffer.from(ERASED.padEnd(length).slice(0, length));
        overwrite(line, erased);
      }
}

const ERASED = '{"data":null';

/** After this time no process is still writing the last line. */
const AT_REST_MS = 60_000;

/** Whether the last line of a file may be one that a process writes just now. */
function isBeingWritten(file: string): boolean {
  return statSync(file).mtimeMs > Date.now() - AT_REST_MS;
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
  const bare = Buffer.byteLength(lineOf({ ...parts, data: '' }));
  // The line keeps its length, so that no other moves: another process may be appending.
  const erased = Buffer.from(lineOf({ ...parts, data: 'null'.padEnd(line.bytes - bare) }));
  overwrite(line, erased);
}

function overwrite({ file: path, offset }: FileLine, text: Buffer): void {
  const file = openSync(path, 'r+');
  try {
    for (let done = 0; done < text.length; )
      done += writeSync(file, text, done, text.length - done, offset + done);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
