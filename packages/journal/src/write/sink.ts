import type { LineText } from '../record/line.ts';
import type { JournalRecord, TornLine } from '../record/types.ts';

/** A line to write, and its record. */
export interface SinkLine extends LineText {
  readonly about: JournalRecord;
}

/** A destination for a journal. */
export interface JournalSink {
  /** Its name in error messages. Must not contain a secret. */
  readonly name: string;
  /** How many characters of JSON one value may have. Longer ones are left out, and named in `omitted`. Default: any number. */
  readonly maxLength?: number;
  /**
   * Writes all lines, in order. What was written when it returns (or resolves) survives the end of the process. After
   * a failure it gets the same lines again, including those that were written, and skips these.
   *
   * @param vouch makes the lines of a record that names torn lines. A sink that finds torn lines writes these lines first, directly
   *   behind them
   */
  write(
    lines: readonly SinkLine[],
    vouch?: (torn: readonly TornLine[]) => readonly SinkLine[],
  ): void | Promise<void>;
  close?(): void | Promise<void>;
}

/**
 * How many lines are written at once. What waits after an outage may be more than a store can take in the time of a call, and an attempt that
 * fails on a full disk would cost more with each line that waits.
 */
export function portionOf(lines: readonly SinkLine[], from: number): number {
  let [count, length] = [0, 0];
  for (const { data } of lines.slice(from, from + MOST_LINES)) {
    length += data?.length ?? 0;
    if (count > 0 && length > MOST_LENGTH) break;
    count++;
  }
  return count;
}

const MOST_LINES = 256;
/** Of their data, in characters. */
const MOST_LENGTH = 1_000_000;
