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
