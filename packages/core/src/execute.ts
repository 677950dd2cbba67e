import { type Modify, modify } from './decision.ts';
import type { ToolEvent } from './event/catalogue/groups.ts';

/** What `execute` gets beside the input, a replaced one too. */
export interface ExecuteOptions {
  /** Fires when the run is aborted. */
  readonly signal: AbortSignal | undefined;
  /** The call as the guards saw it. */
  readonly call: ToolEvent;
}

/** Where a call runs instead of at its tool; visible to guards and trace. */
export interface Route {
  /** Who runs it, for example `local` or `e2b`. */
  readonly provider: string;
  /** Whether it runs isolated from the host. Only `@hooks/sandbox` says so. */
  readonly isolated: boolean;
}

/** The function that will run a call in place of the tool. What it returns is the call's output. */
export interface Execute {
  (input: unknown, options: ExecuteOptions): unknown;
  readonly route?: Route;
}

/** Answer the call without running the tool: the model reads `output` as if the tool had returned it. */
export function answer(output: unknown): Modify<{ readonly execute: Execute }> {
  return modify({ execute: () => output });
}
