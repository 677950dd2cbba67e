import { amount, type Checks } from '../options.ts';
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

/**
 * The reason that the model reads.
 * @param goesOn whether the run goes on, to a last answer
 */
export function say({ kind, limit, scope }: Over, what: string, goesOn = false): string {
  const [unit, end] = SAID[kind];
  const next = goesOn ? SAID.toolCalls[1] : end;
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

/** The checks of a {@link Budget}, and of a {@link ToolBudget}. */
export const BUDGET: Checks<Budget> = {
  toolCalls: amount,
  modelCalls: amount,
  tokens: amount,
  cost: amount,
  timeMs: amount,
};
export const TOOL_BUDGET: Checks<ToolBudget> = { toolCalls: amount, cost: amount };

/** The resources that these budgets limit. */
export function kindsIn({ perRun, perSession, perKey }: Budgets): ReadonlySet<Kind> {
  const budgets: readonly Budget[] = [perRun ?? {}, perSession ?? {}, perKey ?? {}];
  const kinds = Object.keys(BUDGET) as Kind[];
  return new Set(kinds.filter((kind) => budgets.some((budget) => budget[kind] !== undefined)));
}
