import { fstatSync, readSync, writeSync } from 'node:fs';
import { lineOf, sha256, tornLine } from '../record/line.ts';
import type { TornLine } from '../record/types.ts';
import type { SinkLine } from './sink.ts';
import { notedLines } from './writer.ts';

/** Makes the lines of a record that names torn lines. */
export type Vouch = (torn: readonly TornLine[]) => readonly SinkLine[];

/**
 * Appends lines to files to which other processes append, too. Where the last line has no end, because its process was killed or the disk
 * was full, a record that names what is left comes directly behind it. So a reader guesses nothing: whatever stands in front of a record
 * and is not named is none of the journal's.
 */
export class Appender {
  /** The torn lines that no record names yet: this process's own, and those that came between its look at the end and its write. */
  #unnamed: readonly TornLine[] = [];

  /** Appends lines, each with its line feed, in one write. Returns how many of them are in the file: fewer where the disk is full. */
  append(file: number, lines: readonly Buffer[], vouch: Vouch = vouchUnsigned): number {
    const { size, left } = endOf(file);
    const torn = new Map(this.#unnamed.map((each) => [each.sha256, each]));
    const found = tornLine(left);
    if (left.length > 0 && !torn.has(found.sha256)) torn.set(found.sha256, found);
    const names = torn.size === 0 ? [] : vouch([...torn.values()]).map((line) => `${lineOf(line)}\n`);
    const head = Buffer.from(names.join(''));
    const bytes = Buffer.concat([head, ...lines]);
    if (bytes.length === 0) return 0;
    const done = writeSync(file, bytes);
    if (done >= head.length) this.#unnamed = [];

    let written = 0;
    let end = head.length;
    for (const { length } of lines) {
      if (end + length > done) break;
      end += length;
      written++;
    }
    // Of a torn name the next look at the end finds all that is left.
    if (written < lines.length && done > end) this.#owe(bytes.subarray(end, done), true);
    if (fstatSync(file).size !== size + done)
      this.#lookBehind(file, size - left.length, bytes.subarray(0, done), torn);
    return written;
  }

  /** Names what others left during the last write, since there may be no next one. Not without end: somebody may tear lines all the time. */
  settle(file: number, vouch: Vouch = vouchUnsigned): void {
    for (let tries = 0; this.#unnamed.length > 0 && tries < MOST_TRIES; tries++) this.append(file, [], vouch);
  }

  /** Another process has written at the same time: it may have been killed in front of what this one has written. */
  #lookBehind(file: number, from: number, own: Buffer, named: ReadonlyMap<string, TornLine>): void {
    const bytes = readFrom(file, from, fstatSync(file).size - from);
    const at = bytes.indexOf(own);
    if (at <= 0) return;
    const left = bytes.subarray(bytes.lastIndexOf(LINE_FEED, at - 1) + 1, at);
    if (left.length > 0 && !named.has(sha256(left))) this.#owe(left, false);
  }

  #owe(left: Buffer, isOwn: boolean): void {
    this.#unnamed = [...this.#unnamed, { ...tornLine(left), ...(isOwn && { again: true as const }) }];
  }
}

/** A sink that is used without a journal has no key. */
const vouchUnsigned: Vouch = (torn) => notedLines(torn, undefined);

const LINE_FEED = 10;
const CHUNK = 65_536;
const MOST_TRIES = 100;

/** The size of a file, and what stands behind its last line feed. */
function endOf(file: number): { readonly size: number; readonly left: Buffer } {
  const { size } = fstatSync(file);
  const left = lastLine(file, size);
  // While it grows, another process is writing the line. One that rests in its write is taken for killed: what names the line then names none.
  return left.length > 0 && fstatSync(file).size !== size ? endOf(file) : { size, left };
}

function lastLine(file: number, size: number): Buffer {
  let from = size;
  const found: Buffer[] = [];
  // Nearly always the file ends in a line feed.
  for (let length = 1; from > 0; length = CHUNK) {
    const before = from;
    from = Math.max(0, from - length);
    const chunk = readFrom(file, from, before - from);
    const feed = chunk.lastIndexOf(LINE_FEED);
    found.unshift(chunk.subarray(feed + 1));
    if (feed >= 0) break;
  }
  return Buffer.concat(found);
}

/** Fewer bytes where the file ends. */
export function readFrom(file: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const read = readSync(file, bytes, done, length - done, from + done);
    if (read === 0) break;
    done += read;
  }
  return bytes.subarray(0, done);
}
