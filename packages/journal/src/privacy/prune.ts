import { createPublicKey, type KeyObject, randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import type { Store } from '@hooks/store';
import { JournalError } from '../error.ts';
import { checkPrivateKey } from '../integrity/key.ts';
import { Verifier } from '../integrity/verify.ts';
import { linesOf } from '../read/lines.ts';
import {
  bareRecords,
  beginningOf,
  filesOf,
  type JournalSource,
  keptOf,
  type Placed,
  parseOf,
  portionsIn,
  portionsOf,
} from '../read/read-journal.ts';
import { canonicalJson, type LineText, lineOf } from '../record/line.ts';
import { OWN_TYPES } from '../record/schema.ts';
import type { JournalRecord, PrunedWriter, Pruning, Responsible } from '../record/types.ts';
import { blobPath } from '../write/file-sink.ts';
import type { JournalSink } from '../write/sink.ts';
import { JOURNAL_STREAM, startOf, startSink, trimTo } from '../write/store-sink.ts';
import { changing, checkSigningKey, note } from './note.ts';
import { oldBlobsOf } from './old-blobs.ts';

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
  /** The hashes of checkpoints that were removed: `verifyJournal` does not find them any more, so take them out of its `expect`. */
  readonly checkpoints: readonly string[];
  /**
   * The days of a directory that have not come, because a clock was ahead. They stay, because nobody knows how old they are: remove
   * such a file by hand, when no process writes to it any more. In a store they go with the older records behind them.
   */
  readonly ahead: readonly string[];
}

/**
 * Removes the oldest days of a journal in a directory or a store. In their place stands a record of who did it and why, from which the
 * rest verifies, also of processes that still write. A journal that does not verify up to there is left as it is.
 *
 * @throws JournalError `NOT_FOUND`; `INVALID` where it is one file, is broken, or `before` is later than today; `WRITE_FAILED`
 * @example
 * ```ts
 * await pruneJournal('.hooks/journal', { before: new Date('2026-08-01'), by: 'ops', why: '90 days are kept' });
 * ```
 */
export async function pruneJournal(source: JournalSource, options: PruneOptions): Promise<Pruned> {
  return changing('pruneJournal', async () => {
    for (;;) {
      const beginning = typeof source === 'string' && !existsSync(source) ? null : await beginningOf(source);
      try {
        return await prune(source, options);
      } catch (error) {
        // Where another process has removed days meanwhile, what was read does not fit together.
        if ((await beginningOf(source)) === beginning) throw error;
      }
    }
  });
}

async function prune(source: JournalSource, { before, key, ...responsible }: PruneOptions): Promise<Pruned> {
  const day = Number.isNaN(before.getTime()) ? '' : before.toISOString().slice(0, 10);
  if (day === '' || day > new Date().toISOString().slice(0, 10))
    throw new JournalError('INVALID', 'pruneJournal: `before` has to be a date, and today at the latest.');
  checkPrivateKey('pruneJournal: `key`', key);
  if (typeof source !== 'string') return pruneStore(source, day, responsible, key);
  if (existsSync(source) && !statSync(source).isDirectory())
    throw new JournalError(
      'INVALID',
      'pruneJournal: one file of a journal has no days that can be removed; name its directory or store.',
    );
  return pruneDirectory(source, day, responsible, key);
}

/** Who signs a pruning, and how the journal came to that key. */
interface Signer {
  readonly key: KeyObject | undefined;
  readonly rotations: readonly JournalRecord[];
}

const NOTHING: Pruned = { days: [], records: 0, checkpoints: [], ahead: [] };

