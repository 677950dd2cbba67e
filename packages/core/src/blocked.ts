/** The reason of a finished tool call, or of anything else that a hook refused. */
export interface Refused {
  /** The hook's own words. */
  readonly reason?: string | undefined;
  /** What a model would have read. */
  readonly message?: string | undefined;
  readonly toolName?: string | undefined;
  readonly stop?: boolean | undefined;
}

/** How a run ends that a hook ends, for the code that started it. */
export type RefusedForm = 'return' | 'throw';

/** The option with which every adapter chooses that form. */
export interface RefusedOption {
  /**
   * What your code gets when a hook ends a run: a refused prompt, run, model call or answer, or a Block with `stop`.
   *
   * - `return` (the default): the framework's own result, whose text is the reason, streamed too
   * - `throw`: the run rejects, or its stream fails, with a `BlockedError`
   *
   * `blockReason` reads the reason from either. A refused call that does not end the run is not affected: the model
   * reads the reason. Of several registries the outermost that sets it decides.
   */
  readonly refused?: RefusedForm;
}

/**
 * Thrown when a hook refuses a run or a call: a run with `refused: 'throw'`, and anything whose result cannot carry a
 * reason. `reason` is the hook's.
 */
export class BlockedError extends Error {
  override readonly name = 'BlockedError';
  readonly reason: string;
  /** The tool whose call was refused; undefined for a run. */
  readonly toolName: string | undefined;
  /** Also end the run. */
  readonly stop: boolean;

  constructor({ reason = '', message = reason, toolName, stop = false }: Refused) {
    super(message);
    this.reason = reason;
    this.toolName = toolName;
    this.stop = stop;
  }
}

/** Whether a value is a {@link BlockedError}, including one from another copy of this package. */
export function isBlockedError(value: unknown): value is BlockedError {
  return value instanceof Error && value.name === 'BlockedError' && 'reason' in value;
}

/** Reasons of blocked results and errors that cannot carry one themselves. */
const reasons: WeakMap<object, string> = new WeakMap();

/** Records why something was blocked, for `blockReason`. */
export function noteBlocked(resultOrError: object, reason: string): void {
  reasons.set(resultOrError, reason);
}

/** Forgets the noted reason, because the object is in use again. */
export function forgetBlocked(resultOrError: object): void {
  reasons.delete(resultOrError);
}

/**
 * Creates an adapter's `blockReason`.
 *
 * @param read finds the reason in the framework's result, or returns undefined
 */
export function blockReasonWith(
  read: (result: object) => string | undefined,
): (resultOrError: unknown) => string | undefined {
  return (resultOrError) => {
    const seen = new Set<object>();
    let value = resultOrError;
    // The cause of an error may lead back to it.
    while (typeof value === 'object' && value !== null && !seen.has(value)) {
      if (isBlockedError(value)) return value.reason;
      const noted = reasons.get(value);
      if (noted !== undefined) return noted;
      if (!(value instanceof Error)) return read(value);
      seen.add(value);
      // Frameworks wrap what a tool or a model threw.
      value = 'error' in value ? value.error : value.cause;
    }
    return undefined;
  };
}
