import type { Approver, Attached, Hooks } from '@hooks/core';
import { type AttachedRegistry, attachAdapter } from '@hooks/core/adapter';
import type { HookedOptions } from './options.ts';
import { supports } from './supports.ts';

/** A registry of hooks with the options under which it was attached. */
export type Registry = AttachedRegistry<HookedOptions>;

/** A registry, told what this adapter can do. */
export function attached(hooks: Hooks, options: HookedOptions, tools: readonly string[]): Registry {
  const { allowUnsupported = [] } = options;
  attachAdapter(hooks, { supports, tools, allowUnsupported });
  return { hooks, options };
}

/** What the outermost registry that can tell says of a run. */
export function firstOf<T>(
  registries: readonly Registry[],
  tell: (options: HookedOptions) => T | undefined,
): T | undefined {
  for (const { options } of registries) {
    const told = tell(options);
    if (told !== undefined) return told;
  }
  return undefined;
}

/** Registries as core takes them. */
export function attachedWith(
  registries: readonly Registry[],
  native: Approver,
  ofTool: Approver,
): readonly Attached[] {
  return registries.map(({ hooks, options: { approval } }) => ({
    hooks,
    approval: approval === 'native' ? native : approval === 'deny' ? ofTool : approval,
  }));
}
