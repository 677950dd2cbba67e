import { HooksError } from '@hooks/core';
import type { Tally } from './tally.ts';

/** A budget. A missing field has no limit. */
export interface Budget {
  /** Tool calls that were allowed. */
  readonly toolCalls?: number;
  readonly modelCalls?: number;
  /**
   * Input and output tokens, as far as the framework reports them. Checked before each call, so the last one may exceed
   * the limit.
   */
  readonly tokens?: number;
  /** Cost, in the unit of {@link LimitsOptions.prices}, {@link LimitsOptions.modelCost} and {@link LimitsOptions.toolCost}. */
  readonly cost?: number;
  /** Milliseconds since the first event. Running calls are not interrupted. */
  readonly timeMs?: number;
}

/** The parts of a {@link Budget} that apply to one tool. */
export type ToolBudget = Pick<Budget, 'toolCalls' | 'cost'>;

/** Budgets by scope. */
export interface Budgets {
  readonly perRun?: Budget;
  readonly perSession?: Budget;
  readonly perKey?: Budget;
}

/** The resources that a budget limits. */
export type Kind = keyof Budget;

/** An exhausted limit. */
export interface Over {
  readonly kind: Kind;
  readonly limit: number;
  readonly scope: string;
}

/** What is left of a limit: 0 or less where it is exhausted. */
export interface Left extends Over {
  readonly left: number;
}

/** What is left of the limits of a budget. */
export function leftOf(
  tally: Tally,
  budget: Budget | undefined,
  kinds: readonly Kind[],
  scope: string,
): readonly Left[] {
  return kinds.flatMap((kind) => {
    const limit = budget?.[kind];
    if (limit === undefined) return [];
    const used = kind === 'timeMs' ? Date.now() - tally.since : tally[kind];
    return [{ kind, limit, scope, left: limit - used }];
  });
}

/** The first exhausted limit. */
export function exceeded(
  tally: Tally,
  budget: Budget,
  kinds: readonly Kind[],
): Omit<Over, 'scope'> | undefined {
  for (const kind of kinds) {
    const limit = budget[kind];
    const used = kind === 'timeMs' ? Date.now() - tally.since : tally[kind];
    if (limit !== undefined && used >= limit) return { kind, limit };
  }
  return undefined;
}

/** The reason that the model reads. */
export function say({ kind, limit, scope }: Over, what: string): string {
  const [unit, next] = SAID[kind];
  const amount = kind === 'timeMs' ? `${limit / 1000} s` : `${limit}${unit}`;
  return `Blocked (limits/${kind}): the limit${what} of ${amount} for ${scope} is used up. ${next}`;
}

const SAID: { readonly [K in Kind]: readonly [string, string] } = {
  toolCalls: [' tool calls', 'Answer with what you have, and say what is missing.'],
  modelCalls: [' model calls', 'The run ends here.'],
  tokens: [' tokens', 'The run ends here.'],
  cost: ['', 'Stop here.'],
  timeMs: ['', 'The run ends here.'],
};

/** The limits of all calls, and those of one tool. */
export const KINDS: readonly Kind[] = ['toolCalls', 'modelCalls', 'tokens', 'cost', 'timeMs'];
export const KINDS_OF_TOOL: readonly Kind[] = ['toolCalls', 'cost'];

/**
 * The resources that these budgets limit.
 * @throws HooksError `CONFIG_INVALID` if a limit has another name, or is not a number of 0 or more
 */
export function check(budgets: Budgets, known: readonly Kind[], path = ''): ReadonlySet<Kind> {
  const found = new Set<Kind>();
  for (const [scope, budget] of Object.entries(budgets)) {
    if (!SCOPES.includes(scope)) fail(`${path}${scope} is no scope; expected ${SCOPES.join(', ')}`);
    for (const [name, limit] of Object.entries(budget ?? {})) {
      const kind = known.find((one) => one === name);
      if (kind === undefined) fail(`${path}${scope}.${name} is no limit; expected ${known.join(', ')}`);
      if (limit === undefined) continue;
      if (!(typeof limit === 'number' && limit >= 0))
        fail(`${path}${scope}.${name} is ${String(limit)}; expected a number of 0 or more`);
      found.add(kind);
    }
  }
  return found;
}

const SCOPES: readonly string[] = ['perRun', 'perSession', 'perKey'];

function fail(what: string): never {
  throw new HooksError('CONFIG_INVALID', `limits: ${what}.`);
}
