import {
  type AfterModelCall,
  type AfterToolCall,
  BeforeModelCall,
  block,
  type HookRegistrar,
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

/** The options that say what calls cost. */
export interface Costs {
  readonly prices?: ModelPrices;
  readonly modelCost?: (call: AfterModelCall) => number;
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
export const costs: Checks<Costs> = {
  prices: mapOf(price, "models and their prices, such as { '*': { input: 1.25, output: 10 } }"),
  modelCost: callback,
  toolCost: callback,
};

/** @throws HooksError `CONFIG_INVALID` if a cost is limited that nothing counts, or one is counted that nothing limits */
export function checkCosts(
  guard: string,
  { prices, modelCost, toolCost }: Costs,
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

/** The price of a model; undefined if it has none. */
export function priceOf(
  { provider, model = '' }: Pick<AfterModelCall, 'provider' | 'model'>,
  prices: ModelPrices,
): ModelPrice | undefined {
  const name = [`${provider}/${model}`, model, '*'].find((key) => Object.hasOwn(prices, key));
  return name === undefined ? undefined : prices[name];
}
