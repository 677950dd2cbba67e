import * as z from 'zod';
import { type LineText, partsOf } from '../record/line.ts';
import { JOURNAL_VERSION, journalDataSchema, journalRecordSchema } from '../record/schema.ts';
import type { JournalData, JournalRecord, TornLine } from '../record/types.ts';

/** One record that was read. */
export interface JournalReading {
  readonly record: JournalRecord;
  /** Its hash, as the journal states it. */
  readonly hash: string;
  /** Its values and texts; null where they were erased, absent where there were none. */
  readonly data?: JournalData | null;
  /** Where it stands: `2026-11-23.jsonl:17`, or a position in a store's log. */
  readonly place: string;
}

/** A line that is no record. */
export interface ReadProblem {
  /**
   * `CUT_OFF`: the last line of a file has no end, or stands so in front of a record that another process has written: a process was
   * killed, or the disk was full. It holds no record.
   */
  readonly code: 'CUT_OFF' | 'MALFORMED' | 'NEWER_VERSION';
  readonly place: string;
  /** What is wrong, and where. */
  readonly message: string;
}

/** A record that was read, with the parts of its line as they stand there. Its data is not parsed. */
export interface ParsedRecord {
  readonly record: JournalRecord;
  readonly parts: LineText;
  readonly place: string;
  /** What stands before it in its line. It is a torn line if a record names it (`data.torn`). */
  readonly torn?: TornLine;
}

/** A line that was read. */
export type ParsedLine = ParsedRecord | { readonly problem: ReadProblem };

/** Reads the record of one line. */
export function parseLine(text: string | undefined, place: string): ParsedLine {
  if (text === undefined) return { problem: malformedAt(place, 'is no UTF-8, or too long for a line') };
  const malformed = (what: string): ParsedLine => ({ problem: malformedAt(place, what) });
  const parts = partsOf(text);
  if (parts === undefined) return malformed('is no line of a journal');
  let record: unknown;
  try {
    record = JSON.parse(parts.record);
    return { record: checked(schemas().record, record), parts, place };
  } catch (error) {
    const version = versionOf(record);
    if (version === undefined || version <= JOURNAL_VERSION)
      return malformed(`is no line of a journal: ${whatIsWrong(error)}`);
    return {
      problem: {
        code: 'NEWER_VERSION',
        place,
        message: `${place} is of version ${version} of the format; this @hooks/journal reads up to ${JOURNAL_VERSION}: install a newer one`,
      },
    };
  }
}

/** Parses the data of a record, too. */
export function withData({
  record,
  parts: { hash, data },
  place,
}: ParsedRecord): { readonly reading: JournalReading } | { readonly problem: ReadProblem } {
  const reading = { record, hash, place };
  if (data === undefined) return { reading };
  if (data === null) return { reading: { ...reading, data } };
  try {
    return { reading: { ...reading, data: checked(schemas().data, JSON.parse(data)) } };
  } catch (error) {
    return { problem: malformedAt(place, `is no line of a journal: ${whatIsWrong(error)}`) };
  }
}

export function cutOffAt(place: string): ReadProblem {
  const message = `${place} is cut off: a process was killed, or the disk was full, in the middle of the line`;
  return { code: 'CUT_OFF', place, message };
}

export function malformedAt(place: string, what: string): ReadProblem {
  return { code: 'MALFORMED', place, message: `${place} ${what}` };
}

interface Schemas {
  readonly record: z.ZodType<JournalRecord>;
  readonly data: z.ZodType<JournalData>;
}

let compiled: Schemas | undefined;

/** Compiled when the first line is read: that takes as long as reading a thousand, and a process that only writes reads none. */
function schemas(): Schemas {
  compiled ??= { record: z.compile(journalRecordSchema), data: z.compile(journalDataSchema) };
  return compiled;
}

/** The value itself: the schemas keep every value as it is, and `parse` would copy it. */
function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  return z.validate(schema, value) ? (value as T) : schema.parse(value);
}

/** The version that a record states, where it states one. */
function versionOf(record: unknown): number | undefined {
  const { dataschema } = Object(record) as { readonly dataschema?: unknown };
  const version = /^urn:hooks:journal:(\d+)$/.exec(String(dataschema))?.[1];
  return version === undefined ? undefined : Number(version);
}

/** Names the fields, never a value. */
function whatIsWrong(error: unknown): string {
  if (!(error instanceof z.ZodError)) return 'no JSON';
  return error.issues.map(({ path, code }) => `${path.join('.') || 'record'} (${code})`).join(', ');
}
