import type * as Zod from 'zod';
import type { BuiltinArgs } from './builtin.ts';

/** Positional arguments, as docker-agent's built-ins take them. */
export function row(args: BuiltinArgs): readonly string[] {
  if (Array.isArray(args)) return args;
  if (Object.keys(args).length === 0) return [];
  throw new Error('expected a list of texts, and got names and values');
}

/** Accepts no arguments. */
export function none(args: BuiltinArgs): void {
  if (row(args).length > 0) throw new Error('expected no arguments');
}

/** The first argument as a number of 1 or more; `undefined` if there is none. */
export function count(args: BuiltinArgs): number | undefined {
  const [text, ...more] = row(args);
  if (text === undefined) return undefined;
  if (/^[1-9]\d*$/.test(text) && more.length === 0) return Number(text);
  throw new Error('expected a whole number greater than 0, and nothing else');
}

/**
 * Named arguments, in camelCase; empty if there are none. The validation library loads only if there are some, because
 * loading it can take longer than the rest of a hook process.
 */
export async function named<T extends object>(
  args: BuiltinArgs,
  schema: (z: typeof Zod) => Zod.ZodType<T>,
): Promise<CamelCased<Partial<T>>> {
  if (Object.keys(args).length === 0) return camelCased<Partial<T>>({});
  if (Array.isArray(args)) throw new Error('expected names and values, such as "max: 5", and got a list');
  const [z, { fieldsOf, suggestField }, { expectedBy }] = await Promise.all([
    import('zod'),
    import('../file/suggest.ts'),
    import('../file/expected.ts'),
  ]);
  const result = schema(z).safeParse(args, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((name) => `${name}: ${suggestField(name, fieldsOf(issue))}`).join('; ')
        : expectedBy(issue),
  });
  if (result.success) return camelCased<Partial<T>>(result.data);
  const problems = result.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  );
  throw new Error(problems.join('; '));
}

/** `window_ms` becomes `windowMs`. */
export function camelCased<T extends object>(value: T): CamelCased<T> {
  const entries = Object.entries(value).map(([key, one]) => [
    key.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    one,
  ]);
  return Object.fromEntries(entries);
}

/** An object with camelCase keys. */
export type CamelCased<T> = { readonly [Key in keyof T as Camel<Key>]: T[Key] };

type Camel<Key> = Key extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Key;
