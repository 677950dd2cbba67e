import { codeIn, reasonOf } from './reason.ts';

/**
 * Why a store failed.
 *
 * - `INVALID`: an argument is wrong; the message says which one and what would be right
 * - `UNREACHABLE`: no answer. The call may have taken effect, or may do so later
 * - `DENIED`: wrong credentials, or a user or file that may not be written
 * - `FULL`: no space left; nothing was written
 * - `INCOMPATIBLE`: it is of another version of this package, of another program, or no database at all
 * - `CLOSED`: it was closed
 * - `FAILED`: anything else; `cause` has the code and the stack of the client's error
 */
export type StoreErrorCode =
  | 'INVALID'
  | 'UNREACHABLE'
  | 'DENIED'
  | 'FULL'
  | 'INCOMPATIBLE'
  | 'CLOSED'
  | 'FAILED';

/** A failure of a store. Its message and its cause name the store, and hold no value, address or password. */
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
  const reason = reasonOf(thrown);
  return new StoreError(code, `${capital(store)} ${meanings[code] ?? 'failed'}: ${reason}`, {
    cause: withoutSecrets(thrown, reason),
  });
}

/** `the Redis store` at the beginning of a sentence. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What a client threw, without its message and fields: they may hold the address, the password and the command. */
export function withoutSecrets(thrown: unknown, reason: string = reasonOf(thrown)): Error {
  const copy = new Error(reason);
  if (!(thrown instanceof Error)) return copy;
  copy.stack = `Error: ${reason}${framesOf(thrown)}`;
  const code = codeIn(thrown);
  return code === undefined ? copy : Object.assign(copy, { code });
}

/** The lines of the stack behind its message. None where the message was changed later. */
function framesOf({ stack = '', message }: Error): string {
  const start = stack.indexOf(message);
  if (start < 0) return '';
  const lines = stack
    .slice(start + message.length)
    .split('\n')
    .slice(1);
  return lines
    .filter((line) => /^ {4}at /.test(line))
    .map((line) => `\n${line}`)
    .join('');
}
