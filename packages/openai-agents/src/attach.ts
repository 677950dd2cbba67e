import type { Hooks } from '@hooks/core';
import { blockReasonWith, joinRegistries } from '@hooks/core/adapter';
import type { Agent } from '@openai/agents';
import { isFunctionTool, type SdkAgent, type SdkTool } from './internals.ts';
import type { HookedOptions, HookToolOptions } from './options.ts';
import { type Registry, registryOf, tellTools } from './registries.ts';
import { attachTo } from './tool/agent-tools.ts';
import { hookedToolOf } from './tool/call.ts';
import { hook, hookedCopy } from './tool/copy.ts';
import { refuseUnseen } from './tool/unsupported.ts';

/**
 * Hooks an agent, in place: whoever runs it, its tools, its MCP tools and those of its agents-as-tools go through the
 * hooks. An agent that it hands off to is to be attached by itself. Prompts, model calls and the ends of runs are the
 * runner's, see `hookedRunner`, which attaches by itself.
 *
 * @returns the agent
 * @throws HooksError `UNSUPPORTED_EVENT` where a refusing hook is registered on what cannot be refused here: an event,
 *   or a tool of the agent that is no function
 * @example
 * ```ts
 * const agent = attach(new Agent({ name: 'Clerk', tools: [shell] }), hooks);
 * ```
 */
export function attach<A extends SdkAgent>(
  agent: A,
  hooks: Hooks,
  options: HookedOptions<ContextOf<A>> = {},
): A {
  const registry = registryOf(hooks, options);
  for (const tool of agent.tools) if (!isFunctionTool(tool)) refuseUnseen(tool, [registry], agent.name);
  attachTo(agent, registry);
  return agent;
}

/** The context that runs of an agent are given. */
type ContextOf<A> = A extends Agent<infer Context, infer _Output> ? Context : unknown;

/**
 * Hooks a single tool. It keeps its name, types, schema and options; the given tool stays as it is. Tools that the
 * provider runs are returned unchanged.
 *
 * @throws HooksError `UNSUPPORTED_EVENT`
 * @example
 * ```ts
 * const agent = new Agent({ name: 'Clerk', tools: [hookTool(shell, hooks)] });
 * ```
 */
export function hookTool<T extends SdkTool>(tool: T, hooks: Hooks, options: HookToolOptions = {}): T {
  return hooked(tool, registryOf(hooks, options));
}

/** Hooks several tools, in a list or under names: see {@link hookTool}. */
export function hookTools<T extends readonly SdkTool[] | { readonly [name: string]: SdkTool }>(
  tools: T,
  hooks: Hooks,
  options: HookToolOptions = {},
): T {
  const registry = registryOf(hooks, options);
  const copies = Array.isArray(tools)
    ? tools.map((tool: SdkTool) => hooked(tool, registry))
    : Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, hooked(tool, registry)]));
  // Each is a copy of the tool in its place, so the shape is that of what was given.
  return copies as T;
}

function hooked<T extends SdkTool>(tool: T, registry: Registry): T {
  if (!isFunctionTool(tool)) {
    refuseUnseen(tool, [registry]);
    return tool;
  }
  tellTools([registry], [tool.name]);
  const known = hookedToolOf(tool)?.standing ?? [];
  if (known.length > 0 && joinRegistries([registry], known) === known) return tool;
  return hookedCopy(hook(tool, [registry], { kind: 'function' }), false);
}

/**
 * Why a hook refused: the run, for a result or an error of a run; the call, for the `RunContext` or the `details` that
 * a bare tool was invoked with. Undefined where no hook did.
 *
 * @example
 * ```ts
 * const result = await runner.run(agent, 'Delete everything.').catch((error) => error);
 * console.log(blockReason(result));
 * ```
 */
export const blockReason: (resultOrError: unknown) => string | undefined = blockReasonWith((result) =>
  'state' in result ? blockReason(result.state) : undefined,
);
