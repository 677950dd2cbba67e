import type { Approver, Hooks } from '@hooks/core';

/** Options of both {@link proxy} and {@link gateway}. */
export interface CommonOptions {
  /** Decide about every tool call and its result. */
  readonly hooks: Hooks;
  /** Answers approvals if the client cannot show a form. Without it, such calls are denied. */
  readonly approval?: Approver | undefined;
  /** Event types that may have hooks although they never fire here. */
  readonly allowUnsupported?: readonly string[] | undefined;
  /** Called with warnings for the operator. Default: writes to stderr. */
  readonly onWarning?: ((text: string) => void) | undefined;
}

/** Warns the operator. */
export function warn(text: string): void {
  process.stderr.write(`hooks mcp: ${text}\n`);
}
