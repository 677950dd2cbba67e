import type { HookOptions } from '@hooks/core';

/**
 * The option of a hook whose state ends with its process, where it has no store or one in memory.
 *
 * @param kept what is lost, as a sentence
 */
export function inMemory(
  kept: string,
  store: (object & { readonly inMemory?: true }) | undefined,
): Pick<HookOptions, 'inMemory'> {
  return store === undefined || store.inMemory
    ? { inMemory: `${kept}; give it a store that processes share` }
    : {};
}
