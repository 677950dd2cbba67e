import {
  type AfterModelCall,
  type AfterToolCall,
  BeforeModelCall,
  block,
  type HookRegistrar,
  HooksError,
  proceed,
} from '@hooks/core';
import { type Check, type Checks, callback, expecting, idle, mapOf, refuse } from '../options.ts';

/** The price of a model, per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
}

/**
 * Prices by the model's name, or by provider and name (`openai/gpt-5`), in any one currency; `*` is for all other models.
 * The shape is that of `cost` in the public list of https://models.dev, from which you can take them.
 */
export interface ModelPrices {
  readonly [model: string]: ModelPrice;
}

interface Costs {
  readonly prices?: ModelPrices;
  readonly modelCost?: (call: AfterModelCall) => number;
}

interface AllCosts extends Costs {
  readonly toolCost?: (call: AfterToolCall) => number;
}

/** A price may have more fields, as in the list of models.dev. */
const price: Check = (value, path) => {
  for (const part of ['input', 'output']) {
    const problem = priceOfMillion(Reflect.get(Object(value), part), `${path}.${part}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
};

const priceOfMillion: Check = expecting(
  'the price of a million tokens',
  (value) => typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY,
);

/** The checks of what says what a cost is. */
export const costs: Checks<AllCosts> = {
  prices: mapOf(price, "models and their prices, such as { '*': { input: 1.25, output: 10 } }"),
  modelCost: callback,
  toolCost: callback,
};

/** @throws HooksError `CONFIG_INVALID` if a cost is limited that nothing counts, or one is counted that nothing limits */
export function checkCosts(
  guard: string,
  { prices, modelCost, toolCost }: AllCosts,
  limited: { readonly ofModels: boolean; readonly ofTools: boolean },
): void {
  if (modelCost !== undefined && prices !== undefined)
    refuse(guard, 'prices and modelCost are both set; set one of them');
  if (limited.ofModels && (prices ?? modelCost ?? toolCost) === undefined)
    refuse(guard, 'nothing says what a cost is; set prices, modelCost or toolCost');
  if (modelCost !== undefined && !limited.ofModels) refuse(guard, idle('modelCost', 'a limit of cost'));
  if (toolCost !== undefined && !limited.ofModels && !limited.ofTools)
    refuse(guard, idle('toolCost', 'a limit of cost'));
}

/** What a model call used. A server that reports a part as less than nothing, or as no number, makes the other no less. */
export function tokensOf({ response }: AfterModelCall): { inputTokens: number; outputTokens: number } {
  const { inputTokens = 0, outputTokens = 0 } = response.usage ?? {};
  return { inputTokens: atLeast0(inputTokens), outputTokens: atLeast0(outputTokens) };
}

/**
 * Says that a model call cannot be counted. It throws in an observer, whose errors go to `onError`.
 * @throws HooksError `INVALID_INPUT` if the framework reports no usage, as for a stream whose client was not told to ask for it, or
 *   one that is no number of 0 or more
 */
export function expectUsage(guard: string, { response, model }: AfterModelCall): void {
  const { inputTokens, outputTokens } = response.usage ?? {};
  const reported = [inputTokens, outputTokens].filter((amount) => amount !== undefined);
  if (reported.length > 0 && reported.every(isAmount)) return;
  const what = reported.length === 0 ? 'no usage' : `a usage of ${reported.map(String).join(' and ')} tokens`;
  throw new HooksError(
    'INVALID_INPUT',
    `${guard}: the model ${JSON.stringify(model ?? 'without a name')} reported ${what}, so this call is not counted. Have its client ask for it, in streams too.`,
  );
}

function isAmount(reported: unknown): boolean {
  return /^(?:number|bigint|string)$/.test(typeof reported) && reported !== '' && Number(reported) >= 0;
}

/** A model's server may report a number as text, which `+` would append to the count. */
function atLeast0(reported: unknown): number {
  const amount = Number(reported);
  return amount > 0 ? amount : 0;
}

/** A cost that the user's own function returned. @throws HooksError `INVALID_INPUT` if it is not a number of 0 or more */
function checkCost(option: 'modelCost' | 'toolCost', cost: number): number {
  if (typeof cost === 'number' && cost >= 0) return cost;
  throw new HooksError(
    'INVALID_INPUT',
    `${option} returned ${String(cost)}; expected a number of 0 or more. The cost of this call is not counted.`,
  );
}

/** The cost of a model call. */
export function costOf(call: AfterModelCall, { prices = {}, modelCost }: Costs): number {
  if (modelCost !== undefined) return checkCost('modelCost', modelCost(call));
  const { input, output } = priceOf(call, prices) ?? { input: 0, output: 0 };
  const { inputTokens, outputTokens } = tokensOf(call);
  return (inputTokens * input + outputTokens * output) / 1e6;
}

/** The cost of a tool call. */
export function toolCostOf(
  call: AfterToolCall,
  { toolCost }: { readonly toolCost?: (call: AfterToolCall) => number },
): number {
  return toolCost === undefined ? 0 : checkCost('toolCost', toolCost(call));
}

/** Refuses the call of a model that has no price: it would be free. */
export function guardPrices(hooks: HookRegistrar, prices: ModelPrices): void {
  hooks.guard(
    BeforeModelCall,
    (call) =>
      priceOf(call, prices) === undefined
        ? block(
            `Blocked (limits/cost): the model ${JSON.stringify(call.model ?? 'without a name')} has no price, so its cost is unknown. Add it to \`prices\`, or a price for \`*\`.`,
            { stop: true },
          )
        : proceed(),
    { id: 'price' },
  );
}

function priceOf(
  { provider, model = '' }: Pick<AfterModelCall, 'provider' | 'model'>,
  prices: ModelPrices,
): ModelPrice | undefined {
  const name = [`${provider}/${model}`, model, '*'].find((key) => Object.hasOwn(prices, key));
  return name === undefined ? undefined : prices[name];
}
