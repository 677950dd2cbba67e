import type { EventPayload } from '@hooks/core';
import { rootOf } from '@hooks/core/adapter';
import { hashInput } from '@hooks/core/tool-call';
import { limits, loopDetection, maxIterations, rateLimit } from '@hooks/guards';
import type { Store } from '@hooks/store';
import type * as Zod from 'zod';
import { camelCased, count, named } from './arguments.ts';
import type { Builtin, BuiltinArgs, BuiltinOptions } from './builtin.ts';
import { kindsOfLimit } from './needs.ts';
import { storeAt } from './store.ts';

/** Takes the number of model calls. */
export const iterations: Builtin = (args) => {
  const max = count(args);
  if (max === undefined) throw new Error('expected a whole number greater than 0, got nothing');
  return maxIterations(max);
};

/**
 * Takes the budgets `per_run`, `per_session` and `per_key` (per user), `per_tool` with budgets by pattern, `prices` of models,
 * `at_limit`, `warn_at`, `name` and `store`.
 */
export const budgets: Builtin = async (args, options) => {
  const { store, ...given } = await named(args, (z) => {
    const budget = budgetOf(z).exactOptional();
    const ofTool = z
      .strictObject({ tool_calls: atLeast0(z) })
      .transform(camelCased)
      .exactOptional();
    const scopes = z
      .strictObject({ per_run: ofTool, per_session: ofTool, per_key: ofTool })
      .transform(camelCased);
    return z.strictObject({
      per_run: budget,
      per_session: budget,
      per_key: budget,
      per_tool: z.record(z.string(), scopes).exactOptional(),
      prices: pricesOf(z).exactOptional(),
      at_limit: z.enum(['end', 'answer']).exactOptional(),
      warn_at: atLeast0(z).exactOptional(),
      name: z.string().min(1).exactOptional(),
      store: z.string().min(1).exactOptional(),
    });
  });
  const kinds = kindsOfLimit(args);
  if (kinds.size === 0) throw new Error('expected a limit, such as per_session: { tool_calls: 50 }');
  checkCost(kinds, given);
  return limits({ ...given, ...(await counted(args, given, store, options)) });
};

/**
 * Takes `window_ms`, how many `tool_calls`, `model_calls` and `tokens` and how much `cost` fit in it, `prices` of models,
 * `tools`, `per` (session, principal or all; needed with `store`), `name` and `store`.
 */
export const rate: Builtin = async (args, options) => {
  const {
    windowMs = 0,
    store,
    per,
    ...given
  } = await named(args, (z) =>
    z.strictObject({
      window_ms: z.number().int().min(1),
      tool_calls: z.number().exactOptional(),
      model_calls: z.number().exactOptional(),
      tokens: z.number().exactOptional(),
      cost: z.number().exactOptional(),
      prices: pricesOf(z).exactOptional(),
      tools: z.string().exactOptional(),
      per: z.enum(['session', 'principal', 'all']).exactOptional(),
      name: z.string().min(1).exactOptional(),
      store: z.string().min(1).exactOptional(),
    }),
  );
  checkCost(kindsOfLimit(args), given);
  if (store !== undefined && per === undefined)
    throw new Error('store needs per: principal, all or session, which says whose calls count together');
  return rateLimit({
    windowMs,
    ...given,
    key: KEYS[per ?? 'session'],
    ...(await counted(args, given, store, options)),
  });
};

/** Without prices, every call would be free. */
function checkCost(kinds: ReadonlySet<string>, { prices }: { readonly prices?: object }): void {
  if (kinds.has('cost') && Object.keys(prices ?? {}).length === 0)
    throw new Error("cost needs prices, such as prices: { '*': { input: 1.25, output: 10 } }");
}

/** Whose calls share a window. */
const KEYS: Readonly<Record<'session' | 'principal' | 'all', (event: EventPayload) => string>> = {
  session: ({ session }) => rootOf(session).id,
  principal: ({ principal }) =>
    principal === undefined ? '' : JSON.stringify([principal.tenant, principal.id]),
  all: () => '',
};

/** The store of a limit, a file, and its name there: two limits of a file do not share a count. */
async function counted(
  args: BuiltinArgs,
  { name }: { readonly name?: string },
  path: string | undefined,
  { storesIn, counters }: BuiltinOptions,
): Promise<{ readonly name?: string; readonly store?: Store }> {
  const file = path ?? counters;
  if (file === undefined) return {};
  return { name: name ?? (await hashInput(args)).slice(0, 8), store: await storeAt(file, storesIn) };
}

/** Takes `identical_calls`. */
export const loops: Builtin = async (args) =>
  loopDetection(await named(args, (z) => z.strictObject({ identical_calls: z.number().exactOptional() })));

function budgetOf(z: typeof Zod) {
  const number = atLeast0(z).exactOptional();
  return z
    .strictObject({ tool_calls: number, model_calls: number, tokens: number, cost: number, time_ms: number })
    .transform(camelCased);
}

function pricesOf(z: typeof Zod) {
  return z.record(z.string(), z.strictObject({ input: atLeast0(z), output: atLeast0(z) }));
}

function atLeast0(z: typeof Zod): Zod.ZodNumber {
  return z.number().min(0);
}
