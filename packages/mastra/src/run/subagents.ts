import type { Hooks } from '@hooks/core';
import { after, attachAdapter } from '@hooks/core/adapter';
import { attachmentsOf, attachTo } from '../attach.ts';
import { type Forkable, isForkable, replaceMethod, wrappedBy } from '../internals.ts';
import { type HookedOptions, toolOptions } from '../options.ts';
import { gateAssembly } from '../tool/assembly.ts';
import { ToolBelt } from '../tool/belt.ts';
import { durableSubagentSupports, isDurable } from './durable.ts';

/** Copies of the agents, hooked. An own implementation of `SubAgent` stays as it is. */
export function hookSubagents<R extends Readonly<Record<string, object>>>(
  agents: R,
  hooks: Hooks,
  options: HookedOptions,
  copyOf: (agent: Forkable) => Forkable = (agent) => hookedSubagent(agent, hooks, options),
): R {
  const copies = Object.entries(agents).map(([name, agent]) => [
    name,
    isForkable(agent) ? copyOf(agent) : agent,
  ]);
  // The same keys with copies of the same types, which Object.entries forgets.
  return Object.fromEntries(copies) as R;
}

function hookedSubagent(agent: Forkable, hooks: Hooks, options: HookedOptions): Forkable {
  const { allowUnsupported = [] } = options;
  if (isDurable(agent)) attachAdapter(hooks, { supports: durableSubagentSupports, allowUnsupported });
  return hookedCopy(agent, hooks, options);
}

/** A copy of the agent, hooked; the agent itself where these hooks are attached to it already. */
export function hookedCopy(agent: Forkable, hooks: Hooks, options: HookedOptions): Forkable {
  if (attachmentsOf(agent).some((attachment) => attachment.hooks === hooks)) return agent;
  return hookWhole(agent.__fork(), hooks, options);
}

/** Mastra copies an agent for a stored version of it: what it copies is hooked, too. */
export function hookForks(agent: Forkable, hooks: Hooks, options: HookedOptions): void {
  const fork = agent.__fork.bind(agent);
  const hookedFork = (): Forkable => hookWhole(fork(), hooks, options);
  Object.defineProperty(agent, '__fork', { value: hookedFork, configurable: true, writable: true });
}

/** Hooks an agent that is ours to change, with whatever tools and sub-agents it lists for a run. */
export function hookWhole<A extends Forkable>(agent: A, hooks: Hooks, options: HookedOptions): A {
  const inPlace = toolOptions(options);
  const tools = new ToolBelt({ hooks, options: inPlace });
  const inner = wrappedBy(agent);
  const listTools = inner.listTools.bind(inner);
  const listAgents = inner.listAgents.bind(inner);
  const copyOf = keepingCopies((sub) => hookedSubagent(sub, hooks, options));
  replaceMethod(inner, 'listTools', async (context) => tools.hook(await listTools(context)));
  replaceMethod(inner, 'listAgents', (context) =>
    after(listAgents(context), (all) => hookSubagents(all, hooks, options, copyOf)),
  );
  if (inner !== agent) gateAssembly(inner, { hooks, options: inPlace, tools });
  attachTo(agent, { hooks, options: inPlace, settings: options, tools, listsTools: true });
  hookForks(agent, hooks, options);
  return agent;
}

/** One copy of each agent, until it is registered in another Mastra. */
function keepingCopies(copyOf: (agent: Forkable) => Forkable): (agent: Forkable) => Forkable {
  const copies = new WeakMap<Forkable, Forkable>();
  return (agent) => {
    const earlier = copies.get(agent);
    if (earlier !== undefined && earlier.getMastraInstance() === agent.getMastraInstance()) return earlier;
    const copy = copyOf(agent);
    copies.set(agent, copy);
    return copy;
  };
}
