import { hash as digest } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { JournalLine, JournalRecord, TornLine } from './types.ts';

/**
 * Canonical JSON (RFC 8785).
 *
 * @throws Error where the value has no JSON form
 */
export function canonicalJson(value: unknown): string {
  return canonicalize(value) ?? 'null';
}

/** Canonical JSON of an object, of its fields' canonical JSON. */
export function objectOf(fields: ReadonlyMap<string, string>): string {
  // As RFC 8785 has it: sorted by UTF-16 code units.
  const names = [...fields.keys()].sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${fields.get(name)}`).join(',')}}`;
}

/** The hash of a record: the leaf hash of RFC 6962 over its canonical JSON. */
export function hashRecord(record: JournalRecord): string {
  return leafHash(canonicalJson(record));
}

/** SHA-256 of a zero byte and a text, in hexadecimal. */
export function leafHash(text: string): string {
  return digest('sha256', `\0${text}`, 'hex');
}

export function sha256(text: string | Uint8Array): string {
  return digest('sha256', text, 'hex');
}

/** What is left of a line, as a record names it. */
export function tornLine(left: Uint8Array): TornLine {
  return { bytes: left.length, sha256: sha256(left) };
}

/** A line, as its parts are hashed. */
export interface LineText {
  readonly record: string;
  readonly hash: string;
  /** Null where it was erased. */
  readonly data?: string | null;
}

/** Writes a line: canonical JSON, without the line feed. */
export function lineOf({ data, hash, record }: LineText): string {
  const before = data === undefined ? '' : `"data":${data},`;
  return `{${before}"hash":"${hash}","record":${record}}`;
}

/**
 * A line of a journal as text, without the line feed: what was read, written so that it verifies in another file. Data that stood in
 * a file of its own stands in the line.
 */
export function journalLineText({ record, hash, data }: JournalLine): string {
  const parts = { record: canonicalJson(record), hash };
  return lineOf(data === undefined ? parts : { ...parts, data: canonicalJson(data) });
}

/** Finds the parts of a line, as they stand there; undefined where it is none. */
export function partsOf(line: string): LineText | undefined {
  // No text in a record can hold this: quotes are escaped there, and no field of it is called `hash`.
  const at = line.lastIndexOf('"hash":"');
  const hash = line.slice(at + 8, at + 72);
  const from = at + 83;
  if (at < 1 || line.slice(at + 72, from) !== '","record":' || !line.endsWith('}')) return undefined;
  const record = line.slice(from, -1);
  if (at === 1) return line[0] === '{' ? { record, hash } : undefined;
  if (!line.startsWith('{"data":') || line[at - 1] !== ',') return undefined;
  const data = line.slice(8, at - 1);
  // An erased line keeps its length: spaces stand where the data stood.
  return { record, hash, data: /^null *$/.test(data) ? null : data };
}
