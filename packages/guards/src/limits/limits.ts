import {
  AfterModelCall,
  AfterToolCall,
  BeforeModelCall,
  BeforeToolCall,
  block,
  type EventPayload,
  type HookProvider,
  type HookRegistrar,
  HooksError,
  proceed,
} from '@hooks/core';
import { type Tally, TallyBook } from './tally.ts';

/** How much may be used. What is not named has no limit. */
export interface Budget {
  /** Tool calls that were let through. */
  readonly toolCalls?: number;
  readonly modelCalls?: number;
  /** Tokens in and out, as far as the framework tells them; looked at before each call, so the last one may overshoot. */
  readonly tokens?: number;
  /** In the unit of {@link LimitsOptions.modelCost} and {@link LimitsOptions.toolCost}. */
  readonly cost?: number;
  /** Milliseconds since the first event; a call that runs is not interrupted. */
  readonly timeMs?: number;
}

/** What of a {@link Budget} makes sense for one tool. */
export type ToolBudget = Pick<Budget, 'toolCalls' | 'cost'>;

/** Options of {@link limits}. */
export interface LimitsOptions {
  readonly perRun?: Budget;
  /** A session's sub-agents count too. */
  readonly perSession?: Budget;
  /** What all events of one key may use, in whatever sessions and for as long as the process lives. */
  readonly perKey?: Budget;
  /** Whose budget of `perKey` it is; the principal's unless set. Events without a principal share one budget. */
  readonly key?: (event: EventPayload) => string;
  /** By tool name or pattern, as `BeforeToolCall.matching` takes it; the tools of a pattern share their budget. */
  readonly perTool?: {
    readonly [pattern: string]: {
      readonly perRun?: ToolBudget;
      readonly perSession?: ToolBudget;
      readonly perKey?: ToolBudget;
    };
  };
  /** What a model call cost. */
  readonly modelCost?: (call: AfterModelCall) => number;
  /** What a tool call cost. */
  readonly toolCost?: (call: AfterToolCall) => number;
}

/**
 * Refuses what goes over a budget of tool calls, model calls, tokens, cost or time. A tool call over its number of calls
 * is answered with the reason, and the model can go on without; whatever else is used up ends the run.
 *
 * Asked last among guards (priority -100), so that calls which others refuse cost nothing; what a guard refuses that
 * answers with a promise counts, since such guards run at the same time.
 *
 * @throws HooksError `CONFIG_INVALID` where a limit is no number of 0 or more
 * @example
 * ```ts
 * hooks.use(limits({
 *   perRun: { modelCalls: 30, timeMs: 10 * 60_000 },
 *   perSession: { tokens: 500_000 },
 *   perKey: { cost: 20 },
 *   perTool: { web_search: { perRun: { toolCalls: 5 } } },
 * }));
 * ```
 */
export function limits(options: LimitsOptions): HookProvider {
  const { perRun = {}, perSession = {}, perKey = {}, perTool = {} } = options;
  check({ perRun, perSession, perKey });
  for (const [pattern, budgets] of Object.entries(perTool)) check(budgets, `perTool.${pattern}.`);
  return {
    name: 'builtin:limits',
    register(hooks) {
      registerScope(hooks, '', { perRun, perSession, perKey }, options);
      for (const [pattern, budgets] of Object.entries(perTool))
        registerScope(hooks, pattern, budgets, options);
    },
  };
}

interface Budgets {
  readonly perRun?: Budget;
  readonly perSession?: Budget;
  readonly perKey?: Budget;
}

