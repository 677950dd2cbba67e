import type { Hooks } from '@hooks/core';
import type { ToolHooks } from '@mastra/core/tools';
import type { AnyAgent, RunOptions } from './agent-run.ts';
import { attachmentsOf, attachTo } from './attach.ts';
import { type HookedOptions, toolOptions } from './options.ts';
import { ToolBelt } from './tool-belt.ts';

type Tools = Readonly<Record<string, object>>;

/** Any agent of Mastra's: what its `Agent` has beyond what any sub-agent must have. */
export interface HookableAgent extends AnyAgent {
  __fork(): HookableAgent;
  __setTools(tools: (context: Pick<RunOptions, 'requestContext'>) => Promise<Tools>): void;
  /** Not in every version. */
  getConfiguredToolHooks?(): ToolHooks | undefined;
}

/** Copies of the agents, hooked. What is no agent of Mastra's is an own implementation, which we cannot look into. */
export function hookSubagents<R extends Readonly<Record<string, object>>>(
  agents: R,
  hooks: Hooks,
  options: HookedOptions,
): R {
  const copies = Object.entries(agents).map(([name, agent]) => [
    name,
    isHookable(agent) ? hookedCopy(agent, hooks, options) : agent,
  ]);
  // The same keys with copies of the same types, which Object.entries forgets.
  return Object.fromEntries(copies) as R;
}

/** A copy of the agent, hooked; the agent itself where these hooks are attached to it already. */
export function hookedCopy(agent: HookableAgent, hooks: Hooks, options: HookedOptions): HookableAgent {
  const earlier = attachmentsOf(agent);
  if (earlier.some((attachment) => attachment.hooks === hooks)) return agent;
  const copy = agent.__fork();
  for (const attachment of earlier) attachTo(copy, attachment);
  const inPlace = toolOptions(options);
  const tools = new ToolBelt(hooks, inPlace);
  copy.__setTools(async (context) => tools.hook(await agent.listTools(context)));
  const ownHooks = earlier.length > 0 ? earlier[0]?.ownHooks : agent.getConfiguredToolHooks?.();
  attachTo(copy, { hooks, options: inPlace, settings: options, ownHooks, tools, listsTools: true });
  return copy;
}

/** Whether it is an agent of Mastra's. */
export function isHookable(agent: object): agent is HookableAgent {
  return '__fork' in agent && '__setTools' in agent && 'listTools' in agent;
}
