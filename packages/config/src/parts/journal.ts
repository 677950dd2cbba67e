import { createPrivateKey, type KeyObject } from 'node:crypto';
import { resolve } from 'node:path';
import { named } from '../builtins/arguments.ts';
import { storeAt } from '../builtins/store.ts';
import type { MakePart } from './part.ts';
import type { JournalArguments } from './schemas.ts';
import { readVariable, type Variables } from './variables.ts';

const DAY_MS = 24 * 60 * 60_000;

/** Records to a directory or a store, and removes days that are older than `keep_days`. */
export const journalPart: MakePart = async (args, { storesIn, env, onWarning }) => {
  const { journalSchema } = await import('./schemas.ts');
  const given = await named<JournalArguments>(args, () => journalSchema);
  const { sink, store: path, keyEnv, replacesEnv, keepDays, ...options } = given;
  const { journal, pruneJournal, JournalError } = await import('@hooks/journal');
  const key = keyIn('key_env', keyEnv, env);
  const replaces = keyIn('replaces_env', replacesEnv, env);
  const store = path === undefined ? undefined : await storeAt(path, storesIn);
  const directory = resolve(storesIn, sink ?? '');
  const log = journal({
    ...(store === undefined ? { sink: directory } : { store }),
    ...options,
    ...(key && { key }),
    ...(replaces && { replaces }),
    onError: ({ message }) => onWarning(message),
  });

  let pruned = keepDays === undefined;
  const prune = async (): Promise<void> => {
    if (keepDays === undefined) return;
    pruned = true;
    try {
      await pruneJournal(store ?? directory, {
        before: new Date(Date.now() - keepDays * DAY_MS),
        by: 'the file of hooks',
        why: `keep_days: ${keepDays}`,
        ...(key && { key }),
      });
    } catch (error) {
      const isEmpty = error instanceof JournalError && error.code === 'NOT_FOUND';
      if (!isEmpty) onWarning(`journal: the days before keep_days are still there: ${String(error)}`);
    }
  };
  // Not while the program starts: the days to remove are verified first. A program that ends sooner does so at its end.
  const timers =
    keepDays === undefined ? [] : [setTimeout(prune, 60_000).unref(), setInterval(prune, DAY_MS).unref()];

  return {
    name: log.name,
    register: (hooks) => log.register(hooks),
    async close() {
      for (const timer of timers) clearTimeout(timer);
      await log.close().catch(() => {}); // `onError` has had it.
      if (!pruned) await prune();
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
