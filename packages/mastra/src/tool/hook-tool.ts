import { type Hooks, markHooked } from '@hooks/core';
import type { AskOuter } from '@hooks/core/tool-call';
import { approvalFields } from '../approval/own-approval.ts';
import type { HookToolOptions } from '../options.ts';
import type { Attachment, Run } from '../run/run.ts';
import { ToolCalls } from './call.ts';
import type { CallContext } from './context.ts';

/**
 * Hooks a bare tool: for workflow steps, an `MCPServer`, a network, an agent of your own, direct calls.
 *
 * @param tool made by `createTool`, by an MCP client, or by the AI SDK; it is left as it is
 * @returns a copy of the same class, with its schemas, types and options. Hooking it again with the same `hooks` gives
 *   it back; other hooks nest around it. A tool without `execute` has nothing to hook and is returned itself.
 * @example
 * ```ts
 * const step = createStep(hookTool(deploy, hooks));
 * ```
 */
export function hookTool<T extends object>(tool: T, hooks: Hooks, options: HookToolOptions = {}): T {
  return hookAs(tool, undefined, { hooks, options });
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
  return hookAll(tools, { hooks, options }, (key) => key);
}

/** The same, where the model knows the tools by other names than their keys. */
export function hookAll<R extends Readonly<Record<string, object>>>(
  tools: R,
  attachment: Attachment,
  nameOf: (key: string) => string,
): R {
  const siblings = new Map<string, ToolCalls>();
  const copies: Record<string, object> = {};
  for (const [key, tool] of Object.entries(tools))
    copies[key] = hookAs(tool, nameOf(key), attachment, siblings);
  // The same keys with copies of the same types, which Object.entries forgets.
  return copies as R;
}

/** By the `execute` of a copy: what is made of a copy with another description is one, too. */
const callsOf: WeakMap<object, ReadonlyMap<Hooks, ToolCalls>> = new WeakMap();

/** The calls behind a copy that these hooks have hooked. */
export function toolCallsOf(copy: object, hooks: Hooks): ToolCalls | undefined {
  return allCallsOf(copy)?.get(hooks);
}

function allCallsOf(copy: object): ReadonlyMap<Hooks, ToolCalls> | undefined {
  const { execute }: { readonly execute?: unknown } = copy;
  return typeof execute === 'function' ? callsOf.get(execute) : undefined;
}

/** The hooked copy of a tool under a name; `run` is the one whose tool it is, where it is one run's alone. */
export function hookAs<T extends object>(
  tool: T,
  name: string | undefined,
  { hooks, options }: Attachment,
  siblings: Map<string, ToolCalls> = new Map(),
  run?: Run,
): T {
  if (toolCallsOf(tool, hooks) !== undefined) return tool;
  const { id, execute }: { readonly id?: unknown; readonly execute?: unknown } = tool;
  if (typeof execute !== 'function') return tool;
  const named = name ?? (typeof id === 'string' ? id : 'tool');
  const calls = new ToolCalls({
    tool,
    execute: (input, context, outer) =>
      allCallsOf(tool) === undefined
        ? execute.call(tool, input, context)
        : execute.call(tool, input, context, outer),
    name: named,
    hooks,
    options,
    siblings,
    run,
  });
  siblings.set(named, calls);
  const descriptors = Object.getOwnPropertyDescriptors(tool);
  const hooked = (input: unknown, context?: CallContext, outer?: AskOuter): Promise<unknown> =>
    calls.run(input, context, typeof outer === 'function' ? outer : undefined);
  const own: PropertyDescriptor = { value: hooked, enumerable: true, configurable: true, writable: true };
  const copy: T = Object.create(Object.getPrototypeOf(tool), { ...descriptors, execute: own });
  Object.assign(copy, approvalFields(tool));
  callsOf.set(hooked, new Map([...(allCallsOf(tool) ?? []), [hooks, calls]]));
  return markHooked(copy, tool);
}
