import type { Begun, Finished } from './types.ts';

/** The steps of a call as its own loop takes them: without the token, which only the split form needs. */
export type BegunStep = WithoutToken<Begun>;

/** See {@link BegunStep}. */
export type FinishedStep = WithoutToken<Finished>;

type WithoutToken<Step> = Step extends { readonly token: unknown } ? Omit<Step, 'token'> : Step;
