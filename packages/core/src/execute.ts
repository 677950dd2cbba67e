import type { Concealed } from './conceal.ts';
import { type Modify, modify } from './decision.ts';
import type { ToolEvent } from './event/catalogue/groups.ts';

/** What `execute` gets besides the input. */
export interface ExecuteOptions {
  /** Fires when the run is aborted. */
  readonly signal: AbortSignal | undefined;
  /** The call as the guards saw it. */
  readonly call: ToolEvent & { readonly concealed?: Concealed };
  /** What a `BeforeExecute` hook set: the same for each attempt to run this very call, in whatever process. */
  readonly idempotencyKey?: string | undefined;
}

/** Where a call runs instead of in its tool. Guards and the trace see it. */
export interface Route {
  /** Who runs it, for example `local` or `e2b`. */
  readonly provider: string;
  /** Whether it runs isolated from the host. Only `@hooks/sandbox` says so. */
  readonly isolated: boolean;
}

/** The function that runs a call instead of the tool. What it returns is the call's output. */
export interface Execute {
  (input: unknown, options: ExecuteOptions): unknown;
  readonly route?: Route;
  /** It returns or throws a result that is known already, so nothing runs: see {@link answer}. */
  readonly answers?: true;
}

/**
 * Answers the call without running the tool: the model reads `output` as if the tool had returned it. `AfterToolCall` has
 * `ran: false` and `answered: true`.
 */
export function answer(output: unknown): Modify<{ readonly execute: Execute }> {
  return modify({ execute: answering(() => output) });
}

/** Marks a function that gives a result without running anything. */
export function answering(execute: () => unknown): Execute {
  return Object.assign(execute, { answers: true } as const);
}
