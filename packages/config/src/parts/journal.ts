import { createPrivateKey, type KeyObject } from 'node:crypto';
import { resolve } from 'node:path';
import { named } from '../builtins/arguments.ts';
import { storeAt } from '../builtins/store.ts';
import type { MakePart } from './part.ts';
import type { JournalArguments } from './schemas.ts';
import { readVariable, type Variables } from './variables.ts';

/** Records to a directory or a store, and removes days that are older than `keep_days`. */
export const journalPart: MakePart = async (args, { storesIn, env, onWarning }) => {
  const { journalSchema } = await import('./schemas.ts');
  const given = await named<JournalArguments>(args, () => journalSchema);
  const { sink, store: path, keyEnv, replacesEnv, ...options } = given;
  const { journal } = await import('@hooks/journal');
  const key = keyIn('key_env', keyEnv, env);
  const replaces = keyIn('replaces_env', replacesEnv, env);
  const store = path === undefined ? undefined : await storeAt(path, storesIn);
  const log = journal({
    ...(store === undefined ? { sink: resolve(storesIn, sink ?? '') } : { store }),
    ...options,
    ...(key && { key }),
    ...(replaces && { replaces }),
    onError: ({ message }) => onWarning(message),
  });

  return {
    name: log.name,
    register: (hooks) => log.register(hooks),
    async close() {
      await log.close().catch(() => {}); // `onError` has had it.
      await store?.close();
    },
  };
};

/** The private key in a variable. Its errors do not repeat the value. */
function keyIn(field: string, name: string | undefined, env: Variables): KeyObject | undefined {
  if (name === undefined) return undefined;
  const text = readVariable(field, name, env);
  try {
    return createPrivateKey(text);
  } catch {
    throw new Error(`${field}: ${name} does not hold a private key as PEM`);
  }
}
