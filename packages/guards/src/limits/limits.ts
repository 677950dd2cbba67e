import {
  AfterModelCall,
  AfterToolCall,
  BeforeExecute,
  BeforeModelCall,
  type Block,
  block,
  type EventPayload,
  type HookProvider,
  type HookRegistrar,
  type Proceed,
  proceed,
} from '@hooks/core';
import {
  amount,
  type Checks,
  callback,
  checkOptions,
  fields,
  having,
  idle,
  inMap,
  mapOf,
  oneOf,
  refuse,
} from '../options.ts';
import { versionOf } from '../version.ts';
import { lookBeforeApproval } from './before-approval.ts';
import { BUDGET, type Budget, type Budgets, kindsIn, say, TOOL_BUDGET, type ToolBudget } from './budget.ts';
import { Landing } from './landing.ts';
import { KEEP_MS, LocalMeter, type Meter, type Refused, SharedMeter } from './meter.ts';
import { checkCosts, costs, guardPrices, type ModelPrices } from './prices.ts';
import { type Counted, Refunds } from './refunds.ts';
import { ResumedRuns } from './resumed-runs.ts';
import {
  countsInMemory,
  providerName,
  SHARED,
  SharedCounters,
  type SharedLimitOptions,
} from './shared-counters.ts';
import { Usage } from './usage.ts';

/** Options of {@link limits}. */
export interface LimitsOptions extends SharedLimitOptions {
  readonly perRun?: Budget;
  /** Includes the session's sub-agents. */
  readonly perSession?: Budget;
  /** A budget per key, across sessions: for the life of the process, or permanently with a store. */
  readonly perKey?: Budget;
  /** The key of `perKey`. Default: the principal's id. Events without a principal share one budget. */
  readonly key?: (event: EventPayload) => string;
  /** By tool name or pattern, as for `BeforeToolCall.matching`. The tools of a pattern share the budget. */
  readonly perTool?: {
    readonly [pattern: string]: {
      readonly perRun?: ToolBudget;
      readonly perSession?: ToolBudget;
      readonly perKey?: ToolBudget;
    };
  };
  /** What the models cost, so that `cost` is money. A model without a price is not called. */
  readonly prices?: ModelPrices;
  /** The cost of a model call, instead of `prices`. */
  readonly modelCost?: (call: AfterModelCall) => number;
  /** The cost of a tool call. */
  readonly toolCost?: (call: AfterToolCall) => number;
  /**
   * What the model gets at a limit that ends a run:
   *
   * - `end` (the default): nothing. The run ends, and its result has the reason.
   * - `answer`: one last call without tools, in which it is told to answer with what it has. The last call of `modelCalls` is
   *   that one, unless another run has it. A limit of tokens, cost or time is exceeded by it. A run that begins at a limit gets none, nor does one whose
   *   model calls do not say which run they are of, as under `hooks run`.
   *
   * Budgets of `perTool` end no run, and no model is warned of them.
   */
  readonly atLimit?: 'end' | 'answer';
  /**
   * Tells the model how much is left, once it is this many tool calls or model calls, or a tenth of the tokens, the cost or
   * the time. Default: never.
   */
  readonly warnAt?: number;
}

const CHECKS: Checks<LimitsOptions> = {
  perRun: fields(BUDGET),
  perSession: fields(BUDGET),
  perKey: fields(BUDGET),
  key: callback,
  perTool: mapOf(
    fields<Budgets>({
      perRun: fields(TOOL_BUDGET),
      perSession: fields(TOOL_BUDGET),
      perKey: fields(TOOL_BUDGET),
    }),
    'tools and their budgets, such as { search: { perRun: { toolCalls: 5 } } }',
  ),
  atLimit: oneOf('end', 'answer'),
  warnAt: amount,
  ...costs,
  ...SHARED,
  store: having('a store of @hooks/store', 'count', 'get', 'set'),
};

/**
 * Refuses calls that exceed a budget of tool calls, model calls, tokens, cost or time. After too many tool calls the
 * model reads the reason and can continue. Any other exhausted budget ends the run.
 *
 * With a `store`, all processes share one count, except for `timeMs`, which each process measures for itself. A store
 * keeps the usage of runs and sessions for 30 days, and cost to a millionth of its unit.
 *
 * A call counts when it is about to run (`BeforeExecute`, `BeforeModelCall`), so one that is refused before, that a person
 * denies or that waits for a person costs nothing, and one that goes on in another process costs once. With a `store`, a run
 * that goes on in another process after a pause has the rest of its budget, if its session and principal have the same ids there. What a call has taken
 * that another hook refuses at that moment is given back. A call that `once` answers costs nothing, because nothing runs.
 *
 * @throws HooksError `CONFIG_INVALID` if an option is unknown, invalid, or has no effect, nothing is limited, or nothing says what a cost is
 * @example
 * ```ts
 * hooks.use(limits({
 *   perRun: { modelCalls: 30, timeMs: 10 * 60_000 },
 *   perSession: { tokens: 500_000 },
 *   perKey: { cost: 20 },
 *   prices: { 'gpt-5': { input: 1.25, output: 10 } },
 *   atLimit: 'answer',
 *   warnAt: 3,
 *   perTool: { web_search: { perRun: { toolCalls: 5 } } },
 * }));
 * ```
 */
