import type { Approver, Attached, Hooks } from '@hooks/core';
import { attachAdapter, concerns, isIdle } from '@hooks/core/adapter';
import type { HookedOptions } from './options.ts';
import { supports } from './supports.ts';

/** A registry of hooks with the options under which it was attached. */
export interface Registry {
  readonly hooks: Hooks;
  readonly options: HookedOptions;
}

/** A registry, told what this adapter can do. */
export function attached(hooks: Hooks, options: HookedOptions, tools: readonly string[]): Registry {
  const { allowUnsupported = [] } = options;
  attachAdapter(hooks, { supports, tools, allowUnsupported });
  return { hooks, options };
}

/** One list of registries, outermost first; each counts once, under the first options that say who approves. */
export function joined(...lists: readonly (readonly Registry[])[]): readonly Registry[] {
  const found = new Map<Hooks, Registry>();
  for (const entry of lists.flat()) {
    const before = found.get(entry.hooks);
    if (before === undefined || before.options.approval === undefined) found.set(entry.hooks, entry);
  }
  return [...found.values()];
}

/** Whether any hook applies to calls of a tool. */
export function concernsTool(registries: readonly Registry[], name: string): boolean {
  return registries.some(({ hooks }) => concerns(hooks, name));
}

/** Whether no hook is registered, and nobody approves for hooks further in. */
export function areIdle(registries: readonly Registry[]): boolean {
  return registries.every(({ hooks, options }) => isIdle(hooks) && options.approval === undefined);
}

/** Whether what its hooks require is approved by the SDK's own pause. */
export function isNative({ options }: Registry): boolean {
  return options.approval === 'native';
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
