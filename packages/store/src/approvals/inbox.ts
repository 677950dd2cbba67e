import type { ApprovalAnswer, ApprovalRequest, Approver } from '@hooks/core';
import { answerFrom, isBlank } from '@hooks/core/adapter';
import { checkDuration, checkOptions, duration, storeOption } from '../arguments.ts';
import { isStoreError, StoreError } from '../error.ts';
import { later, pause } from '../later.ts';
import type { Entry, Store } from '../store.ts';
import { waitFor } from '../wait-for.ts';
import { rulesOf } from './pattern.ts';
import { checkBounds } from './remember.ts';

/** Options of {@link inbox}. */
export interface InboxOptions {
  readonly store: Store;
  /** Milliseconds until a request without an answer is denied. Default: 15 minutes. */
  readonly deadlineMs?: number;
  /** Milliseconds between reads of the store, where it cannot tell of answers. Default: 500. */
  readonly pollMs?: number;
}

/** A request in a store that waits for a person's answer. */
export interface WaitingApproval extends ApprovalRequest {
  /** The id for {@link answerApproval}. Ids of calls may repeat. */
  readonly id: string;
  /**
   * When it was stored, and when it is denied without an answer, in milliseconds since 1970 by the asking process's
   * clock.
   */
  readonly askedAt: number;
  readonly deadline: number;
}

/** The state of a request in the store. It leaves `waiting` once. */
type Stored =
  | { readonly state: 'waiting'; readonly request: WaitingApproval }
  | { readonly state: 'answered'; readonly request: WaitingApproval; readonly answer: ApprovalAnswer }
  | { readonly state: 'expired' | 'withdrawn'; readonly request: WaitingApproval };

const PREFIX = 'approvals/requests/';
/** A key for each request whose process is alive. */
const ALIVE = 'approvals/alive/';
/** A key for each answer that the process that asked has read. */
const RECEIVED = 'approvals/received/';
/** How long a process counts as alive after it last said so, and how often it says so. */
const ALIVE_MS = 60_000;
const BEAT_MS = 15_000;

/** How long an answered or expired request is kept beyond its deadline, for those who answer too late. */
const KEPT_MS = 10 * 60_000;

/**
 * Makes an approver that puts requests into a store and waits: a person answers with {@link answerApproval}, from whatever
 * process or machine. After the deadline the call is denied; an abort withdraws the request; a store that cannot be reached
 * denies. The input of the call stands in the store as it would run.
 *
 * @throws StoreError `INVALID` where an option is unknown, missing or invalid
 * @example
 * ```ts
 * const approval = inbox({ store, deadlineMs: 10 * 60_000 });
 * const agent = createHookedAgent(params, hooks, { approval });
 * ```
 */
export function inbox(options: InboxOptions): Approver {
  options = checkOptions('inbox', options, { store: storeOption, deadlineMs: duration, pollMs: duration });
  const { store, deadlineMs = 15 * 60_000, pollMs = 500 } = options;
  return async (request, { signal }) => {
    const askedAt = Date.now();
    const id = crypto.randomUUID();
    const waiting: WaitingApproval = { ...request, id, askedAt, deadline: askedAt + deadlineMs };
    const key = PREFIX + id;
    const ttlMs = deadlineMs + KEPT_MS;
    const [version] = await Promise.all([
      store.set(key, { state: 'waiting', request: waiting }, { expected: null, ttlMs }),
      store.set(ALIVE + id, null, { ttlMs: ALIVE_MS }),
    ]);
    const over = new AbortController();
    const cancel = later(deadlineMs, () => over.abort());
    const ends = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]);
    const beat = setInterval(() => {
      // Where it fails, the next one may not.
      store.set(ALIVE + id, null, { ttlMs: ALIVE_MS }).catch(() => {});
    }, BEAT_MS);
    const answer = await answered(store, key, ends, pollMs).finally(() => {
      cancel();
      clearInterval(beat);
    });
    // What the person hears of it is worth no failure.
    const received = () =>
      store.set(RECEIVED + id, null, { ttlMs: KEPT_MS, notify: true }).catch(() => undefined);
    if (answer !== undefined) {
      if (answer !== REMOVED) await received();
      return answer;
    }
    // Somebody may have answered at the last moment: exactly one of the two counts.
    const state = signal?.aborted === true ? 'withdrawn' : 'expired';
    const ended: Stored = { state, request: waiting };
    const expected = version === undefined ? {} : { expected: version };
    if ((await store.set(key, ended, { ...expected, ttlMs: KEPT_MS })) === undefined) {
      const late = answerIn(await store.get(key));
      if (late !== undefined) {
        await received();
        return late;
      }
    }
    return state === 'withdrawn'
      ? { decision: 'canceled' }
      : {
          decision: 'deny',
          reason: `Nobody answered within ${spell(deadlineMs)}.`,
          source: 'no_approver',
        };
  };
}

