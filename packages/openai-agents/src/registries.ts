import type { Hooks } from '@hooks/core';
import { type AttachedRegistry, attachAdapter } from '@hooks/core/adapter';
import type { HookedOptions } from './options.ts';
import { supports } from './supports.ts';

/** A registry of hooks with the options under which it was attached. */
export type Registry = AttachedRegistry<HookedOptions>;

/** Declares the capabilities of this adapter to the registry. */
export function registryOf(hooks: Hooks, options: HookedOptions): Registry {
  const entry = { hooks, options };
  tellTools([entry], []);
  return entry;
}

/** Declares the tools of an agent to the registries. */
export function tellTools(registries: readonly Registry[], tools: readonly string[]): void {
  for (const { hooks, options } of registries)
    attachAdapter(hooks, { supports, tools, allowUnsupported: options.allowUnsupported });
}
