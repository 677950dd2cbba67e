/**
 * Why a sandbox could not do its work.
 *
 * - `UNSUPPORTED`: the provider cannot keep the spec here; the message says what would help.
 * - `UNAVAILABLE`: it could not be started.
 * - `FAILED`: it broke while it was asked to do something.
 * - `CLOSED`: the session is over.
 * - `LIMIT`: a file or listing is larger than what is carried over.
 */
export type SandboxErrorCode = 'UNSUPPORTED' | 'UNAVAILABLE' | 'FAILED' | 'CLOSED' | 'LIMIT';

/** The sandbox's own failure, never that of a command that ran in it. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  readonly code: SandboxErrorCode;

  constructor(code: SandboxErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
