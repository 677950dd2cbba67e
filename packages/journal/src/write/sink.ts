import type { LineText } from '../record/line.ts';
import type { JournalRecord } from '../record/types.ts';

/** A line to write, and what it says. */
export interface SinkLine extends LineText {
  readonly about: JournalRecord;
}

/** Where a journal is written. */
export interface JournalSink {
  /** How errors call it. Holds no secret. */
  readonly name: string;
  /**
   * Writes lines, all of them, in order. What it has returned from (or resolved) survives the end of the process. After a throw or
   * a rejection the same lines are given again, those that were written too: it leaves them out.
   */
  write(lines: readonly SinkLine[]): void | Promise<void>;
  close?(): void | Promise<void>;
}
