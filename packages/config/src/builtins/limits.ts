import { limits, loopDetection, maxIterations, rateLimit } from '@hooks/guards';
import type * as Zod from 'zod';
import { camelCased, count, named } from './arguments.ts';
import type { Builtin } from './builtin.ts';

/** Takes the number of model calls. */
export const iterations: Builtin = (args) => {
  const max = count(args);
  if (max === undefined) throw new Error('expected a whole number greater than 0, got nothing');
  return maxIterations(max);
};

/** Takes the budgets `per_run` and `per_session`, and `per_tool` with budgets by pattern. */
export const budgets: Builtin = async (args) =>
  limits(
    await named(args, (z) => {
      const budget = budgetOf(z).exactOptional();
      const ofTool = z
        .strictObject({ tool_calls: atLeast0(z) })
        .transform(camelCased)
        .exactOptional();
      const scopes = z.strictObject({ per_run: ofTool, per_session: ofTool }).transform(camelCased);
      return z.strictObject({
        per_run: budget,
        per_session: budget,
        per_tool: z.record(z.string(), scopes).exactOptional(),
      });
    }),
  );

/** Takes `window_ms`, how many `tool_calls` and `model_calls` fit in it, and `tools`. */
export const rate: Builtin = async (args) => {
  const { windowMs = 0, ...options } = await named(args, (z) =>
    z.strictObject({
      window_ms: z.number(),
      tool_calls: z.number().exactOptional(),
      model_calls: z.number().exactOptional(),
      tools: z.string().exactOptional(),
    }),
  );
  return rateLimit({ windowMs, ...options });
};

/** Takes `identical_calls`. */
export const loops: Builtin = async (args) =>
  loopDetection(await named(args, (z) => z.strictObject({ identical_calls: z.number().exactOptional() })));

function budgetOf(z: typeof Zod) {
  const number = atLeast0(z).exactOptional();
  return z
    .strictObject({ tool_calls: number, model_calls: number, tokens: number, time_ms: number })
    .transform(camelCased);
}

function atLeast0(z: typeof Zod): Zod.ZodNumber {
  return z.number().min(0);
}
