import { constants } from 'node:buffer';
import { closeSync, createReadStream, fstatSync, openSync } from 'node:fs';

/** A line of a file, as it stands there. */
export interface FileLine {
  readonly file: string;
  /** From 1. */
  readonly number: number;
  /** Where it begins, in bytes. */
  readonly offset: number;
  /** Undefined where it is no UTF-8, or longer than a text can be. */
  readonly text: string | undefined;
  /** It without the line feed. */
  readonly raw: Buffer;
  /** Its length without the line feed, in bytes. */
  readonly bytes: number;
  /** Whether a line feed ends it: the last line of a file may be cut off. */
  readonly ended: boolean;
}

const LINE_FEED = 10;

/** A line, and where it begins. */
export type LineStart = Pick<FileLine, 'number' | 'offset'>;

export const FIRST_LINE: LineStart = { number: 1, offset: 0 };

/**
 * Reads the lines of a file in portions; holds one portion and one line in memory. A file that was pruned just now has none.
 *
 * @param from the line to begin with
 */
export async function* linesOf(
  file: string,
  from: LineStart = FIRST_LINE,
): AsyncGenerator<readonly FileLine[]> {
  try {
    yield* linesFrom(file, from);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/**
 * The same of a file that others may replace, from where the reading begins in this very file.
 *
 * @param startIn gets its inode
 */
export async function* linesOfInode(
  file: string,
  startIn: (ino: number) => LineStart,
): AsyncGenerator<readonly FileLine[]> {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch (error) {
    if (isGone(error)) return;
    throw error;
  }
  const { size, ino } = fstatSync(fd);
  const from = startIn(ino);
  if (size <= from.offset) closeSync(fd);
  else yield* linesFrom(file, from, fd);
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** @param fd the file, if it is open; it is closed at the end */
async function* linesFrom(file: string, from: LineStart, fd?: number): AsyncGenerator<readonly FileLine[]> {
  let { number, offset } = from;
  /** What was read of a line that is not over. */
  let begun: Buffer[] = [];
  const line = (bytes: Buffer, ended: boolean): FileLine => {
    const made = { file, number, offset, raw: bytes, text: textOf(bytes), bytes: bytes.length, ended };
    number++;
    offset += bytes.length + 1;
    return made;
  };
  const stream = createReadStream(file, {
    highWaterMark: 1 << 18,
    start: offset,
    ...(fd !== undefined && { fd }),
  });
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const lines: FileLine[] = [];
    let done = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, done)) {
      const part = chunk.subarray(done, end);
      lines.push(line(begun.length > 0 ? Buffer.concat([...begun, part]) : part, true));
      begun = [];
      done = end + 1;
    }
    if (done < chunk.length) begun.push(chunk.subarray(done));
    yield lines;
  }
  if (begun.length > 0) yield [line(Buffer.concat(begun), false)];
}

/** A torn line may be longer than any text can be: an operating system that lost its power may leave zero bytes. No record is. */
export const LONGEST_TEXT: number = constants.MAX_STRING_LENGTH;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a line; undefined where it is no UTF-8, or too long. */
export function textOf(bytes: Buffer): string | undefined {
  if (bytes.length > LONGEST_TEXT) return undefined;
  try {
    return decoder.decode(bytes);
  } catch {
    // An erasure that was killed may have cut a character of the data in two. The record behind it is whole.
    return bytes.subarray(0, ERASED.length).equals(ERASED) ? bytes.toString() : undefined;
  }
}

const ERASED = Buffer.from('{"data":null ');
