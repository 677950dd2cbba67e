import { type Hooks, markHooked } from '@hooks/core';
import { Attachment, noteHookedAgain, standIn } from '@hooks/core/adapter';
import { approvalFields } from '../approval/own-approval.ts';
import { type HookToolOptions, OF_TOOLS } from '../options.ts';
import type { Registries } from '../registries.ts';
import type { HookedRun } from '../run/run.ts';
import { supports } from '../supports.ts';
import { HookedTool } from './call.ts';
import type { CallContext } from './context.ts';

/**
 * Hooks a bare tool: for workflow steps, an `MCPServer`, a network, an agent of your own, direct calls.
 *
 * @param tool made by `createTool`, by an MCP client, or by the AI SDK; it is left as it is
 * @returns a copy of the same class, with its schemas, types and options. Hooking it again with the same `hooks` and
 *   options gives it back; other hooks are added around those it has. A tool without `execute` has nothing to hook and is returned itself.
 * @throws HooksError `UNSUPPORTED_EVENT` where a refusing hook is registered on an event that Mastra does not have
 * @example
 * ```ts
 * const step = createStep(hookTool(deploy, hooks));
 * ```
 */
export function hookTool<T extends object>(tool: T, hooks: Hooks, options: HookToolOptions = {}): T {
  const tools = 'execute' in tool ? [idOf(tool)] : [];
  const registries: Registries = Attachment.of(hooks, options, {
    of: 'hookTool',
    takes: OF_TOOLS,
    supports,
    tools,
  });
  if (isHookedBy(tool, registries)) return tool;
  noteHookedAgain(hookedTool(tool));
  return hookAs(tool, undefined, registries);
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
  const declared = { of: 'hookTools', takes: OF_TOOLS, supports, tools: Object.keys(tools) };
  const registries: Registries = Attachment.of(hooks, options, declared);
  if (Object.values(tools).every((tool) => isHookedBy(tool, registries))) return tools;
  for (const tool of Object.values(tools)) noteHookedAgain(hookedTool(tool));
  return hookAll(tools, registries, (key) => key);
}

/** The same, if the model knows the tools by names other than their keys. */
export function hookAll<R extends Readonly<Record<string, object>>>(
  tools: R,
  registries: Registries,
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

/** Whether hooking the tool once more with this registry and its options would change nothing. */
function isHookedBy(tool: object, registries: Registries): boolean {
  const known = hookedTool(tool)?.setup.registries;
  return known !== undefined && registries.around(known) === known;
}

function idOf(tool: object): string {
  const { id }: { readonly id?: unknown } = tool;
  return typeof id === 'string' ? id : 'tool';
}

/**
 * The hooked copy of a tool under a name: these registries stand around those that it is hooked by already.
 *
 * @param run finds the run whose tool it is, where it is one run's alone
 */
export function hookAs<T extends object>(
  tool: T,
  name: string | undefined,
  outer: Registries,
  siblings: Map<string, HookedTool> = new Map(),
  run?: () => HookedRun | undefined,
): T {
  const { execute }: { readonly execute?: unknown } = tool;
  if (typeof execute !== 'function') return tool;
  const inner = hookedTool(tool)?.setup;
  const named = name ?? idOf(tool);
  const calls = new HookedTool({
    tool,
    execute: inner?.execute ?? ((input, context) => execute.call(tool, input, context)),
    name: named,
    registries: inner === undefined ? outer : outer.around(inner.registries),
    siblings,
    run,
  });
  siblings.set(named, calls);
  const hooked = (input: unknown, context?: CallContext): Promise<unknown> => calls.run(input, context);
  const { toModelOutput }: { readonly toModelOutput?: unknown } = tool;
  const replaced = {
    ...approvalFields(tool),
    execute: Object.assign(hooked, { [HOOKED]: calls }),
    ...(typeof toModelOutput === 'function' && {
      toModelOutput: calls.foreign.withoutThese((output) => toModelOutput.call(tool, output)),
    }),
  };
  return markHooked(standIn(tool, replaced), tool);
}
