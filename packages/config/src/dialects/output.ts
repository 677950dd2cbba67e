import type * as z from 'zod';

/** What a hook printed, if it has the right shape. Throws an `Error` that says where it has not. */
export function checked<Schema extends z.ZodType>(schema: Schema, json: unknown): z.output<Schema> {
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path.join('.') || 'the output';
  throw new Error(`${path}: ${issue?.message ?? 'wrong'}`);
}
