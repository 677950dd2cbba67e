/**
 * Why something failed. The set is closed.
 *
 * - `HOOK_FAILED`: a handler threw or rejected (`cause` is what it threw)
 * - `HOOK_TIMEOUT`: a handler's promise took longer than its `timeoutMs`
 * - `LATE_ANSWER`: a handler answered after its timeout; the answer was ignored
 * - `INVALID_DECISION`: a handler returned no decision, or one that the event does not permit
 * - `INVALID_INPUT`: an argument, a tool call's input or an event does not have the required shape
 * - `INVALID_EVENT`: an event is declared wrongly
 * - `UNKNOWN_TOOL`: a matcher matches none of the known tools
 * - `UNSUPPORTED_EVENT`: a hook may refuse on an event that the framework cannot fire or obey
 * - `DUPLICATE_HOOK`: an id or a provider's name is already used
 * - `CONFIG_INVALID`: an option or a file has a wrong value
 * - `APPROVER_FAILED`: the approver threw or returned an invalid answer; the call was denied
 * - `ROUTE_FAILED`: a replaced `execute` could not run the call; nothing ran, and the call was blocked with this
 *   message
 */
export type HooksErrorCode =
  | 'HOOK_FAILED'
  | 'HOOK_TIMEOUT'
  | 'LATE_ANSWER'
  | 'INVALID_DECISION'
  | 'INVALID_INPUT'
  | 'INVALID_EVENT'
  | 'UNKNOWN_TOOL'
  | 'UNSUPPORTED_EVENT'
  | 'DUPLICATE_HOOK'
  | 'CONFIG_INVALID'
  | 'APPROVER_FAILED'
  | 'ROUTE_FAILED';

/** Where the documentation is published: the `homepage` of each package, and the base of the site's links. */
const HOMEPAGE = 'https://hooks.github.io/hooks/';

/** Which hook caused the error, on which event. */
export interface HooksErrorOrigin {
  /** The hook's id, `provider/id`. */
  readonly hook?: string;
  /** The event's type, for example `before_tool_call`. */
  readonly event?: string;
  readonly cause?: unknown;
}

/**
 * The error class of all `@hooks` packages. Node prints `code` and `docs` below the stack. The message has no address,
 * because a model reads it where a gate failed.
 */
export class HooksError extends Error {
  override readonly name = 'HooksError';
  declare readonly code: HooksErrorCode;
  declare readonly hook: string | undefined;
  declare readonly event: string | undefined;
  /** The address of the page that explains the code and says what to do. */
  declare readonly docs: string;

  constructor(code: HooksErrorCode, message: string, origin: HooksErrorOrigin = {}) {
    super(message, origin);
    this.code = code;
    this.hook = origin.hook;
    this.event = origin.event;
    this.docs = `${HOMEPAGE}guides/troubleshooting#${code.toLowerCase()}`;
  }
}

/** The call has already continued, for example because of another answer to its approval. */
export class ContinuedElsewhere extends HooksError {
  constructor(message: string) {
    super('INVALID_INPUT', message);
  }
}

/** Throws a {@link HooksError}. */
export function fail(code: HooksErrorCode, message: string, origin?: HooksErrorOrigin): never {
  throw new HooksError(code, message, origin);
}

/** Whether a value is a {@link HooksError}, including one from another copy of this package. */
export function isHooksError(value: unknown): value is HooksError {
  return value instanceof Error && value.name === 'HooksError' && 'code' in value;
}
