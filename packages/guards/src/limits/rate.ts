import {
  AfterModelCall,
  AfterToolCall,
  BeforeExecute,
  BeforeModelCall,
  type Block,
  block,
  type EventPayload,
  type HookProvider,
  type NamePattern,
  type Proceed,
  proceed,
} from '@hooks/core';
import { rootOf } from '@hooks/core/adapter';
import { type Checks, callback, checkOptions, needed, positive, refuse, toolMatcher } from '../options.ts';
import { versionOf } from '../version.ts';
import { lookBeforeApproval } from './before-approval.ts';
import { checkCosts, costs, guardPrices, type ModelPrices } from './prices.ts';
import { type Counted, Refunds } from './refunds.ts';
import {
  COST_UNIT,
  countsInMemory,
  providerName,
  SHARED,
  type SharedAnswer,
  type SharedCount,
  SharedCounters,
  type SharedLimitOptions,
  unitOf,
} from './shared-counters.ts';
import { Usage } from './usage.ts';
import { Windows } from './windows.ts';

/** Options of {@link rateLimit}. */
export interface RateLimitOptions extends SharedLimitOptions {
  /** The length of the sliding window in milliseconds. */
  readonly windowMs: number;
  /** The maximum number of tool calls in the window, per session or per `key`. */
  readonly toolCalls?: number;
  /** The maximum number of model calls in the window, per session or per `key`. */
  readonly modelCalls?: number;
  /** Input and output tokens in the window. Checked before each model call, so the last one may exceed the limit. */
  readonly tokens?: number;
  /** Cost in the window, in the unit of `prices`, `modelCost` and `toolCost`. Checked before each call. */
  readonly cost?: number;
  /** Only calls of these tools count. Default: all. */
  readonly tools?: NamePattern;
  /**
   * Which calls share a window, such as `({ principal }) => principal?.id ?? ''`. Default: those of a session and its sub-agents. With
   * a `store` there is no default.
   */
  readonly key?: (event: EventPayload) => string;
  /** What the models cost, so that `cost` is money. A model without a price is not called. */
  readonly prices?: ModelPrices;
  /** The cost of a model call, instead of `prices`. */
  readonly modelCost?: (call: AfterModelCall) => number;
  /** The cost of a tool call. */
  readonly toolCost?: (call: AfterToolCall) => number;
}

const CHECKS: Checks<RateLimitOptions> = {
  windowMs: needed(positive),
  toolCalls: positive,
  modelCalls: positive,
  tokens: positive,
  cost: positive,
  tools: toolMatcher,
  key: callback,
  ...costs,
  ...SHARED,
};

/**
 * Refuses calls that come too fast or exceed a budget for a period. The reason tells how long to wait. A refused model
 * call ends the run.
 *
 * With a `store`, all processes share one count for each `key`, by the store's clock. The store divides the window into hundredths, so
 * usage leaves the window up to 1 % late, never early.
 *
 * @throws HooksError `CONFIG_INVALID` if an option is unknown, invalid, or has no effect, nothing is limited, or nothing says what
 *   a cost is
 * @example
 * ```ts
 * hooks.use(rateLimit({ tools: 'web_.*', toolCalls: 10, windowMs: 60_000 }));
 * hooks.use(
 *   rateLimit({ name: 'daily', store, cost: 5, windowMs: 86_400_000, modelCost, key: ({ principal }) => principal?.id ?? '' }),
 * );
 * ```
 */
