import * as z from 'zod';
import { type LineText, partsOf } from '../record/line.ts';
import { JOURNAL_VERSION, journalDataSchema, journalRecordSchema } from '../record/schema.ts';
import type { JournalData, JournalRecord } from '../record/types.ts';

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
  readonly code: 'MALFORMED' | 'NEWER_VERSION';
  readonly place: string;
  /** What is wrong, and where. */
  readonly message: string;
}

/** A line that was read, with its parts as they stand there. */
export type Parsed =
  | { readonly reading: JournalReading; readonly parts: LineText }
  | { readonly problem: ReadProblem };

/** Reads one line. */
export function parseLine(text: string | undefined, place: string, ended: boolean): Parsed {
  const malformed = (what: string): Parsed => ({
    problem: { code: 'MALFORMED', place, message: `${place} ${what}` },
  });
  if (text === undefined) return malformed('is no UTF-8');
  const parts = partsOf(text);
  if (parts === undefined)
    return malformed(
      ended
        ? 'is no line of a journal, or one that is cut off'
        : 'is cut off: the file ends in the middle of a line',
    );
  try {
    const record: unknown = JSON.parse(parts.record);
    const version = versionOf(record);
    if (version !== undefined && version > JOURNAL_VERSION)
      return {
        problem: {
          code: 'NEWER_VERSION',
          place,
          message: `${place} is of version ${version} of the format; this @hooks/journal reads up to ${JOURNAL_VERSION}: install a newer one`,
        },
      };
    const { hash, data } = parts;
    const reading: JournalReading = {
      // Its shape is checked, and the schema keeps every value as it is.
      record: checked(journalRecordSchema, record),
      hash,
      place,
      ...(data !== undefined && {
        data: data === null ? null : checked(journalDataSchema, JSON.parse(data)),
      }),
    };
    return { reading, parts };
  } catch (error) {
    return malformed(`is no line of a journal: ${whatIsWrong(error)}`);
  }
}

function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  return schema.parse(value);
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
