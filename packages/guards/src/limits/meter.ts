import type { EventPayload } from '@hooks/core';
import { type Budget, type Budgets, exceeded, type Kind, type Left, leftOf, type Over } from './budget.ts';
import type { Counted } from './refunds.ts';
import { type FoundRun, ownRun, type ResumedRuns, type Run } from './resumed-runs.ts';
import { COST_UNIT, principalOf, type SharedCount, type SharedCounters, unitOf } from './shared-counters.ts';
import { type Tally, TallyBook } from './tally.ts';

/** Why a call is refused: a limit is exhausted, or the store does not respond. */
export type Refused = (Over | { readonly reason: string }) & { readonly giveBack?: never };

type Used = Exclude<Kind, 'timeMs'>;
type Call = 'toolCalls' | 'modelCalls';

/** Measures how much of their budgets runs, sessions and keys have used. */
export interface Meter {
  /** Whether one of these limits is exhausted. Counts nothing. */
  check(event: EventPayload, limits: readonly Kind[]): Refused | undefined | Promise<Refused | undefined>;
  /** What is left of each limit of these kinds; undefined where the store does not respond. */
  left(event: EventPayload, kinds: readonly Kind[]): readonly Left[] | Promise<readonly Left[] | undefined>;
  /** Counts one call, unless one of these limits is exhausted. */
  take(
    event: EventPayload,
    call: Call,
    limits: readonly Kind[],
  ): Refused | Counted | Promise<Refused | Counted>;
  /** Adds the usage of a finished call. */
  spend(event: EventPayload, used: { readonly [K in Used]?: number }): void | Promise<void>;
}

/** Measures in this process. */
export class LocalMeter implements Meter {
  readonly budgets: Budgets;
  readonly key: (event: EventPayload) => string;
  readonly scopeOfKey: string;
  readonly #book: TallyBook = new TallyBook();

  constructor(budgets: Budgets, key: ((event: EventPayload) => string) | undefined) {
    this.budgets = budgets;
    this.key = key ?? principalOf;
    this.scopeOfKey = key === undefined ? 'this user' : 'this key';
  }

  take(event: EventPayload, call: Call, limits: readonly Kind[]): Over | Counted {
    const over = this.check(event, limits);
    if (over !== undefined) return over;
    const tallies = this.#talliesOf(event);
    for (const tally of tallies) tally[call]++;
    return {
      giveBack() {
        for (const tally of tallies) tally[call]--;
      },
    };
  }