async function pruneDirectory(
  source: string,
  day: string,
  responsible: Responsible,
  key: KeyObject | undefined,
): Promise<Pruned> {
  const orphans = oldBlobsOf(source);
  const { directory, files } = filesOf(source);
  const old = files.filter((file) => basename(file) < `${day}.jsonl`);
  const newest = old.at(-1);
  const read = old.map(inode);
  // Tomorrow may begin while this runs.
  const tomorrow = new Date(Date.now() + 24 * 60 * 60_000).toISOString().slice(0, 10);
  const ahead = files.map((file) => basename(file, '.jsonl')).filter((name) => name > tomorrow);
  if (newest === undefined) return { ...NOTHING, ahead };

  const verifier = new Verifier({});
  const blobs: string[] = [];
  const notes: Placed[] = [];
  const checkpoints = new Set<string>();
  // Not the one with the record of an earlier pruning.
  const days = new Set<string>();
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
        const last = notes.at(-1);
        const isOfLast = last !== undefined && 'record' in last && last.record.pruning !== undefined;
        if (record.type === OWN_TYPES.pruning) earlier = record.pruning?.records ?? earlier;
        else if (record.type !== OWN_TYPES.checkpoint || !isOfLast) {
          records++;
          days.add(basename(file, '.jsonl'));
          if (record.checkpoint) checkpoints.add(placed.parts.hash);
          continue;
        }
        notes.push(placed);
      }
  const rest = files.slice(old.length);
  // What remains of an earlier pruning. Each process with `keepDays` comes here at its start, so it does not read the rest.
  const nothingNew = kept.length === 1 && earlier > 0 && records === 0;
  if (nothingNew && old.length === 1) {
    await removeOrphans(modifiedBefore(day, orphans), directory, rest);
    return { ...NOTHING, ahead };
  }
  const rotations = await checkSigningKey('pruneJournal', source, key);
  const remove = async (): Promise<void> => {
    for (const path of [...old.slice(0, -1), ...blobs]) rmSync(path, { force: true });
    await removeOrphans(orphans, directory, rest);
  };
  // What ended on an older day stands in the file of any later one, if a clock was ahead, and what erases older data does, too.
  for (const file of rest)
    for await (const lines of linesOf(file))
      for (const line of lines) verifier.takeLater({ ...parseOf(line), line });
  checkUnbroken(verifier);
  if (nothingNew) {
    await remove(); // What an earlier one left, because it was killed.
    return { ...NOTHING, ahead };
  }

  const writers = verifier.goingOn(day);
  const pruning = {
    before: day,
    records: records + earlier,
    writers,
    ...keysOf(verifier, { key, rotations }),
    ...responsible,
  };
  // It takes the place of the newest of these days: so it stands before what it is needed for.
  // Another process may remove the same days.
  const fresh = `${newest}.${randomUUID()}.new`;
  const unsigned = unsignedIn(notes, key).flatMap((placed) => ('record' in placed ? placed.parts : []));
  await note(fileAt(fresh, unsigned), { type: OWN_TYPES.pruning, pruning }, key);
  if (old.some((file, at) => inode(file) !== read[at])) {
    rmSync(fresh);
    throw new JournalError('WRITE_FAILED', 'pruneJournal: another process has removed these days meanwhile.');
  }
  renameSync(fresh, newest);
  await remove();
  return {
    days: [...days],
    records,
    checkpoints: without(checkpoints, writers),
    ahead,
  };
}

/** Large values of the days that are pruned were written on them. */
function modifiedBefore(day: string, paths: ReadonlySet<string>): ReadonlySet<string> {
  const until = Date.parse(day);
  return new Set(
    [...paths].filter((path) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? until) < until),
  );
}

function inode(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}

/** Removes values without a record, which stay where an earlier pruning or the process that wrote them was killed. */
async function removeOrphans(
  blobs: ReadonlySet<string>,
  directory: string,
  files: readonly string[],
): Promise<void> {
  const orphans = new Set([...blobs].filter((path) => existsSync(path)));
  if (orphans.size === 0) return;
  for (const file of files)
    for await (const lines of linesOf(file))
      for (const line of lines) {
        const parsed = parseOf(line);
        if ('record' in parsed) orphans.delete(blobPath(directory, parsed.record.commitment ?? ''));
      }
  for (const path of orphans) rmSync(path, { force: true });
}