export function limits(options: LimitsOptions): HookProvider {
  options = checkOptions('limits', options, CHECKS, { onUnreachable: ['store'] });
  checkEffects(options);
  const { perRun = {}, perSession = {}, perKey = {}, perTool = {}, prices } = options;
  return {
    name: providerName('limits', options.name),
    version: versionOf(options),
    register(hooks) {
      const shared = options.store && new SharedCounters('limits', options.store, options);
      shared?.watch(hooks, countsModels(options));
      const resumedRuns = shared && countsRuns(options) ? new ResumedRuns(shared, KEEP_MS) : undefined;
      resumedRuns?.watch(hooks);
      const register = (pattern: string, budgets: Budgets): void => {
        const local = new LocalMeter(budgets, options.key);
        const meter = shared === undefined ? local : new SharedMeter(shared, pattern, local, resumedRuns);
        registerScope(hooks, pattern, meter, options);
      };
      if (prices !== undefined || kindsIn(options).size > 0) register('', { perRun, perSession, perKey });
      for (const [pattern, budgets] of Object.entries(perTool)) register(pattern, budgets);
    },
  };
}

/** Whether something is counted per run. */
function countsRuns({ perRun = {}, perTool = {} }: LimitsOptions): boolean {
  return [perRun, ...Object.values(perTool).map((budgets) => budgets.perRun ?? {})].some((budget) =>
    [...kindsIn({ perRun: budget })].some((kind) => kind !== 'timeMs'),
  );
}

/** Whether something about model calls is counted. */
function countsModels(options: LimitsOptions): boolean {
  const kinds = kindsIn(options);
  return kinds.has('modelCalls') || kinds.has('tokens') || kinds.has('cost');
}

/** Whether a limit depends on the tokens that a model reports. */
function limitsUsage({ perRun, perSession, perKey, prices }: LimitsOptions): boolean {
  return [perRun, perSession, perKey].some(
    (budget) => budget?.tokens !== undefined || (budget?.cost !== undefined && prices !== undefined),
  );
}

/** What limits nothing, and a cost that nothing counts, would be a limit that is never reached. */
function checkEffects(options: LimitsOptions): void {
  const { perTool = {}, perKey, key, toolCost, warnAt = 0, atLimit, store } = options;
  const limited = kindsIn(options);
  const ofTools = Object.entries(perTool).map(([tool, budgets]) => ({
    tool,
    budgets,
    kinds: kindsIn(budgets),
  }));
  if (limited.size === 0 && ofTools.length === 0)
    refuse('limits', 'nothing is limited; expected a budget, such as perSession: { toolCalls: 50 }');
  if (store !== undefined && ofTools.length === 0 && [...limited].every((kind) => kind === 'timeMs'))
    refuse(
      'limits',
      'store has no effect where only timeMs is limited, which each process measures; leave store out',
    );
  if (
    key !== undefined &&
    perKey === undefined &&
    ofTools.every(({ budgets }) => budgets.perKey === undefined)
  )
    refuse('limits', idle('key', 'perKey'));

  const costly = ofTools.filter(({ kinds }) => kinds.has('cost'));
  checkCosts('limits', options, { ofModels: limited.has('cost'), ofTools: costly.length > 0 });
  for (const { tool } of toolCost === undefined ? costly : [])
    refuse('limits', `${inMap('perTool', tool)} has a cost, which only toolCost counts; set it`);

  const ends = [...limited].filter((kind) => kind !== 'toolCalls');
  if (warnAt > 0 && limited.size === 0) refuse('limits', idle('warnAt', 'perRun, perSession or perKey'));
  if (atLimit === 'answer' && ends.length === 0)
    refuse(
      'limits',
      'atLimit is about limits that end a run, and none does; set modelCalls, tokens, cost or timeMs in perRun, perSession or perKey',
    );
}

/** Whether a budget is about model calls. The others hold where an agent's model calls are not seen. */
function ofModels({ perRun, perSession, perKey, modelCost, prices }: LimitsOptions): boolean {
  const limited = [perRun, perSession, perKey].flatMap((budget) => [budget?.modelCalls, budget?.tokens]);
  return modelCost !== undefined || prices !== undefined || limited.some((limit) => limit !== undefined);
}