  /** The first exhausted limit. */
  check(event: EventPayload, limits: readonly Kind[]): Over | undefined {
    const { perRun, perSession = {}, perKey } = this.budgets;
    const run = perRun && exceeded(this.#book.ofRun(event.session, event.run), perRun, limits);
    if (run) return { ...run, scope: 'this run' };
    for (const tally of this.#book.ofSession(event.session)) {
      const session = exceeded(tally, perSession, limits);
      if (session) return { ...session, scope: 'this session' };
    }
    const shared = perKey && exceeded(this.#book.ofKey(this.key(event)), perKey, limits);
    return shared && { ...shared, scope: this.scopeOfKey };
  }

  left(event: EventPayload, kinds: readonly Kind[]): readonly Left[] {
    const { perRun, perSession, perKey } = this.budgets;
    return [
      ...(perRun ? leftOf(this.#book.ofRun(event.session, event.run), perRun, kinds, 'this run') : []),
      ...this.#book
        .ofSession(event.session)
        .flatMap((tally) => leftOf(tally, perSession, kinds, 'this session')),
      ...(perKey ? leftOf(this.#book.ofKey(this.key(event)), perKey, kinds, this.scopeOfKey) : []),
    ];
  }

  spend(event: EventPayload, used: { readonly [K in Used]?: number }): void {
    for (const tally of this.#talliesOf(event))
      for (const [kind, amount] of amountsOf(used)) tally[kind] += amount;
  }

  #talliesOf(event: EventPayload): readonly Tally[] {
    return [
      ...(this.budgets.perRun ? [this.#book.ofRun(event.session, event.run)] : []),
      ...this.#book.ofSession(event.session),
      ...(this.budgets.perKey ? [this.#book.ofKey(this.key(event))] : []),
    ];
  }
}

const DAY = 24 * 60 * 60_000;

/** How long the usage of a run or a session is kept. */
export const KEEP_MS: number = 30 * DAY;

/** Measures in a store. Measures time in this process, and everything while the store is unreachable. */
export class SharedMeter implements Meter {
  readonly #counters: SharedCounters;
  readonly #pattern: string;
  readonly #local: LocalMeter;
  readonly #resumedRuns: ResumedRuns | undefined;

  /** @param resumedRuns undefined where no run has a budget */
  constructor(
    counters: SharedCounters,
    pattern: string,
    local: LocalMeter,
    resumedRuns: ResumedRuns | undefined,
  ) {
    this.#counters = counters;
    this.#pattern = pattern;
    this.#local = local;
    this.#resumedRuns = resumedRuns;
  }

  async check(event: EventPayload, limits: readonly Kind[]): Promise<Refused | undefined> {
    const late = this.#local.check(
      event,
      limits.filter((kind) => kind === 'timeMs'),
    );
    if (late !== undefined) return late;
    const run = await this.#runOf(event);
    if (run.reason !== undefined) return run;
    const limited = this.#limited(event, run, limits);
    const answer = await this.#counters.count(limited.map(({ count }) => count));
    if (answer.kind === 'local') return this.#local.check(event, limits);
    if (answer.kind === 'closed') return answer;
    return answer.kind === 'counted' ? exhausted(limited, answer.totals) : undefined; // what counts nothing always fits
  }

  async left(event: EventPayload, kinds: readonly Kind[]): Promise<readonly Left[] | undefined> {
    const time = this.#local.left(
      event,
      kinds.filter((kind) => kind === 'timeMs'),
    );
    const run = await this.#runOf(event);
    if (run.reason !== undefined) return undefined;
    const limited = this.#limited(event, run, kinds);
    const answer = await this.#counters.count(limited.map(({ count }) => count));
    if (answer.kind === 'local') return this.#local.left(event, kinds);
    if (answer.kind !== 'counted') return undefined;
    const left = limited.map(({ count: _, ...over }, at) => ({
      ...over,
      left: over.limit - (answer.totals[at] ?? 0),
    }));
    return [...time, ...left];
  }

  async take(event: EventPayload, call: Call, limits: readonly Kind[]): Promise<Refused | Counted> {
    const late = this.#local.check(
      event,
      limits.filter((kind) => kind === 'timeMs'),
    );
    if (late !== undefined) return late;
    const run = await this.#runOf(event);
    if (run.reason !== undefined) return run;
    const limited = this.#limited(event, run, limits);
    const counts = limited.map(({ kind, count }) => (kind === call ? unitOf(count) : count));
    const giveBack = (): Promise<void> =>
      this.#counters.add(counts.flatMap((count) => (count.amount > 0 ? { ...count, amount: 0 } : [])));
    const answer = await this.#counters.count(counts);
    switch (answer.kind) {
      case 'local':
        return this.#local.take(event, call, limits);
      case 'closed':
        return answer;
      case 'full':
        return limited[(counts as readonly SharedCount[]).indexOf(answer.count)] as Over;
      case 'counted': {
        const others = limited.map((one) => (one.kind === call ? undefined : one));
        const over = exhausted(others, answer.totals);
        if (over === undefined) return { giveBack };
        await giveBack();
        return over;
      }
    }
  }

  async spend(event: EventPayload, used: { readonly [K in Used]?: number }): Promise<void> {
    this.#local.spend(event, used);
    const amounts = amountsOf(used);
    const run = await this.#runOf(event);
    const limited = this.#limited(
      event,
      run.reason === undefined ? run : ownRun(event),
      amounts.map(([kind]) => kind),
    );
    return this.#counters.add(
      limited.map(({ kind, count }) => ({ ...count, amount: used[kind as Used] ?? 0 })),
    );
  }

  async #runOf(event: EventPayload): Promise<FoundRun> {
    return this.#resumedRuns?.of(event) ?? ownRun(event);
  }

  /** The counters of these limits, for every scope of the event. */
  #limited(
    event: EventPayload,
    { session, run }: Run,
    kinds: readonly Kind[],
  ): readonly (Over & { readonly count: SharedCount })[] {
    const { perRun, perSession, perKey } = this.#local.budgets;
    const of = (
      budget: Budget | undefined,
      scope: string,
      who: readonly string[],
      windowMs: number,
    ): readonly (Over & { readonly count: SharedCount })[] =>
      kinds.flatMap((kind) => {
        const limit = budget?.[kind];
        if (limit === undefined || kind === 'timeMs') return [];
        const unit = kind === 'cost' ? { unit: COST_UNIT } : {};
        const count = { of: [this.#pattern, kind, ...who], amount: 0, limit, windowMs, ...unit };
        return [{ kind, limit, scope, count }];
      });
    return [
      ...of(perRun, 'this run', ['run', session, run], KEEP_MS),
      ...sessionsOf(event).flatMap((id) => of(perSession, 'this session', ['session', id], KEEP_MS)),
      ...of(perKey, this.#local.scopeOfKey, ['key', perKey ? this.#local.key(event) : ''], 36_500 * DAY),
    ];
  }
}

/** The first limit that its counter has reached. */
function exhausted(limited: readonly (Over | undefined)[], totals: readonly number[]): Over | undefined {
  return limited.find((one, at) => one !== undefined && (totals[at] ?? 0) >= one.limit);
}

/** The session and its ancestors. */
function sessionsOf({ session }: Pick<EventPayload, 'session'>): readonly string[] {
  return [session.id, ...(session.parent === undefined ? [] : sessionsOf({ session: session.parent }))];
}

function amountsOf(used: { readonly [K in Used]?: number }): readonly (readonly [Used, number])[] {
  return (Object.entries(used) as [Used, number][]).filter(([, amount]) => amount > 0);
}