/** The answer; undefined where the signal fired first. A store that goes away and comes back is asked again until then. */
async function answered(
  store: Store,
  key: string,
  signal: AbortSignal,
  pollMs: number,
): Promise<ApprovalAnswer | undefined> {
  const isAnswered = (entry: Entry | undefined): boolean =>
    entry === undefined || answerIn(entry) !== undefined;
  for (;;) {
    try {
      const entry = await waitFor(store, key, isAnswered, { signal, pollMs });
      return answerIn(entry) ?? REMOVED;
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!isStoreError(error) || error.code !== 'UNREACHABLE') throw error;
      await pause(pollMs, signal);
    }
  }
}

/** Nobody has given it. */
const REMOVED: ApprovalAnswer = {
  decision: 'deny',
  reason: 'The request was removed from the inbox.',
  source: 'no_approver',
};

function answerIn(entry: Entry | undefined): ApprovalAnswer | undefined {
  const stored = entry && storedIn(entry);
  return stored?.state === 'answered' ? stored.answer : undefined;
}

/**
 * The requests that wait for an answer, the oldest first. Those of a process that has ended are not among them.
 *
 * @example
 * ```ts
 * for (const { id, toolName, input, reason } of await waitingApprovals(store)) console.log(id, toolName, input, reason);
 * ```
 */
export async function waitingApprovals(store: Store): Promise<readonly WaitingApproval[]> {
  const waiting: WaitingApproval[] = [];
  for await (const entry of store.list(PREFIX)) {
    const stored = storedIn(entry);
    if (stored?.state === 'waiting') waiting.push(stored.request);
  }
  if (waiting.length === 0) return [];
  const alive = new Set<string>();
  for await (const { key } of store.list(ALIVE)) alive.add(key.slice(ALIVE.length));
  return waiting.filter(({ id }) => alive.has(id)).sort((one, other) => one.askedAt - other.askedAt);
}

/**
 * The ids of all requests that a store knows: those that wait, and for ten minutes those that are over. Who takes the beginning of an id
 * compares it with all of them, so that it is not that of a request which came after the one that a person has seen.
 */
export async function requestIds(store: Store): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { key } of store.list(PREFIX)) ids.push(key.slice(PREFIX.length));
  return ids;
}

/**
 * Answers a request that waits in an inbox. Of several answers one counts, however close they come. A process that was killed counts as
 * alive for up to a minute, and nobody acts on an answer to it: {@link answerReceived} tells.
 *
 * @param id of {@link waitingApprovals}; not the id of the call, which may come back
 * @param answer `by` is the name of the person, for the record and for those who answer too late
 * @throws StoreError `INVALID` where no such request waits, where `by` names nobody, where the decision does not take a field, and where `matching` does not match the call itself. The message says who has
 *   answered, or that the request is over, as when its process has ended; after ten minutes it says that there is none, because its input is
 *   not kept any longer
 */
export async function answerApproval(
  store: Store,
  id: string,
  answer: ApprovalAnswer,
): Promise<WaitingApproval> {
  const key = PREFIX + id;
  let given: ReturnType<typeof answerFrom> | undefined;
  for (;;) {
    const entry = await store.get(key);
    const stored = entry && storedIn(entry);
    if (entry === undefined || stored?.state !== 'waiting') throw notWaiting(id, stored);
    const { request } = stored;
    given ??= answerFrom(answer, request.hash);
    if (typeof given === 'string') throw new StoreError('INVALID', given);
    checkWho(given);
    checkRemember(given, request);
    if ((await store.get(ALIVE + id)) === undefined)
      throw new StoreError(
        'INVALID',
        `The request ${id} is over: the process that asked has ended, and its call does not run.`,
      );
    const next: Stored = { state: 'answered', request, answer: given };
    if ((await store.set(key, next, { expected: entry.version, ttlMs: KEPT_MS, notify: true })) !== undefined)
      return request;
  }
}

