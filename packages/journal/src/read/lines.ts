import { createReadStream } from 'node:fs';

/** A line of a file, as it stands there. */
export interface FileLine {
  readonly file: string;
  /** From 1. */
  readonly number: number;
  /** Where it begins, in bytes. */
  readonly offset: number;
  /** Undefined where it is no UTF-8. */
  readonly text: string | undefined;
  /** Its length without the line feed, in bytes. */
  readonly bytes: number;
  /** Whether a line feed ends it: the last line of a file may be cut off. */
  readonly ended: boolean;
}

const LINE_FEED = 10;

/**
 * Reads the lines of a file in portions; holds one portion and one line in memory.
 *
 * @param from the line to begin with, and where it begins
 */
export async function* linesOf(
  file: string,
  from: Pick<FileLine, 'number' | 'offset'> = { number: 1, offset: 0 },
): AsyncGenerator<readonly FileLine[]> {
  let { number, offset } = from;
  /** What was read of a line that is not over. */
  let begun: Buffer[] = [];
  const line = (bytes: Buffer, ended: boolean): FileLine => {
    const made = { file, number, offset, text: textOf(bytes), bytes: bytes.length, ended };
    number++;
    offset += bytes.length + 1;
    return made;
  };
  const stream = createReadStream(file, { highWaterMark: 1 << 18, start: offset });
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

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf(bytes: Buffer): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    // An erasure that was killed may have cut a character of the data in two. The record behind it is whole.
    if (bytes.subarray(0, ERASED.length).equals(ERASED)) return bytes.toString();
    return cutTextOf(bytes);
  }
}

const ERASED = Buffer.from('{"data":null ');

/**
 * The text of a line that is cut off within a character, with what another process may have written behind it. A replacement character
 * stands for the cut one, so that no line becomes whole by it.
 */
function cutTextOf(bytes: Buffer): string | undefined {
  const texts: string[] = [];
  let from = 0;
  for (const end of [...cutsIn(bytes), bytes.length]) {
    const text = withoutCutCharacter(bytes.subarray(from, end));
    if (text === undefined) return undefined;
    texts.push(text, from + Buffer.byteLength(text) < end ? '\ufffd' : '');
    from = end;
  }
  return texts.join('');
}

/** Where a line begins behind a character that is not whole. */
function cutsIn(bytes: Buffer): readonly number[] {
  const cuts: number[] = [];
  for (const start of BEGINNINGS)
    for (let at = bytes.indexOf(start, 1); at > 0; at = bytes.indexOf(start, at + 1)) {
      const before = bytes.subarray(Math.max(0, at - 4), at);
      // An ASCII character, or the last byte of a longer one that is whole.
      if (isCharacterCut(before)) cuts.push(at);
    }
  return cuts.sort((one, other) => one - other);
}

const BEGINNINGS = ['{"data":', '{"hash":'];

/** Whether a character is not whole at the end of some bytes. */
function isCharacterCut(bytes: Buffer): boolean {
  for (let length = 1; length <= bytes.length; length++) {
    const byte = bytes[bytes.length - length] ?? 0;
    // The bytes of a character after its first one begin with 10; the first one says how many there are.
    if (byte >> 6 === 0b10) continue;
    return length < (byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4);
  }
  return false;
}

/** The text without a last character that is not whole. Undefined where others are none. */
function withoutCutCharacter(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}
