import {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { lineOf } from '../record/line.ts';
import type { JournalSink, SinkLine } from './sink.ts';

/** Data of this size or larger gets its own file, so that a journal stays quick to read. In characters. */
const LARGE = 65_536;

/** The file for data that is too large for a line. */
export function blobPath(directory: string, commitment: string): string {
  return join(directory, 'blobs', `${commitment}.json`);
}

/** The state of a failed write. */
interface Open {
  readonly day: string;
  readonly file: number;
  /** The last line is incomplete, because the disk was full. */
  torn: boolean;
}

/**
 * Writes a journal into a directory: a file a day (UTC), `2026-11-23.jsonl`, and `blobs/` for large values. Several processes may
 * write to the same directory of a local disk: each batch of lines is one append. Files are readable by their owner only.
 */
export function fileSink(directory: string): JournalSink {
  let open: Open | undefined;
  /** How many of the current lines are in the file. */
  let written = 0;
  let given: readonly SinkLine[] = [];

  const fileOf = (day: string): Open => {
    // A clock that is set back over midnight does not put records before those that they follow.
    if (open !== undefined && day <= open.day) {
      checkStillThere(open, directory);
      return open;
    }
    if (open) closeSync(open.file);
    open = undefined;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    open = { day, file: openSync(join(directory, `${day}.jsonl`), 'a+', 0o600), torn: false };
    return open;
  };

  return {
    name: `the journal in ${directory}`,
    write(lines) {
      // The lines of a failed write come again, at the head of a longer list.
      if (lines[0] !== given[0]) written = 0;
      given = lines;
      const rest = lines.slice(written);
      const texts = rest.map((line) => Buffer.from(`${lineIn(directory, line)}\n`));
      const target = fileOf(new Date().toISOString().slice(0, 10));
      const isTorn = target.torn || !endsInLineFeed(target.file);
      const whole = Buffer.concat(isTorn ? [Buffer.from('\n'), ...texts] : texts);
      let done = 0;
      try {
        while (done < whole.length) done += writeSync(target.file, whole, done);
        target.torn = false;
        given = [];
      } finally {
        if (done < whole.length && done > 0) {
          let left = done - (isTorn ? 1 : 0);
          for (const text of texts) {
            if (left < text.length) break;
            left -= text.length;
            written++;
          }
          target.torn = left > 0;
        }
      }
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

/** Whether the last line of a file is whole: another process may have been killed in the middle of one. */
function endsInLineFeed(file: number): boolean {
  const { size } = fstatSync(file);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  return readSync(file, last, 0, 1, size - 1) === 1 && last[0] === 10;
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

/** Whether data is to stand in a file of its own. */
export function isLarge(data: string): boolean {
  return data.length >= LARGE;
}
