/**
 * Why a store failed.
 *
 * - `INVALID`: an argument is wrong; the message says which one and what would be right
 * - `UNREACHABLE`: no answer. The call may have taken effect, or may do so later
 * - `DENIED`: wrong credentials, or a user or file that may not be written
 * - `FULL`: no space left; nothing was written
 * - `INCOMPATIBLE`: it is of another version of this package, of another program, or no database at all
 * - `CLOSED`: it was closed
 * - `FAILED`: anything else; `cause` has what the client said
 */
export type StoreErrorCode =
  | 'INVALID'
  | 'UNREACHABLE'
  | 'DENIED'
  | 'FULL'
  | 'INCOMPATIBLE'
  | 'CLOSED'
  | 'FAILED';

/** A failure of a store. The message names the store, and contains neither values nor passwords. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Whether a value is a {@link StoreError}, also from another copy of this package. */
export function isStoreError(value: unknown): value is StoreError {
  return value instanceof Error && value.name === 'StoreError' && 'code' in value;
}

const meanings: Readonly<Partial<Record<StoreErrorCode, string>>> = {
  UNREACHABLE: 'cannot be reached',
  DENIED: 'denied access',
  FULL: 'is full, and nothing was written',
  INCOMPATIBLE: 'is not one that this version can use',
};

/** Creates the error for what a client threw. */
export function storeError(store: string, code: StoreErrorCode, thrown: unknown): StoreError {
  return new StoreError(code, `${capital(store)} ${meanings[code] ?? 'failed'}: ${detailOf(thrown)}`, {
    cause: withoutSecrets(thrown),
  });
}

/** `the Redis store` at the beginning of a sentence. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function detailOf(thrown: unknown): string {
  // Node rejects with an empty AggregateError if a host has several addresses.
  const errors: readonly unknown[] = thrown instanceof AggregateError ? thrown.errors : [thrown];
  const messages = errors.map((error) => (error instanceof Error ? error.message : String(error)));
  return messages.filter(Boolean).join('; ') || 'no reason given';
}

/** Clients keep the command or the address on their errors, with the password in it. Only message, stack and code are copied. */
function withoutSecrets(thrown: unknown): Error {
  if (!(thrown instanceof Error)) return new Error(String(thrown));
  const copy = new Error(thrown.message);
  copy.name = thrown.name;
  if (thrown.stack !== undefined) copy.stack = thrown.stack;
  return 'code' in thrown ? Object.assign(copy, { code: thrown.code }) : copy;
}
