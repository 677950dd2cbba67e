import type { Approver, Hooks } from '@hooks/core';
import { attachAdapter, concerns, isIdle, type PrincipalOption } from '@hooks/core/adapter';
import { supports } from './supports.ts';

/**
 * Options of `attach`, `hookTool`, `hookTools` and `hookedRunner`. `Context` is that of the user's runs (`run(agent, input,
 * { context })`), which `principal` reads; undefined where a run was given none.
 */
export interface AttachOptions<Context = unknown> extends PrincipalOption<Context | undefined> {
  /**
   * Who approves a call for which a hook requires approval: an approver function, which is asked in place; `native`, the SDK's own
   * pause in runs of a hooked runner (`result.interruptions`, a serializable `RunState`); or nobody (`deny`). Unless set, the next
   * registry further out says, and at last nobody. What a runner says comes before what an agent was attached with, or a tool hooked
   * with.
   */
  readonly approval?: 'deny' | 'native' | Approver;
  /** Types of events that may be registered although this adapter cannot fire or honour them. */
  readonly allowUnsupported?: readonly string[];
  /**
   * `false` lets streamed model answers through before `AfterModelCall` has decided: faster, and unfiltered. Unless
   * set, they are held back where a hook may change or refuse them.
   */
  readonly holdStream?: boolean;
  /** How often in a row a `Stop` hook may make a run continue. Default: 3. */
  readonly maxContinuations?: number;
}

/** A registry of hooks with the options under which it was attached. */
export interface Registry {
  readonly hooks: Hooks;
  readonly options: AttachOptions;
}

/** Tells the registry what this adapter can do. */
export function registryOf(hooks: Hooks, options: AttachOptions): Registry {
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
