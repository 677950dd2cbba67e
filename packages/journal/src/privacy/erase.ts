import { closeSync, existsSync, fsyncSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { type JournalSource, type Placed, portionsOf } from '../read/read-journal.ts';
import { lineOf } from '../record/line.ts';
import { blobPath } from '../write/file-sink.ts';
import { dataKey } from '../write/store-sink.ts';

/** What was erased. */
export interface Erased {
  /** The session, and those of its sub-agents. */
  readonly sessions: readonly string[];
  /** How many records lost their data. */
  readonly records: number;
}

/**
 * Erases the values and texts of a session and of its sub-agents: inputs, outputs, prompts, answers, reasons, principals. Their records
 * stay, so that the journal still verifies. What the writing process has not written yet it writes afterwards: close it before.
 *
 * In a file the data is overwritten where it stands; copies and backups of the file are not touched.
 *
 * @throws JournalError `NOT_FOUND`
 */
export async function eraseSession(source: JournalSource, session: string): Promise<Erased> {
  const sessions = new Set([session]);
  let records = 0;
  for await (const portion of portionsOf(source)) {
    for (const placed of portion) {
      // A line that cannot be read is left as it is: verify names it.
      if ('problem' in placed) continue;
      const { record, parts } = placed;
      if (record.session === undefined) continue;
      if (record.parentSession !== undefined && sessions.has(record.parentSession))
        sessions.add(record.session);
      if (!sessions.has(record.session) || parts.data === undefined || parts.data === null) continue;
      await erase(source, placed);
      records++;
    }
  }
  return { sessions: [...sessions], records };
}

async function erase(source: JournalSource, placed: Exclude<Placed, { problem: unknown }>): Promise<void> {
  const { record, parts, line } = placed;
  if (typeof source !== 'string') {
    await source.delete(dataKey(record));
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
  const file = openSync(line.file, 'r+');
  try {
    writeSync(file, erased, 0, erased.length, line.offset);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
