import type { Remember } from '@hooks/core';
import { hashInput } from '@hooks/core/tool-call';
import { StoreError } from '../error.ts';
import type { InputPattern } from './pattern.ts';

/** A length of time: `30 min`, `8 h`, `7 d`. */
export type Duration = `${number} ${'s' | 'min' | 'h' | 'd'}`;

/** A limit for a remembered approval. */
export interface RememberBounds {
  /** Where it counts: in this run of the agent, in this session, or in every session of the principal. */
  readonly within: 'run' | 'session' | 'always';
  /** How long it counts. Default: a day for `run` and `session`, for good with `always`. */
  readonly for?: Duration;
  /** How many further calls it covers. Default: any number. */
  readonly times?: number;
}

/** How far an approval extends beyond its call. */
export interface Remembering {
  readonly remember?: 'session' | 'always' | RememberBounds;
  /** Which inputs it covers. By default, only the approved one. */
  readonly matching?: InputPattern;
}

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
export function boundsOf(remember: NonNullable<Remembering['remember']>): CheckedBounds {
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

/** A call by what it runs: its id is the model's, which may use it twice. */
export interface AnsweredCall {
  readonly session: string;
  readonly callId: string;
  readonly input: unknown;
}

/** What answers of this process want to be remembered, and core's `Remember` cannot say, by call. */
const handedOver = new Map<string, Remembering>();
/** More calls than wait at once. */
const MANY = 10_000;

/**
 * What an approver tells core about remembering. What core cannot say is kept for {@link takeOver}: where nobody takes it,
 * nothing is remembered.
 */
export async function handOver(call: AnsweredCall, { remember, matching }: Remembering): Promise<Remember> {
  const isPlain = matching === undefined || Object.values(matching).every((each) => typeof each === 'string');
  if (remember === undefined) return {};
  if (typeof remember === 'string' && isPlain)
    return { remember, ...(matching && { matching: matching as NonNullable<Remember['matching']> }) };
  const key = await keyOf(call);
  if (handedOver.size >= MANY) handedOver.clear();
  handedOver.set(key, { remember, ...(matching && { matching }) });
  return {};
}

/** Takes what {@link handOver} has kept. */
export async function takeOver(call: AnsweredCall): Promise<Remembering | undefined> {
  if (handedOver.size === 0) return undefined;
  const key = await keyOf(call);
  const found = handedOver.get(key);
  handedOver.delete(key);
  return found;
}

async function keyOf({ session, callId, input }: AnsweredCall): Promise<string> {
  return JSON.stringify([session, callId, await hashInput(input ?? null)]);
}
