import { type Hooks, markHooked } from '@hooks/core';
import { standIn } from '@hooks/core/adapter';
import { approvalFields } from '../approval/own-approval.ts';
import type { HookToolOptions } from '../options.ts';
import type { HookedRun, Registry } from '../run/run.ts';
import { HookedTool } from './call.ts';
import type { CallContext } from './context.ts';

/**
 * Hooks a bare tool: for workflow steps, an `MCPServer`, a network, an agent of your own, direct calls.
 *
 * @param tool made by `createTool`, by an MCP client, or by the AI SDK; it is left as it is
 * @returns a copy of the same class, with its schemas, types and options. Hooking it again with the same `hooks` gives
 *   it back; other hooks are added around those it has. A tool without `execute` has nothing to hook and is returned itself.
 * @example
 * ```ts
 * const step = createStep(hookTool(deploy, hooks));
 * ```
 */
export function hookTool<T extends object>(tool: T, hooks: Hooks, options: HookToolOptions = {}): T {
  if (isHookedBy(tool, hooks)) return tool;
  return hookAs(tool, undefined, [{ hooks, settings: options }]);
}

/**
 * Hooks a record of tools: each is known to hooks by its key, as the model sees it, and can be put in the place of
 * another by a Modify of `toolName`.
 *
 * @example
 * ```ts
 * new MCPServer({ name: 'ops', version: '1.0.0', tools: hookTools({ deploy, rollback }, hooks) });
 * ```
 */
export function hookTools<R extends Readonly<Record<string, object>>>(
  tools: R,
  hooks: Hooks,
  options: HookToolOptions = {},
): R {
  if (Object.values(tools).every((tool) => isHookedBy(tool, hooks))) return tools;
  return hookAll(tools, [{ hooks, settings: options }], (key) => key);
}

/** The same, if the model knows the tools by names other than their keys. */
export function hookAll<R extends Readonly<Record<string, object>>>(
  tools: R,
  registries: readonly Registry[],
  nameOf: (key: string) => string,
): R {
  const siblings = new Map<string, HookedTool>();
  const copies: Record<string, object> = {};
  for (const [key, tool] of Object.entries(tools))
    copies[key] = hookAs(tool, nameOf(key), registries, siblings);
  // The same keys with copies of the same types, which Object.entries forgets.
  return copies as R;
}

const HOOKED = Symbol('@hooks/mastra hooked tool');

/** What stands behind a hooked copy: its `execute` tells, so that what is made of a copy with another description is one, too. */
export function hookedTool(copy: object): HookedTool | undefined {
  const { execute }: { readonly execute?: { readonly [HOOKED]?: HookedTool } } = copy;
  return execute?.[HOOKED];
}

function isHookedBy(tool: object, hooks: Hooks): boolean {
  return hookedTool(tool)?.setup.registries.some((one) => one.hooks === hooks) === true;
}

/**
 * The hooked copy of a tool under a name: these registries stand around those that it is hooked by already.
 *
 * @param run finds the run whose tool it is, where it is one run's alone
 */
export function hookAs<T extends object>(
  tool: T,
  name: string | undefined,
  outer: readonly Registry[],
  siblings: Map<string, HookedTool> = new Map(),
  run?: () => HookedRun | undefined,
): T {
  const { id, execute }: { readonly id?: unknown; readonly execute?: unknown } = tool;
  if (typeof execute !== 'function') return tool;
  const inner = hookedTool(tool)?.setup;
  const named = name ?? (typeof id === 'string' ? id : 'tool');
  const calls = new HookedTool({
    tool,
    execute: inner?.execute ?? ((input, context) => execute.call(tool, input, context)),
    name: named,
    registries: withInner(outer, inner?.registries ?? []),
    siblings,
    run,
  });
  siblings.set(named, calls);
  const hooked = (input: unknown, context?: CallContext): Promise<unknown> => calls.run(input, context);
  const replaced = { ...approvalFields(tool), execute: Object.assign(hooked, { [HOOKED]: calls }) };
  return markHooked(standIn(tool, replaced), tool);
}

/** The registries of both, each once: one that stands in both places is attached further out, with what it lacks there from within. */
export function withInner(outer: readonly Registry[], inner: readonly Registry[]): readonly Registry[] {
  const around = outer.map(({ hooks, settings }) => ({
    hooks,
    settings: { ...inner.find((one) => one.hooks === hooks)?.settings, ...settings },
  }));
  return [...around, ...inner.filter(({ hooks }) => !outer.some((one) => one.hooks === hooks))];
}
