import type { KeyObject } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename } from 'node:path';
import { JournalError } from '../error.ts';
import { checkPrivateKey } from '../integrity/key.ts';
import { Verifier } from '../integrity/verify.ts';
import { filesOf, type JournalSource, keptOf, portionsIn } from '../read/read-journal.ts';
import { lineOf } from '../record/line.ts';
import { OWN_TYPES } from '../record/schema.ts';
import type { Responsible } from '../record/types.ts';
import { blobPath } from '../write/file-sink.ts';
import type { JournalSink } from '../write/sink.ts';
import { note } from './note.ts';

/** What to remove, who removes it, and why: both stay in the journal. */
export interface PruneOptions extends Responsible {
  /** The first day to keep (UTC): what is older is removed, in whole days. At most today. */
  readonly before: Date;
  /** The private key that signs the record of it. Give it where the journal is signed. */
  readonly key?: KeyObject;
}

/** What was removed. */
export interface Pruned {
  readonly days: readonly string[];
  readonly records: number;
}

/**
 * Removes the oldest days of a journal in a directory. In their place stands a record of who did it and why, from which the rest
 * verifies, also of processes that still write. A journal that does not verify up to there is left as it is.
 *
 * @throws JournalError `NOT_FOUND`; `INVALID` where it is in a store, is broken, or `before` is later than today; `WRITE_FAILED`
 * @example
 * ```ts
 * await pruneJournal('.hooks/journal', { before: new Date('2026-08-01'), by: 'ops', why: '90 days are kept' });
 * ```
 */
export async function pruneJournal(
  source: JournalSource,
  { before, key, ...responsible }: PruneOptions,
): Promise<Pruned> {
  checkPrivateKey('pruneJournal: `key`', key);
  if (typeof source !== 'string' || (existsSync(source) && !statSync(source).isDirectory()))
    throw new JournalError(
      'INVALID',
      'pruneJournal: only a journal in a directory has days that can be removed.',
    );
  const day = Number.isNaN(before.getTime()) ? '' : before.toISOString().slice(0, 10);
  if (day === '' || day > new Date().toISOString().slice(0, 10))
    throw new JournalError('INVALID', 'pruneJournal: `before` has to be a date, and today at the latest.');
  const { directory, files } = filesOf(source);
  const old = files.filter((file) => basename(file) < `${day}.jsonl`);
  const newest = old.at(-1);
  if (newest === undefined) return { days: [], records: 0 };

  const verifier = new Verifier({});
  const blobs: string[] = [];
  let [records, earlier] = [0, 0];
  const kept = await keptOf(old);
  for (const file of old)
    for await (const portion of portionsIn(directory, [file]))
      for (const placed of portion) {
        const isKept = kept.includes(file);
        if (isKept) verifier.take(placed);
        if ('problem' in placed) continue;
        const { record } = placed;
        if (record.blob && record.commitment !== undefined)
          blobs.push(blobPath(directory, record.commitment));
        if (!isKept) continue;
        if (record.type === OWN_TYPES.pruning) earlier += record.pruning?.records ?? 0;
        else records++;
      }
  const remove = (): void => {
    for (const path of [...old.slice(0, -1), ...blobs]) if (existsSync(path)) unlinkSync(path);
  };
  const [problem] = verifier.problems;
  if (problem)
    throw new JournalError(
      'INVALID',
      `pruneJournal: the journal is broken, so nothing was removed: ${problem.message}`,
    );
  // What remains of an earlier pruning: its record, and the checkpoint of whoever wrote it.
  if (kept.length === 1 && earlier > 0 && records <= 1) {
    remove(); // What an earlier one left, because it was killed.
    return { days: [], records: 0 };
  }

  const pruning = {
    before: day,
    records: records + earlier,
    writers: verifier.openWriters(),
    ...responsible,
  };
  // It takes the place of the newest of these days: so it stands before what it is needed for.
  const fresh = `${newest}.new`;
  await note(fileAt(fresh), { type: OWN_TYPES.pruning, pruning }, key);
  renameSync(fresh, newest);
  remove();
  return { days: old.map((file) => basename(file, '.jsonl')), records };
}

/** A sink for one file that is there as a whole, or not at all. */
function fileAt(path: string): JournalSink {
  return {
    name: `the journal in ${path}`,
    write(lines) {
      const file = openSync(path, 'w', 0o600);
      try {
        const text = Buffer.from(lines.map((line) => `${lineOf(line)}\n`).join(''));
        for (let done = 0; done < text.length; ) done += writeSync(file, text, done);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    },
  };
}
