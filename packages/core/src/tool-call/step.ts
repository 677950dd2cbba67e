import type { ToolCallOutcome } from './types.ts';

/** How a call goes on that nobody need be asked about any more, or how it ended; what a step is about stands in its flight. */
export type AnsweredStep = { readonly status: 'run' } | ToolCallOutcome;

/** How the first half of a call goes on, or how the call ended. */
export type BegunStep = { readonly status: 'ask' } | AnsweredStep;

/** How the second half goes on, or how the call ended. */
export type FinishedStep = { readonly status: 'again' } | ToolCallOutcome;
