import { createHooks } from './create-hooks.ts';
import type { Hooks, HooksOptions } from './hooks.ts';

let shared: Hooks | undefined;

/**
 * A registry for the whole program, created on first use. Nothing else in this package is global.
 *
 * @param options used only by the first call
 */
export function globalHooks(options?: HooksOptions): Hooks {
  shared ??= createHooks(options);
  return shared;
}

/** Closes and forgets the global registry, for tests. The next `globalHooks()` is empty. */
export async function resetGlobalHooks(): Promise<void> {
  const old = shared;
  shared = undefined;
  await old?.close();
}
