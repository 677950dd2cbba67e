import { constants } from 'node:buffer';
import type { Readable, Writable } from 'node:stream';
import { type Message, wireForm } from './message.ts';

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;

/** The longest readable line. */
const LONGEST = constants.MAX_STRING_LENGTH;

/**
 * Reads lines as bytes. Stops reading while `sink`, which the results go to, has more than `most` bytes to write, so that
 * a slow reader slows the writer down instead of filling our memory.
 * @returns resolves when the stream has ended or failed
 */
export function readLines(
  source: Readable,
  sink: { readonly stream: Writable; readonly most: number } | undefined,
  onLine: (line: Buffer) => void,
  onTooLong: () => void,
): Promise<undefined> {
  let parts: Buffer[] = [];
  let length = 0;
  const take = (part: Buffer): void => {
    length += part.length;
    if (length <= LONGEST) parts.push(part);
    else parts = [];
  };
  const read = (chunk: Buffer): void => {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      take(chunk.subarray(start, end));
      const line = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
      if (length > LONGEST) onTooLong();
      else if (line.length > 0) onLine(line);
      parts = [];
      length = 0;
      start = end + 1;
    }
    if (start < chunk.length) take(chunk.subarray(start));
    if (sink === undefined || !sink.stream.writableNeedDrain || sink.stream.writableLength <= sink.most)
      return;
    source.pause();
    sink.stream.once('drain', () => source.resume());
  };
  return new Promise((resolve) => {
    source.on('data', read);
    for (const over of ['end', 'error', 'close']) source.on(over, () => resolve(undefined));
  });
}

/**
 * The text of a message without the ends of lines in it, which are only spaces in JSON. Some readers end a line at a
 * carriage return, and a message in the middle of another would reach them unseen.
 */
export function inLine(message: Message): Uint8Array | string {
  const wire = wireForm(message);
  if (typeof wire === 'string') return wire.replaceAll(/[\r\n]/g, ' ');
  if (!wire.includes(CARRIAGE_RETURN) && !wire.includes(NEWLINE)) return wire;
  return wire.map((byte) => (byte === CARRIAGE_RETURN || byte === NEWLINE ? SPACE : byte));
}

/** Writes a message as a line. */
export function writeLine(sink: Writable, message: Message): void {
  if (!sink.writable) return;
  // Before `cork`: it throws if the message is nested too deeply.
  const line = inLine(message);
  sink.cork();
  sink.write(line);
  sink.write('\n');
  sink.uncork();
}
