import type { Approver, Hooks } from '@hooks/core';

/** What a proxy and a gateway have in common. */
export interface GateOptions {
  /** Asked about every tool call, and about what comes back. */
  readonly hooks: Hooks;
  /** Who approves where the client cannot show a person a form; without it, such calls are denied. */
  readonly approval?: Approver | undefined;
  /** Event types that hooks may be registered on though they never fire here. */
  readonly allowUnsupported?: readonly string[] | undefined;
  /** Gets what the operator should know; written to stderr unless given. */
  readonly onWarning?: ((text: string) => void) | undefined;
}

/** Tells the operator. */
export function warn(text: string): void {
  process.stderr.write(`hooks mcp: ${text}\n`);
}