/** One book for one scope: all calls, or those of a tool. */
function registerScope(
  hooks: HookRegistrar,
  pattern: string,
  budgets: Budgets,
  options: LimitsOptions,
): void {
  const { perRun = {}, perSession = {}, perKey } = budgets;
  const { key = principalOf } = options;
  const scopeOfKey = options.key === undefined ? 'this user' : 'this key';
  const book = new TallyBook();
  const what = pattern === '' ? '' : ` of ${pattern}`;
  const suffix = pattern === '' ? '' : `:${pattern}`;

  const over = (event: EventPayload, kinds: readonly Kind[]): Over | undefined => {
    const run = exceeded(book.ofRun(event.session, event.run), perRun, kinds);
    if (run) return { ...run, scope: 'this run' };
    for (const tally of book.ofSession(event.session)) {
      const session = exceeded(tally, perSession, kinds);
      if (session) return { ...session, scope: 'this session' };
    }
    const shared = perKey && exceeded(book.ofKey(key(event)), perKey, kinds);
    return shared && { ...shared, scope: scopeOfKey };
  };
  const spend = (event: EventPayload, kind: Exclude<Kind, 'timeMs'>, amount: number): void => {
    if (!(amount > 0)) return;
    book.ofRun(event.session, event.run)[kind] += amount;
    for (const tally of book.ofSession(event.session)) tally[kind] += amount;
    if (perKey) book.ofKey(key(event))[kind] += amount;
  };

  hooks.guard(
    pattern === '' ? BeforeToolCall : BeforeToolCall.matching(pattern),
    function limitToolCall(call) {
      const reached = over(call, ['toolCalls', 'cost', 'tokens', 'timeMs']);
      if (reached) {
        const onlyCalls = reached.kind === 'toolCalls' || pattern !== '';
        return block(say(reached, what), { stop: !onlyCalls });
      }
      spend(call, 'toolCalls', 1);
      return proceed();
    },
    { id: `tool-call${suffix}`, priority: -100, allowUnknown: true },
  );
  hooks.observe(
    pattern === '' ? AfterToolCall : AfterToolCall.matching(pattern),
    (call) => {
      if (call.ran) spend(call, 'cost', options.toolCost?.(call) ?? 0);
    },
    { id: `tool-cost${suffix}`, allowUnknown: true },
  );
  if (pattern !== '') return;
  hooks.guard(
    BeforeModelCall,
    function limitModelCall(call) {
      const reached = over(call, ['modelCalls', 'cost', 'tokens', 'timeMs']);
      if (reached) return block(say(reached, what), { stop: true });
      spend(call, 'modelCalls', 1);
      return proceed();
    },
    { id: 'model-call', priority: -100 },
  );
  hooks.observe(
    AfterModelCall,
    (call) => {
      const { inputTokens = 0, outputTokens = 0 } = call.response.usage ?? {};
      spend(call, 'tokens', inputTokens + outputTokens);
      spend(call, 'cost', options.modelCost?.(call) ?? 0);
    },
    { id: 'model-use' },
  );
}

function principalOf({ principal }: EventPayload): string {
  return principal === undefined ? '' : JSON.stringify([principal.tenant, principal.id]);
}

type Kind = keyof Budget;

interface Over {
  readonly kind: Kind;
  readonly limit: number;
  readonly scope: string;
}

function exceeded(tally: Tally, budget: Budget, kinds: readonly Kind[]): Omit<Over, 'scope'> | undefined {
  for (const kind of kinds) {
    const limit = budget[kind];
    const used = kind === 'timeMs' ? Date.now() - tally.since : tally[kind];
    if (limit !== undefined && used >= limit) return { kind, limit };
  }
  return undefined;
}

function say({ kind, limit, scope }: Over, what: string): string {
  const [unit, next] = SAID[kind];
  const amount = kind === 'timeMs' ? `${limit / 1000} s` : `${limit}${unit}`;
  return `Blocked (limits/${kind}): the limit${what} of ${amount} for ${scope} is used up. ${next}`;
}

const SAID: { readonly [K in Kind]: readonly [string, string] } = {
  toolCalls: [' tool calls', 'Answer with what you have, and say what is missing.'],
  modelCalls: [' model calls', 'The run ends here.'],
  tokens: [' tokens', 'The run ends here.'],
  cost: ['', 'No more may be spent.'],
  timeMs: ['', 'The run ends here.'],
};

function check(budgets: Budgets, path = ''): void {
  for (const scope of ['perRun', 'perSession', 'perKey'] as const) {
    for (const [name, limit] of Object.entries(budgets[scope] ?? {})) {
      if (typeof limit === 'number' && limit >= 0) continue;
      throw new HooksError(
        'CONFIG_INVALID',
        `limits: ${path}${scope}.${name} is ${String(limit)}; it has to be a number of 0 or more.`,
      );
    }
  }
}
