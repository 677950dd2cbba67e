import type { Hooks } from '@hooks/core';
import { attachAdapter, concerns, isIdle } from '@hooks/core/adapter';
import type { HookedOptions } from './options.ts';
import { supports } from './supports.ts';

/** A registry of hooks with the options under which it was attached. */
export interface Registry {
  readonly hooks: Hooks;
  readonly options: HookedOptions;
}

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

/** One list of registries, outermost first. Each counts once, under the first options that say who approves. */
export function joined(...lists: readonly (readonly Registry[])[]): readonly Registry[] {
  const filled = lists.filter(({ length }) => length > 0);
  if (filled.length < 2) return filled[0] ?? NONE;
  const found = new Map<Hooks, Registry>();
  for (const entry of filled.flat()) {
    const before = found.get(entry.hooks);
    if (before === undefined || before.options.approval === undefined) found.set(entry.hooks, entry);
  }
  return [...found.values()];
}

/** Those of a list that are not in another one. */
export function without(registries: readonly Registry[], others: readonly Registry[]): readonly Registry[] {
  return others.length === 0
    ? registries
    : registries.filter(({ hooks }) => others.every((other) => other.hooks !== hooks));
}

/** Whether any hook applies to calls of a tool. */
export function concernsTool(registries: readonly Registry[], name: string): boolean {
  return registries.some(({ hooks }) => concerns(hooks, name));
}

/** Whether each says itself whom to ask where its hooks require approval. */
export function haveApprovers(registries: readonly Registry[]): boolean {
  return registries.every(({ options }) => typeof options.approval === 'function');
}

/** Whether what its hooks require is approved in the SDK's own pause. */
export function isNative({ options }: Registry): boolean {
  return options.approval === 'native';
}

/** Whether they have no say in anything: no hook is registered, and nobody approves for hooks further in. */
export function areIdle(registries: readonly Registry[]): boolean {
  return registries.every(({ hooks, options }) => isIdle(hooks) && options.approval === undefined);
}

const NONE: readonly Registry[] = [];
