import type { DoneCall } from './types.ts';

/** How the first half of a call goes on; what a step is about stands in its flight. */
export type BegunStep = { readonly kind: 'run' } | { readonly kind: 'ask' } | DoneCall;

/** How the second half goes on. */
export type FinishedStep = { readonly kind: 'again'; readonly delayMs: number } | DoneCall;
