import type { Hooks } from '@hooks/core';
import { approvalPolicy } from './approval/policy.ts';
import { attachment, tellTools } from './attachment.ts';
import { isFunctionTool, type SdkAgent, type SdkTool } from './internals.ts';
import type { Attached, AttachOptions } from './options.ts';
import { attachTo } from './tool/agents.ts';
import { HookedCalls } from './tool/call.ts';
import { hookedCopy, isHooked } from './tool/hooked-copy.ts';
import { checkReach } from './tool/unsupported.ts';

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
export function attach<A extends SdkAgent>(agent: A, hooks: Hooks, options: AttachOptions = {}): A {
  const attached = attachment(hooks, options);
  for (const tool of agent.tools) if (!isFunctionTool(tool)) checkReach(tool, attached, agent.name);
  attachTo(agent, attached);
  return agent;
}

/**
 * Hooks a tool that stands for itself, or is given to an agent that is not attached. It keeps its name, types, schema
 * and options; the tool that was given is left as it is. Tools that the provider runs are returned as they are.
 *
 * @throws HooksError `UNSUPPORTED_EVENT`
 * @example
 * ```ts
 * const agent = new Agent({ name: 'Clerk', tools: [hookTool(shell, hooks)] });
 * ```
 */
export function hookTool<T extends SdkTool>(tool: T, hooks: Hooks, options: AttachOptions = {}): T {
  return hooked(tool, attachment(hooks, options));
}

/** Hooks several tools, in a list or under names: see {@link hookTool}. */
export function hookTools<T extends readonly SdkTool[] | { readonly [name: string]: SdkTool }>(
  tools: T,
  hooks: Hooks,
  options: AttachOptions = {},
): T {
  const attached = attachment(hooks, options);
  const copies = Array.isArray(tools)
    ? tools.map((tool: SdkTool) => hooked(tool, attached))
    : Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, hooked(tool, attached)]));
  // Each is a copy of the tool in its place, so the shape is that of what was given.
  return copies as T;
}

function hooked<T extends SdkTool>(tool: T, attached: Attached): T {
  if (!isFunctionTool(tool)) checkReach(tool, attached);
  if (!isFunctionTool(tool) || isHooked(tool, attached.hooks)) return tool;
  tellTools(attached, [tool.name]);
  const calls: HookedCalls<typeof tool> = new HookedCalls(tool, attached, { kind: 'function' });
  // A policy that is a function has the SDK treat malformed arguments otherwise; so only where there is one anyway.
  const asks = attached.options.approval === 'native' || tool.needsApproval.length > 0;
  return asks ? hookedCopy(calls, { needsApproval: approvalPolicy(calls) }) : hookedCopy(calls);
}
