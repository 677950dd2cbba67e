import type { Hooks } from '@hooks/core';
import { type AttachedRegistry, attachAdapter } from '@hooks/core/adapter';
import type { HookedOptions } from './options.ts';
import { supports } from './supports.ts';

/** A registry of hooks with the options under which it was attached. */
export type Registry = AttachedRegistry<HookedOptions>;

/** Tells the registry what this adapter can do. */
export function registryOf(hooks: Hooks, options: HookedOptions): Registry {
  const entry = { hooks, options };
  tellTools([entry], []);
  return entry;
}

/** Tells the registries of tools that an agent has. */
export function tellTools(registries: readonly Registry[], tools: readonly string[]): void {
  for (const { hooks, options } of registries) {
    const { allowUnsupported } = options;
    attachAdapter(hooks, { supports, tools, ...(allowUnsupported && { allowUnsupported }) });
  }
}
