/**
 * Why a sandbox failed.
 *
 * - `UNSUPPORTED`: the provider cannot meet the spec here; the message tells what would help.
 * - `UNAVAILABLE`: it could not be started.
 * - `FAILED`: it broke during an operation.
 * - `CLOSED`: the session is over.
 * - `LIMIT`: a file or listing is too large to transfer.
 */
export type SandboxErrorCode = 'UNSUPPORTED' | 'UNAVAILABLE' | 'FAILED' | 'CLOSED' | 'LIMIT';

/** A failure of the sandbox itself, never of a command in it. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  readonly code: SandboxErrorCode;

  constructor(code: SandboxErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
