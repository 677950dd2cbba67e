import { closeSync, fstatSync, fsyncSync, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { whyNoPath } from '@hooks/store';
import { JournalError } from '../error.ts';
import { lineOf } from '../record/line.ts';
import type { JournalRecord } from '../record/types.ts';
import { Appender } from './append.ts';
import { type JournalSink, portionOf, type SinkLine } from './sink.ts';

/** The file for data that is too large for a line. */
export function blobPath(directory: string, commitment: string): string {
  return join(directory, 'blobs', `${commitment}.json`);
}

/** The file of a day. */
interface Open {
  readonly day: string;
  readonly file: number;
}

/**
 * Writes a journal into a directory: a file a day (UTC), `2026-11-23.jsonl`, and `blobs/` for large values. Several processes may
 * write to the same directory of a local disk: each batch of lines is one append. Files are readable by their owner only.
 *
 * @throws JournalError `INVALID` where the directory is empty, a URL, or begins with `~` or a variable
 */
export function fileSink(directory: string): JournalSink {
  if (typeof directory !== 'string' || directory === '' || directory.includes('\0'))
    throw new JournalError('INVALID', 'journal: the directory needs a path, such as `.hooks/journal`.');
  const problem = whyNoPath(directory);
  if (problem !== undefined) throw new JournalError('INVALID', `journal: the directory needs ${problem}`);
  let open: Open | undefined;
  const appender = new Appender();
  /** How many of the current lines are in the file. */
  let written = 0;
  let given: readonly SinkLine[] = [];

  const fileOf = (day: string): number => {
    // A clock that is set back over midnight does not put records before those that they follow.
    if (open !== undefined && day <= open.day) {
      checkStillThere(open, directory);
      return open.file;
    }
    if (open) closeSync(open.file);
    open = undefined;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    open = { day, file: openSync(join(directory, `${day}.jsonl`), 'a+', 0o600) };
    return open.file;
  };

  return {
    name: `the journal in ${directory}`,
    write(lines, vouch) {
      // The lines of a failed write come again, at the head of a longer list.
      if (lines[0] !== given[0]) written = 0;
      given = lines;
      const today = new Date().toISOString().slice(0, 10);
      while (written < lines.length) {
        const portion = lines.slice(written, written + portionOf(lines, written));
        // A clock that was set back since puts no record into the file of a day before its own.
        const file = fileOf(portion.map(({ about }) => dayOf(about)).reduce(later, today));
        let texts = portion.map((line) => Buffer.from(`${lineIn(directory, line)}\n`));
        while (texts.length > 0) {
          const done = appender.append(file, texts, vouch);
          texts = texts.slice(done);
          written += done;
        }
      }
      if (open) appender.settle(open.file, vouch);
      given = [];
    },
    close() {
      if (open === undefined) return;
      fsyncSync(open.file);
      closeSync(open.file);
      open = undefined;
    },
  };
}

/**
 * A file that was removed or replaced still takes lines, which nobody can read. A new one in its place would look as if nothing had
 * been there before, so writing fails until the file is back.
 */
function checkStillThere({ day, file }: Open, directory: string): void {
  const path = join(directory, `${day}.jsonl`);
  const there = statSync(path, { throwIfNoEntry: false });
  const { ino, dev } = fstatSync(file);
  if (there?.ino !== ino || there.dev !== dev)
    throw new Error(`${path} was removed or replaced while it was written; put it back, or begin anew`);
}

function dayOf({ time = '' }: Partial<JournalRecord>): string {
  return time.slice(0, 10);
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}

/** The line as it stands in the file; writes large data beside it. */
function lineIn(directory: string, { about, data, ...text }: SinkLine): string {
  if (about.blob === undefined || typeof data !== 'string' || about.commitment === undefined)
    return lineOf(data === undefined ? text : { ...text, data });
  const path = blobPath(directory, about.commitment);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, data, { mode: 0o600 });
  return lineOf(text);
}
