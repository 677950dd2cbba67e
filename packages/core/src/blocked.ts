/** A tool call that is over, or anything else that a hook refused. */
export interface Refused {
  /** The hook's own words. */
  readonly reason?: string | undefined;
  /** What a model would have read. */
  readonly message?: string | undefined;
  readonly toolName?: string | undefined;
  readonly stop?: boolean | undefined;
}

/** Thrown where a hook refuses a run or a call, and the framework has no other way to say so. `reason` is the hook's own. */
export class BlockedError extends Error {
  override readonly name = 'BlockedError';
  readonly reason: string;
  /** The tool whose call was refused; undefined where it was a run. */
  readonly toolName: string | undefined;
  /** The run is to end, too. */
  readonly stop: boolean;

  constructor({ reason = '', message = reason, toolName, stop = false }: Refused) {
    super(message);
    this.reason = reason;
    this.toolName = toolName;
    this.stop = stop;
  }
}

/** Whether a value is a {@link BlockedError}, also one of another copy of this package. */
export function isBlockedError(value: unknown): value is BlockedError {
  return value instanceof Error && value.name === 'BlockedError' && 'reason' in value;
}

/** Why results and errors were blocked that cannot say so themselves. */
const reasons: WeakMap<object, string> = new WeakMap();

/** Notes why something was blocked, for `blockReason`. */
export function noteBlocked(resultOrError: object, reason: string): void {
  reasons.set(resultOrError, reason);
}

/** Forgets that: what was noted of is in use again. */
export function forgetBlocked(resultOrError: object): void {
  reasons.delete(resultOrError);
}

/**
 * Makes an adapter's `blockReason`.
 *
 * @param read finds the reason in a result of the framework; undefined where there is none
 */
export function blockReasonWith(
  read: (result: object) => string | undefined,
): (resultOrError: unknown) => string | undefined {
  const reasonOf = (value: unknown): string | undefined => {
    if (typeof value !== 'object' || value === null) return undefined;
    if (isBlockedError(value)) return value.reason;
    const noted = reasons.get(value);
    if (noted !== undefined) return noted;
    // Frameworks wrap what a tool or a model threw.
    if (value instanceof Error) return reasonOf('error' in value ? value.error : value.cause);
    return read(value);
  };
  return reasonOf;
}
