import type { Approver } from '../approval/approval.ts';
import type { Hooks } from '../registry/hooks.ts';
import { concerns, isIdle } from './registry.ts';

/** What every adapter's options say of approval. */
export interface ApprovalOption {
  readonly approval?: 'deny' | 'native' | Approver;
}

/** A registry of hooks, with the options under which an adapter attached it. */
export interface AttachedRegistry<Options extends ApprovalOption = ApprovalOption> {
  readonly hooks: Hooks;
  readonly options: Options;
}

/** One list of registries, outermost first. Each counts once, under the first options that say who approves. */
export function joinRegistries<R extends AttachedRegistry>(
  ...lists: readonly (readonly R[])[]
): readonly R[] {
  const filled = lists.filter(({ length }) => length > 0);
  if (filled.length < 2) return filled[0] ?? [];
  const found = new Map<Hooks, R>();
  for (const entry of filled.flat()) {
    const before = found.get(entry.hooks);
    if (before === undefined || before.options.approval === undefined) found.set(entry.hooks, entry);
  }
  return [...found.values()];
}

/** Those of a list that are not in another one. */
export function withoutRegistries<R extends AttachedRegistry>(
  registries: readonly R[],
  others: readonly AttachedRegistry[],
): readonly R[] {
  return registries.filter(({ hooks }) => others.every((other) => other.hooks !== hooks));
}

/** Whether two lists have the same registries, in the same order. */
export function areSameRegistries(
  registries: readonly AttachedRegistry[],
  others: readonly AttachedRegistry[],
): boolean {
  return (
    registries.length === others.length && registries.every(({ hooks }, nth) => hooks === others[nth]?.hooks)
  );
}

/** Whether any hook of the registries applies to calls of this tool. If not, call the tool directly. */
export function concernsTool(registries: readonly AttachedRegistry[], toolName: string): boolean {
  return registries.some(({ hooks }) => concerns(hooks, toolName));
}

/** Whether the registries have no say in anything: no hook is registered, and none approves for hooks further in. */
export function areIdle(registries: readonly AttachedRegistry[]): boolean {
  return registries.every(({ hooks, options }) => isIdle(hooks) && options.approval === undefined);
}

/** Whether each registry has an approver of its own, so that no call has to pause. */
export function haveApprovers(registries: readonly AttachedRegistry[]): boolean {
  return registries.every(({ options }) => typeof options.approval === 'function');
}

/** Whether the framework's own pause approves what hooks of the registry require. */
export function isNative({ options }: AttachedRegistry): boolean {
  return options.approval === 'native';
}
