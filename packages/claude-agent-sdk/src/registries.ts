import type { Approver, Attached, Hooks } from '@hooks/core';
import { type AttachedRegistry, attachAdapter } from '@hooks/core/adapter';
import type { HookedOptions } from './options.ts';
import { supports } from './supports.ts';

/** A registry and the options it was attached with. */
export type Registry = AttachedRegistry<HookedOptions>;

/** Creates the entry of a registry, and declares the capabilities of this adapter to it. */
export function attached(hooks: Hooks, options: HookedOptions, tools: readonly string[]): Registry {
  attachAdapter(hooks, { supports, tools, allowUnsupported: options.allowUnsupported });
  return { hooks, options };
}

/** The registries in core's form. */
export function attachedWith(registries: readonly Registry[], native: Approver): readonly Attached[] {
  return registries.map(({ hooks, options: { approval } }) => ({
    hooks,
    approval: approval === 'native' ? native : approval,
  }));
}