/** What is lost with the process. */
function inMemory(options: LimitsOptions): { readonly inMemory?: string } {
  const kinds = [options, ...Object.values(options.perTool ?? {})].flatMap((budgets) => [
    ...kindsIn(budgets),
  ]);
  if (kinds.includes('timeMs'))
    return { inMemory: 'timeMs is measured by one process; limit toolCalls, or use rateLimit' };
  return kinds.length > 0 ? countsInMemory(options) : {};
}

/** What came of counting a call, or of looking at its limits; undefined if none is exhausted. */
type Taken = Refused | Counted | undefined;

const OF_MODEL_CALLS = ['modelCalls', 'cost', 'tokens', 'timeMs'] as const;
const OF_TOOL_CALLS = ['toolCalls', 'cost', 'tokens', 'timeMs'] as const;

/** The hooks of one scope: all calls, or those of one tool. */
function registerScope(hooks: HookRegistrar, pattern: string, meter: Meter, options: LimitsOptions): void {
  const what = pattern === '' ? '' : ` of ${pattern}`;
  const suffix = pattern === '' ? '' : `:${pattern}`;
  const refunds = new Refunds();
  const usage = new Usage('limits', options);
  // The budgets of a tool end no run.
  const landing = pattern === '' ? new Landing(meter, options) : undefined;
  const refusing = (taken: Taken, goesOn: boolean): Block | Proceed => {
    if (taken === undefined || taken.giveBack !== undefined) return proceed();
    if ('reason' in taken) return block(taken.reason);
    return block(say(taken, what, landing !== undefined && goesOn), {
      stop: !goesOn && taken.kind !== 'toolCalls',
    });
  };

  const answerTo = (
    call: EventPayload,
    taken: Taken | Promise<Taken>,
  ): Block | Proceed | Promise<Block | Proceed> => {
    const goesOn = landing === undefined || landing.willLand(call);
    return taken instanceof Promise ? taken.then((over) => refusing(over, goesOn)) : refusing(taken, goesOn);
  };

  lookBeforeApproval(hooks, {
    tools: pattern === '' ? undefined : pattern,
    shared: options.store !== undefined,
    suffix,
    look: (call) => answerTo(call, usage.unknownIn(call) ?? meter.check(call, OF_TOOL_CALLS)),
  });
  hooks.guard(
    pattern === '' ? BeforeExecute : BeforeExecute.matching(pattern),
    // A call that is answered takes nothing, since nothing runs.
    (call) =>
      call.rechecked || call.execute?.answers
        ? proceed()
        : answerTo(
            call,
            usage.unknownIn(call) ?? refunds.ofTool(call, meter.take(call, 'toolCalls', OF_TOOL_CALLS)),
          ),
    // The guard on BeforeToolCall refuses to be attached where calls cannot be seen.
    { id: `tool-call${suffix}`, priority: -100, allowUnknown: true, optional: true, ...inMemory(options) },
  );
  hooks.observe(
    pattern === '' ? AfterToolCall : AfterToolCall.matching(pattern),
    (call) =>
      call.ran &&
      usage.spend(
        () => ({ cost: usage.ofTool(call) }),
        (used) => meter.spend(call, used),
      ),
    { id: `tool-cost${suffix}`, allowUnknown: true },
  );
  refunds.watchTools(hooks, `give-back-tool-call${suffix}`);
  if (pattern !== '') return;
  landing?.register(hooks);
  if (options.prices !== undefined) guardPrices(hooks, options.prices);
  const kinds = kindsIn(options);
  // Where an agent's model calls are not seen, each hook on them is warned of, so there is none without a use.
  if (kinds.has('modelCalls')) refunds.watchModels(hooks, 'give-back-model-call');
  if (!OF_MODEL_CALLS.some((kind) => kinds.has(kind))) return;
  hooks.guard(
    BeforeModelCall,
    function limitModelCall(call) {
      const last = landing?.lastCall(call);
      const exact = last === undefined ? OF_MODEL_CALLS : (['modelCalls'] as const);
      const taken = usage.unknownIn(call) ?? refunds.ofModel(call, meter.take(call, 'modelCalls', exact));
      const answer = (over: Taken): Block | Proceed =>
        over !== undefined && 'kind' in over && last?.isRetry ? proceed() : refusing(over, false);
      return taken instanceof Promise ? taken.then(answer) : answer(taken);
    },
    { id: 'model-call', priority: -100, optional: !ofModels(options) },
  );
  const needsUsage = limitsUsage(options);
  if (needsUsage || options.modelCost !== undefined)
    hooks.observe(
      AfterModelCall,
      (call) =>
        usage.spend(
          () => usage.ofModelCall(call, needsUsage),
          (used) => meter.spend(call, used),
        ),
      { id: 'model-use' },
    );
}