export function rateLimit(options: RateLimitOptions): HookProvider {
  options = checkOptions('rateLimit', options, CHECKS, {
    onUnreachable: ['store'],
    tools: ['toolCalls', 'cost'],
  });
  const { toolCalls, modelCalls, tokens, cost, tools, name, store, key } = options;
  if ((toolCalls ?? modelCalls ?? tokens ?? cost) === undefined)
    refuse('rateLimit', 'nothing is limited; set toolCalls, modelCalls, tokens or cost');
  // Processes may share a limit for each user, or for all: a conversation is seldom in two of them.
  if (store !== undefined && key === undefined)
    refuse(
      'rateLimit',
      "store needs key, which says whose calls count together: ({ principal }) => principal?.id ?? '' for each user, () => 'all' for everybody, ({ session }) => session.id for each conversation",
    );
  checkCosts('rateLimit', options, { ofModels: cost !== undefined, ofTools: cost !== undefined });
  return {
    name: providerName('rate-limit', name),
    version: versionOf(options),
    register(hooks) {
      const shared = store && new SharedCounters('rate-limit', store, options);
      const ofModels = (modelCalls ?? tokens ?? cost) !== undefined;
      shared?.watch(hooks, ofModels);
      const rate = new Rate(options, shared);
      const refunds = new Refunds();
      const usage = new Usage('rate-limit', options, options.windowMs);
      const refusal = (event: EventPayload): Block | undefined => {
        const unknown = usage.unknownIn(event);
        return unknown && block(unknown.reason);
      };
      if (toolCalls !== undefined || cost !== undefined) {
        lookBeforeApproval(hooks, {
          tools,
          shared: shared !== undefined,
          look: (event) => refusal(event) ?? answerTo(rate.take(event, undefined, ['toolCalls', 'cost'])),
        });
        hooks.guard(
          tools === undefined ? BeforeExecute : BeforeExecute.matching(tools),
          // A call that is answered takes nothing, since nothing runs.
          (event) =>
            event.rechecked || event.execute?.answers
              ? proceed()
              : (refusal(event) ?? answerTo(refunds.ofTool(event, rate.take(event, 'toolCalls', ['cost'])))),
          // The guard on BeforeToolCall refuses to be attached where calls cannot be seen.
          {
            id: 'tool-call',
            priority: -100,
            allowUnknown: true,
            optional: true,
            ...countsInMemory(options),
          },
        );
        refunds.watchTools(hooks, 'give-back-tool-call');
      }
      if (ofModels) {
        hooks.guard(
          BeforeModelCall,
          (event) =>
            refusal(event) ??
            answerTo(refunds.ofModel(event, rate.take(event, 'modelCalls', ['tokens', 'cost']))),
          {
            id: 'model-call',
            priority: -100,
            ...countsInMemory(options),
            // A cost of tools is counted where no model calls are.
            optional:
              modelCalls === undefined &&
              tokens === undefined &&
              options.modelCost === undefined &&
              options.prices === undefined,
          },
        );
        refunds.watchModels(hooks, 'give-back-model-call');
      }
      if (options.prices !== undefined) guardPrices(hooks, options.prices);
      if (cost !== undefined)
        hooks.observe(
          tools === undefined ? AfterToolCall : AfterToolCall.matching(tools),
          (call) =>
            call.ran &&
            usage.spend(
              () => ({ cost: usage.ofTool(call) }),
              (used) => rate.spend(call, used),
            ),
          { id: 'tool-cost', allowUnknown: true },
        );
      if (tokens !== undefined || cost !== undefined)
        hooks.observe(
          AfterModelCall,
          (call) =>
            usage.spend(
              () => usage.ofModelCall(call, tokens !== undefined || options.prices !== undefined),
              (used) => rate.spend(call, used),
            ),
          { id: 'model-use' },
        );
    },
  };
}

/** A call that was counted, or why it is refused. */
type Taken = Counted | (Block & { readonly giveBack?: never });

function answerTo(taken: Taken | Promise<Taken>): Block | Proceed | Promise<Block | Proceed> {
  if (taken instanceof Promise) return taken.then(answerTo);
  return taken.giveBack === undefined ? taken : proceed();
}

type Kind = 'toolCalls' | 'modelCalls' | 'tokens' | 'cost';

const SAID: { readonly [K in Kind]: string } = {
  toolCalls: ' tool calls',
  modelCalls: ' model calls',
  tokens: ' tokens',
  cost: ' of cost',
};

/** Of a call that counts nowhere. */
const NOTHING: Counted = { giveBack() {} };

/** The windows of one limit: in this process, or in a store. */
class Rate {
  readonly #options: RateLimitOptions;
  readonly #shared: SharedCounters | undefined;
  readonly #windows: Windows;

  constructor(options: RateLimitOptions, shared: SharedCounters | undefined) {
    this.#options = options;
    this.#shared = shared;
    this.#windows = new Windows(options.windowMs);
  }

