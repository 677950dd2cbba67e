/**
 * Why something about a journal failed.
 *
 * - `INVALID`: an argument is wrong
 * - `NOT_FOUND`: there is no journal at that place
 * - `MALFORMED`: a line is cut off, or no line of a journal
 * - `NEWER_VERSION`: a line was written by a newer version of this package
 * - `WRITE_FAILED`: records could not be written; `cause` has what the file system or the store said
 */
export type JournalErrorCode = 'INVALID' | 'NOT_FOUND' | 'MALFORMED' | 'NEWER_VERSION' | 'WRITE_FAILED';

/** A failure of a journal. The message names the place, and contains nothing of the records. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
  readonly code: JournalErrorCode;

  constructor(code: JournalErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
