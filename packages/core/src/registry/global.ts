import { createHooks } from './create-hooks.ts';
import type { Hooks, HooksOptions } from './hooks.ts';

let shared: Hooks | undefined;

/**
 * One registry for those who want one for the whole program; made at first use. Nothing else in this package is global.
 *
 * @param options counts for the call that makes it
 */
export function globalHooks(options?: HooksOptions): Hooks {
  shared ??= createHooks(options);
  return shared;
}

/** Closes the global registry, if there is one, and forgets it: the next `globalHooks()` is empty. For tests. */
export async function resetGlobalHooks(): Promise<void> {
  const old = shared;
  shared = undefined;
  await old?.close();
}
