import type { Hooks } from '@hooks/core';
import { attachmentsOf, attachTo } from './attach.ts';
import { type Forkable, isForkable } from './internals.ts';
import { type HookedOptions, toolOptions } from './options.ts';
import { ToolBelt } from './tool-belt.ts';

/** Copies of the agents, hooked. An own implementation of `SubAgent` stays as it is. */
export function hookSubagents<R extends Readonly<Record<string, object>>>(
  agents: R,
  hooks: Hooks,
  options: HookedOptions,
): R {
  const copies = Object.entries(agents).map(([name, agent]) => [
    name,
    isForkable(agent) ? hookedCopy(agent, hooks, options) : agent,
  ]);
  // The same keys with copies of the same types, which Object.entries forgets.
  return Object.fromEntries(copies) as R;
}

/** A copy of the agent, hooked; the agent itself where these hooks are attached to it already. */
export function hookedCopy(agent: Forkable, hooks: Hooks, options: HookedOptions): Forkable {
  const earlier = attachmentsOf(agent);
  if (earlier.some((attachment) => attachment.hooks === hooks)) return agent;
  const copy = agent.__fork();
  for (const attachment of earlier) attachTo(copy, attachment);
  const inPlace = toolOptions(options);
  const tools = new ToolBelt({ hooks, options: inPlace });
  copy.__setTools(async (context) => tools.hook(await agent.listTools(context)));
  const ownHooks = earlier.length > 0 ? earlier[0]?.ownHooks : agent.getConfiguredToolHooks();
  attachTo(copy, { hooks, options: inPlace, settings: options, ownHooks, tools, listsTools: true });
  return copy;
}
