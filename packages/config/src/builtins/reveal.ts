import type { RevealOptions } from '@hooks/guards';
import type * as Zod from 'zod';
import { readVariable } from '../parts/variables.ts';
import type { BuiltinOptions } from './builtin.ts';
import { storeAt } from './store.ts';

interface RevealFields {
  readonly reveal: Zod.ZodExactOptional<Zod.ZodRecord<Zod.ZodString, Zod.ZodArray<Zod.ZodString>>>;
  readonly show_to: Zod.ZodExactOptional<Zod.ZodEnum<{ approver: 'approver' }>>;
  readonly store: Zod.ZodExactOptional<Zod.ZodString>;
}

/** The fields of revealing. */
export function revealFields(z: typeof Zod): RevealFields {
  const text = z.string().min(1);
  return {
    reveal: z.record(z.string(), z.array(text).min(1)).exactOptional(),
    show_to: z.enum(['approver']).exactOptional(),
    store: text.exactOptional(),
  };
}

interface Revealed {
  readonly reveal?: { readonly [tool: string]: readonly string[] };
  readonly showTo?: 'approver';
  readonly store?: string;
}

/** The options of revealing. A store is a file; it needs the key. */
export async function revealOf(
  { reveal, showTo, store }: Revealed,
  keyField: string,
  keyName: string | undefined,
  { storesIn, env }: BuiltinOptions,
): Promise<RevealOptions & { readonly key?: string }> {
  if (reveal === undefined && (showTo ?? store) !== undefined)
    throw new Error('show_to and store belong to reveal, which is missing');
  if (store !== undefined && keyName === undefined)
    throw new Error(`store needs ${keyField}: the variable with the key that encrypts the values`);
  const key = keyName === undefined ? undefined : readVariable(keyField, keyName, env);
  return {
    ...(reveal && { reveal }),
    ...(showTo && { showTo }),
    ...(store !== undefined && { store: await storeAt(store, storesIn) }),
    ...(key !== undefined && { key }),
  };
}
