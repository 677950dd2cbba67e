import type { Hooks } from '@hooks/core';
import { Attachment, blockReasonWith } from '@hooks/core/adapter';
import type { Agent } from '@openai/agents';
import { isFunctionTool, type SdkAgent, type SdkTool } from './internals.ts';
import { type HookedOptions, type HookToolOptions, OF_AGENTS, OF_TOOLS, type Registries } from './options.ts';
import { supports } from './supports.ts';
import { attachTo } from './tool/agent-tools.ts';
import { hook, hookedToolOf } from './tool/call.ts';
import { refuseUnseen } from './tool/other-tools.ts';

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
 * const agent = attachHooks(new Agent({ name: 'Clerk', tools: [shell] }), hooks);
 * ```
 */
export function attachHooks<A extends SdkAgent>(
  agent: A,
  hooks: Hooks,
  options: HookedOptions<ContextOf<A>> = {},
): A {
  const attached: Registries = Attachment.of(hooks, options, {
    of: 'attachHooks',
    takes: OF_AGENTS,
    supports,
  });
  for (const tool of agent.tools) if (!isFunctionTool(tool)) refuseUnseen(tool, attached, agent.name);
  attachTo(agent, attached);
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
  return hooked(tool, Attachment.of(hooks, options, { of: 'hookTool', takes: OF_TOOLS, supports }));
}

/** Hooks several tools, in a list or under names: see {@link hookTool}. */
export function hookTools<T extends readonly SdkTool[] | { readonly [name: string]: SdkTool }>(
  tools: T,
  hooks: Hooks,
  options: HookToolOptions = {},
): T {
  const attached: Registries = Attachment.of(hooks, options, { of: 'hookTools', takes: OF_TOOLS, supports });
  const copies = Array.isArray(tools)
    ? tools.map((tool: SdkTool) => hooked(tool, attached))
    : Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, hooked(tool, attached)]));
  // Each is a copy of the tool in its place, so the shape is that of what was given.
  return copies as T;
}

function hooked<T extends SdkTool>(tool: T, attached: Registries): T {
  if (!isFunctionTool(tool)) {
    refuseUnseen(tool, attached);
    return tool;
  }
  attached.declare({ supports, tools: [tool.name] });
  const known = hookedToolOf(tool)?.standing ?? Attachment.none;
  if (attached.around(known) === known) return tool;
  return hook(tool, attached, { kind: 'function' }).copy(false);
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
