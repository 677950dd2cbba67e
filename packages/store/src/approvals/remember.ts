import type { Remember, RememberBounds } from '@hooks/core';
import { StoreError } from '../error.ts';

/** Checked bounds, with the time in milliseconds. */
export interface CheckedBounds extends Pick<RememberBounds, 'within' | 'times'> {
  readonly forMs?: number;
}

const DAY_MS = 24 * 60 * 60_000;
const UNITS: Readonly<Record<string, number>> = { s: 1_000, min: 60_000, h: 60 * 60_000, d: DAY_MS };
/** A hundred years. */
const LONGEST_MS = 100 * 365 * DAY_MS;

/**
 * Checks what an answer says, which may have come as JSON.
 *
 * @throws StoreError `INVALID`
 */
export function boundsOf(remember: NonNullable<Remember['remember']>): CheckedBounds {
  const given: { readonly [field: string]: unknown } =
    typeof remember === 'string' ? { within: remember } : Object(remember ?? {});
  const { within, for: time, times, ...others } = given;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw invalid(`${JSON.stringify(unknown)} is no bound; there are within, for and times`);
  if (within !== 'session' && within !== 'always' && !(within === 'run' && typeof remember !== 'string'))
    throw invalid(
      `remember is ${JSON.stringify(within)}; it has to be 'session' or 'always', or bounds with within: 'run', 'session' or 'always'`,
    );
  if (times !== undefined && !(Number.isSafeInteger(times) && Number(times) > 0))
    throw invalid(`times is ${JSON.stringify(times)}; it has to be a whole number from 1 on`);
  const forMs = time === undefined ? (within === 'always' ? undefined : DAY_MS) : msOf(time);
  return {
    within,
    ...(times !== undefined && { times: Number(times) }),
    ...(forMs !== undefined && { forMs }),
  };
}

function msOf(time: unknown): number {
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?) ?(s|min|h|d)$/.exec(String(time)) ?? [];
  const ms = Math.round(Number(count) * (UNITS[unit] ?? Number.NaN));
  if (ms > 0 && ms <= LONGEST_MS) return ms;
  throw invalid(`for is ${JSON.stringify(time)}; it has to be a time such as '30 min', '8 h' or '7 d'`);
}

function invalid(what: string): StoreError {
  return new StoreError('INVALID', `The approval cannot be remembered: ${what}.`);
}