/**
 * Waits until the process that asked has read the answer to its request, and says whether it has. One that was killed never does, and its
 * call does not run. False, too, where the store cannot be reached.
 *
 * @param options `withinMs`: how long to wait. Default: 3 seconds, within which a process with the default `pollMs` reads it
 * @example
 * ```ts
 * await answerApproval(store, id, { decision: 'allow', by });
 * if (!(await answerReceived(store, id))) console.log('Nobody has read the answer. If the process has ended, the call does not run.');
 * ```
 */
export async function answerReceived(
  store: Store,
  id: string,
  { withinMs = 3_000 }: { readonly withinMs?: number } = {},
): Promise<boolean> {
  checkDuration('withinMs', withinMs);
  const over = new AbortController();
  const cancel = later(withinMs, () => over.abort());
  try {
    await waitFor(store, RECEIVED + id, (entry) => entry !== undefined, { signal: over.signal, pollMs: 50 });
    return true;
  } catch (error) {
    // The answer is given: where the store is away since then, nobody knows more.
    if (isStoreError(error) && error.code === 'UNREACHABLE') return false;
    if (!over.signal.aborted) throw error;
    return store.get(RECEIVED + id).then(
      (entry) => entry !== undefined,
      () => false,
    );
  } finally {
    cancel();
  }
}

/** Core would leave it out of the record. */
function checkWho({ by, reason }: ApprovalAnswer): void {
  if (by !== undefined && (typeof by !== 'string' || isBlank(by)))
    throw new StoreError(
      'INVALID',
      '`by` has to be the name of who answers; leave it out if nobody knows it.',
    );
  if (reason !== undefined && typeof reason !== 'string')
    throw new StoreError('INVALID', '`reason` has to be a text.');
}

/** The person sees at once that a pattern is wrong, not in a log of the agent. */
function checkRemember(answer: ApprovalAnswer, request: WaitingApproval): void {
  const { matching } = answer;
  checkBounds(answer);
  if (matching === undefined) return;
  const rules = rulesOf('input' in answer ? answer.input : request.input, matching);
  if (typeof rules === 'string')
    throw new StoreError('INVALID', `The approval cannot be remembered: ${rules}.`);
}

function notWaiting(id: string, stored: Stored | undefined): StoreError {
  if (stored === undefined)
    return new StoreError(
      'INVALID',
      `There is no request ${id} in the inbox. One that is over is forgotten after ${spell(KEPT_MS)}.`,
    );
  if (stored.state !== 'answered') {
    const how = stored.state === 'expired' ? 'nobody answered in time' : 'it was withdrawn';
    return new StoreError('INVALID', `The request ${id} is over: ${how}.`);
  }
  const { decision, by } = stored.answer;
  const whom = by === undefined ? '' : ` by ${by}`;
  return new StoreError('INVALID', `The request ${id} was answered already${whom}: ${decision}.`);
}

/** What stands at a key, where it is a request; other programs may write there, too. */
function storedIn({ value }: Entry): Stored | undefined {
  const { state, request, answer }: { readonly [field: string]: unknown } = Object(value);
  const known = typeof Object(request).id === 'string';
  const whole = state !== 'answered' || isAnswer(answer);
  return known && whole && ['waiting', 'answered', 'expired', 'withdrawn'].includes(String(state))
    ? (value as Stored)
    : undefined;
}

/** It may have come as JSON. */
function isAnswer(value: unknown): value is ApprovalAnswer {
  const { decision, output }: { readonly decision?: unknown; readonly output?: unknown } = Object(value);
  if (decision === 'answer') return output !== undefined;
  return ['allow', 'deny', 'canceled'].includes(String(decision));
}

/** How long something is, in the largest unit that says it to a few percent. */
function spell(ms: number): string {
  const [length, unit] = UNITS.find(([each]) => ms % each === 0 || ms >= 20 * each) ?? [1, 'millisecond'];
  const count = Math.round(ms / length);
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}

const UNITS: readonly (readonly [ms: number, unit: string])[] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
];
