import { defined } from '../defined.ts';
import type { RememberBounds } from './approval.ts';

/** Checked bounds of a remembered approval, with the time in milliseconds. */
export interface CheckedBounds extends Pick<RememberBounds, 'within' | 'times'> {
  /** Undefined for good. */
  readonly forMs?: number;
}

const DAY_MS = 24 * 60 * 60_000;
const UNITS: Readonly<Record<string, number>> = { s: 1_000, min: 60_000, h: 60 * 60_000, d: DAY_MS };
/** A hundred years. */
const LONGEST_MS = 100 * 365 * DAY_MS;

/** How far an answer says that an approval extends, or what is wrong with it: it may have come as JSON. */
export function boundsOf(remember: unknown): CheckedBounds | string {
  const isName = typeof remember === 'string';
  const given: { readonly [field: string]: unknown } = isName ? { within: remember } : Object(remember ?? {});
  const { within, for: time, times, ...others } = given;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return `${shown(unknown)} is no bound; there are within, for and times`;
  if (within !== 'session' && within !== 'always' && (within !== 'run' || isName))
    return `remember is ${shown(within ?? remember)}; it has to be 'session' or 'always', or bounds with within: 'run', 'session' or 'always'`;
  if (times !== undefined && !(Number.isSafeInteger(times) && Number(times) > 0))
    return `times is ${shown(times)}; it has to be a whole number from 1 on`;
  const forMs = time === undefined ? (within === 'always' ? undefined : DAY_MS) : msOf(time);
  if (forMs !== undefined && !(forMs > 0 && forMs <= LONGEST_MS))
    return `for is ${shown(time)}; it has to be a time such as '30 min', '8 h' or '7 d'`;
  return { within, ...defined({ times: times === undefined ? undefined : Number(times), forMs }) };
}

function msOf(time: unknown): number {
  const text = typeof time === 'string' ? time : '';
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?) ?(s|min|h|d)$/.exec(text) ?? [];
  return Math.round(Number(count) * (UNITS[unit] ?? Number.NaN));
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'a list' : `of the type ${typeof value}`;
}