/** Nothing can be put before the first record of a log, so the record of the pruning is stored as a value that is read first. */
async function pruneStore(
  store: Store,
  day: string,
  responsible: Responsible,
  key: KeyObject | undefined,
): Promise<Pruned> {
  const start = await startOf(store);
  const verifier = new Verifier({});
  const days = new Set<string>();
  const notes: Placed[] = [];
  const checkpoints = new Set<string>();
  const end = await endOfOld(store, start.from, day);
  let [records, earlier] = [0, 0];
  let isThere = false;
  reading: for await (const portion of portionsOf(store))
    for (const placed of portion) {
      isThere = true;
      const { position } = placed;
      if (position !== undefined && position >= end) break reading;
      verifier.take(placed);
      if (position !== undefined) {
        records++;
        if ('record' in placed && placed.record.checkpoint) checkpoints.add(placed.parts.hash);
        days.add('record' in placed ? placed.record.time.slice(0, 10) : '');
      } else {
        notes.push(placed);
        if ('record' in placed) earlier = placed.record.pruning?.records ?? earlier;
      }
    }
  if (!isThere) throw new JournalError('NOT_FOUND', `There is no record of a journal in ${store.name}.`);
  // What ended on an older day may stand behind any later one, if a clock was ahead, and what erases older data does, too.
  const rotations = records > 0 ? await checkSigningKey('pruneJournal', store, key) : [];
  if (records > 0) for await (const placed of bareRecords(store, end)) verifier.takeLater(placed);
  checkUnbroken(verifier);
  const writers = verifier.goingOn(day);
  if (records > 0) {
    const pruning = {
      before: day > start.before ? day : start.before,
      records: records + earlier,
      position: end,
      writers,
      ...keysOf(verifier, { key, rotations }),
      ...responsible,
    };
    const unsigned = unsignedIn(notes, key);
    const kept = start.records.filter((_, at) => unsigned.some((placed) => placed === notes[at]));
    await note(startSink(store, { ...start, records: kept }), { type: OWN_TYPES.pruning, pruning }, key);
  }
  if (end > 0) await trimTo(store, end);
  return { days: [...days], records, checkpoints: without(checkpoints, writers), ahead: [] };
}

/**
 * The position behind the last record that is old enough. A day that has not come is that of a wrong clock. It goes with an older record
 * behind it, which it would keep; without one, it may have been written just now.
 */
async function endOfOld(store: Store, from: number, day: string): Promise<number> {
  const today = new Date().toISOString().slice(0, 10);
  let end = from;
  for await (const { position, record } of store.read(JOURNAL_STREAM, { from })) {
    const { time } = Object(Object(record).record) as { readonly time?: unknown };
    const recordDay = typeof time === 'string' ? time.slice(0, 10) : '';
    if (recordDay < day) end = position + 1;
    else if (recordDay <= today) break;
  }
  return end;
}

/**
 * The records of earlier prunings, with their checkpoints, that this key has not signed. They stay, so that signing this pruning does
 * not vouch for them.
 */
function unsignedIn(notes: readonly Placed[], key: KeyObject | undefined): readonly Placed[] {
  if (key === undefined) return [];
  return notes.filter((_, at) => {
    const verifier = new Verifier({ key: createPublicKey(key) });
    for (const placed of notes.slice(at - (at % 2), at - (at % 2) + 2)) verifier.take(placed);
    const { state } = verifier.end();
    return state !== 'open' && state !== 'intact';
  });
}

/**
 * The changes of keys, each where it was last made. With a key also those that stay: the record of the pruning stands before them, and may
 * be signed with a new key.
 */
function keysOf(verifier: Verifier, { key, rotations }: Signer): Pick<Pruning, 'rotations'> {
  const changes = new Map<string, string>();
  for (const record of key === undefined ? verifier.rotations : rotations) {
    const change = `${record.rotation?.by} ${record.rotation?.key}`;
    changes.delete(change);
    changes.set(change, canonicalJson(record));
  }
  return changes.size > 0 ? { rotations: [...changes.values()] } : {};
}

/** The checkpoints that are gone: the record of the pruning has the last one of each writer that goes on. */
function without(checkpoints: ReadonlySet<string>, writers: readonly PrunedWriter[]): readonly string[] {
  const kept = new Set(writers.map(({ checkpoint }) => checkpoint));
  return [...checkpoints].filter((hash) => !kept.has(hash));
}

function checkUnbroken(verifier: Verifier): void {
  const [problem] = verifier.end().problems;
  if (problem)
    throw new JournalError(
      'INVALID',
      `pruneJournal: the journal is broken, so nothing was removed: ${problem.message}`,
    );
}

/** A sink for one file that is there as a whole, or not at all. */
function fileAt(path: string, first: readonly LineText[]): JournalSink {
  return {
    name: `the journal in ${path}`,
    write(lines) {
      const file = openSync(path, 'w', 0o600);
      try {
        const text = Buffer.from([...first, ...lines].map((line) => `${lineOf(line)}\n`).join(''));
        for (let done = 0; done < text.length; ) done += writeSync(file, text, done);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    },
  };
}