  /** Counts a call, if one is given, unless its window or one of `others` is full. */
  take(event: EventPayload, call: Kind | undefined, others: readonly Kind[]): Taken | Promise<Taken> {
    const all = call === undefined ? others : [call, ...others];
    const kinds = all.filter((kind) => this.#options[kind] !== undefined);
    return this.#shared === undefined
      ? this.#takeHere(event, call, kinds)
      : this.#takeShared(this.#shared, event, call, kinds);
  }

  /** Adds the usage of a finished call. */
  spend(event: EventPayload, used: { readonly [K in Kind]?: number }): void | Promise<void> {
    const spent = (Object.entries(used) as [Kind, number][]).filter(
      ([kind, amount]) => amount > 0 && this.#limitOf(kind) !== undefined,
    );
    for (const [kind, amount] of spent) this.#windows.add(this.#keyOf(event, kind), amount);
    return this.#shared?.add(spent.map(([kind, amount]) => this.#countOf(event, kind, amount)));
  }

  #takeHere(event: EventPayload, call: Kind | undefined, kinds: readonly Kind[]): Taken {
    for (const kind of kinds) {
      const used = this.#windows.get(this.#keyOf(event, kind));
      const total = used.reduce((sum, { amount }) => sum + amount, 0);
      const [oldest] = used;
      if (oldest !== undefined && total >= (this.#limitOf(kind) ?? 0))
        return this.#refused(kind, oldest.at + this.#options.windowMs - Date.now());
    }
    if (call === undefined || !kinds.includes(call)) return NOTHING;
    const key = this.#keyOf(event, call);
    const taken = this.#windows.add(key, 1);
    return { giveBack: () => this.#windows.remove(key, taken) };
  }

  async #takeShared(
    shared: SharedCounters,
    event: EventPayload,
    call: Kind | undefined,
    kinds: readonly Kind[],
  ): Promise<Taken> {
    const counts = kinds.map((kind) => {
      const count = this.#countOf(event, kind, 0);
      return kind === call ? unitOf(count) : count;
    });
    const giveBack = (): Promise<void> =>
      shared.add(counts.flatMap((count) => (count.amount > 0 ? { ...count, amount: 0 } : [])));
    const answer: SharedAnswer = await shared.count(counts);
    switch (answer.kind) {
      case 'local':
        return this.#takeHere(event, call, kinds);
      case 'closed':
        return block(answer.reason);
      case 'full':
        return this.#refused(kinds[counts.indexOf(answer.count)] ?? 'toolCalls', answer.retryAfterMs);
      case 'counted': {
        const full = kinds.find((kind, at) => {
          return kind !== call && (answer.totals[at] ?? 0) >= (this.#limitOf(kind) ?? 0);
        });
        if (full === undefined) return { giveBack };
        await giveBack();
        return this.#refused(full, await this.#waitOf(shared, event, full));
      }
    }
  }

  /** How long a window stays full, which a store says of what no longer fits. */
  async #waitOf(shared: SharedCounters, event: EventPayload, kind: Kind): Promise<number | undefined> {
    const one = unitOf(this.#countOf(event, kind, 0));
    const answer = await shared.count([one]);
    if (answer.kind === 'counted') await shared.add([{ ...one, amount: 0 }]);
    return answer.kind === 'full' ? answer.retryAfterMs : undefined;
  }

  #refused(kind: Kind, waitMs: number | undefined): Block {
    const wait = waitMs === undefined ? 'later' : `in ${Math.ceil(waitMs / 1000)} s`;
    return block(
      `Blocked (rate-limit): ${this.#limitOf(kind)}${SAID[kind]} in ${this.#options.windowMs / 1000} s are allowed. Try again ${wait}.`,
    );
  }

  #limitOf(kind: Kind): number | undefined {
    return this.#options[kind];
  }

  #keyOf(event: EventPayload, kind: Kind): string {
    return JSON.stringify([kind, this.#whose(event)]);
  }

  #whose(event: EventPayload): string {
    const { key } = this.#options;
    return key === undefined ? rootOf(event.session).id : key(event);
  }

  #countOf(event: EventPayload, kind: Kind, amount: number): SharedCount {
    const { key, tools = '', windowMs } = this.#options;
    return {
      of: [kind, String(tools), key === undefined ? 'session' : 'key', this.#whose(event)],
      amount,
      windowMs,
      limit: this.#limitOf(kind),
      ...(kind === 'cost' && { unit: COST_UNIT }),
    };
  }
}
