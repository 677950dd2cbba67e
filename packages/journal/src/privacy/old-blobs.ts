import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JournalSource } from '../read/read-journal.ts';
import { blobPath } from '../write/file-sink.ts';

/** A value is written before its record, so that of a new one may not be there yet. */
const NEW_MS = 60_000;

/**
 * Large values in files of their own, without those of the last minute. List them before the journal is read: one that no record refers
 * to then is of a process, or of a pruning, that was killed.
 */
export function oldBlobsOf(source: JournalSource): Set<string> {
  if (typeof source !== 'string') return new Set();
  const folder = dirname(blobPath(source, ''));
  if (!existsSync(folder)) return new Set();
  const until = Date.now() - NEW_MS;
  const paths = readdirSync(folder).map((name) => join(folder, name));
  return new Set(
    paths.filter((path) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? until) < until),
  );
}
