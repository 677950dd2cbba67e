import type { Hooks } from '@hooks/core';
import { Attachment, after, standIn } from '@hooks/core/adapter';
import { Agent, type AgentConfig, type AgentEditorConfig, type ToolsInput } from '@mastra/core/agent';
import type { StandardSchemaWithJSON } from '@mastra/core/schema';
import { type Forkable, isForkable, modelName, replaceMethod, wrappedBy } from './internals.ts';
import { type HookedOptions, OF_AGENTS } from './options.ts';
import { hookConfigured, hookNewlyRegistered, hookOwnTools, hookVoice } from './registered.ts';
import type { Registries } from './registries.ts';
import type { HookedAgent } from './run/agent-run.ts';
import { hookMemory } from './run/compaction.ts';
import { hookRuns } from './run/hooked-run.ts';
import { guardLegacy, guardNetwork } from './run/unsupported.ts';
import { durableSubagentSupports, durableSupports, supports } from './supports.ts';
import { hookAssembly } from './tool/assembly.ts';

/**
 * Hooks a whole agent: takes what `new Agent` takes and returns the agent. Hooks see all of its tools, prompts and
 * model calls. It returns an agent and not a configuration, because options of a run (`generate(…, { hooks,
 * inputProcessors, toolsets })`) replace those of a configuration; only the agent can merge them.
 *
 * An existing agent is copied, with the sub-agents in `agents`; the originals do not change. Hooking it again with the
 * same `hooks` and options returns it; other hooks are added around the existing ones.
 *
 * @throws HooksError `UNSUPPORTED_EVENT` where a refusing hook is registered on an event that Mastra does not have
 * @example
 * ```ts
 * const agent = hookedAgent({ id: 'ops', name: 'Ops', instructions: '…', model, tools: { deploy } }, hooks);
 * await agent.generate('Deploy it.');
 * ```
 */
export function hookedAgent<A extends AnyMastraAgent>(
  agent: A,
  hooks: Hooks,
  options?: HookedOptions<RequestValues<A>>,
): A;
export function hookedAgent<
  TAgentId extends string = string,
  TTools extends ToolsInput = ToolsInput,
  TOutput = undefined,
  TRequestContext extends Record<string, unknown> | unknown = UnsetContext,
  TEditor extends AgentEditorConfig | undefined = AgentEditorConfig | undefined,
>(
  config: AgentConfig<TAgentId, TTools, TOutput, TRequestContext, TEditor>,
  hooks: Hooks,
  options?: HookedOptions<TRequestContext>,
): Agent<TAgentId, TTools, TOutput, TRequestContext, TEditor>;
export function hookedAgent(target: object, hooks: Hooks, options: HookedOptions = {}): object {
  const { tools, agents, durable }: { readonly [field in 'tools' | 'agents' | 'durable']?: unknown } = target;
  const isAgent = isForkable(target);
  const names = Object.keys(Object(tools)).map(modelName);
  const startsItself = durable || (isAgent && isDurable(target));
  const registries: Registries = Attachment.of(hooks, options, {
    of: 'hookedAgent',
    takes: OF_AGENTS,
    supports: startsItself ? durableSupports : supports,
    tools: names,
  });
  if (typeof agents === 'object')
    for (const agent of Object.values({ ...agents })) attachSubagent(Object(agent), registries);
  if (isAgent) return hookedCopy(target, registries);
  // The overloads say that what is no agent is the config of one.
  return configured(target as AgentConfig, registries);
}

/** Any Mastra agent. Its type parameters are invariant. */
export interface AnyMastraAgent {
  readonly id: string;
  readonly name: string;
  __fork(): object;
}

/** The values that an agent declares for its request context. */
type RequestValues<A> = A extends {
  readonly requestContextSchema: StandardSchemaWithJSON<infer Values> | undefined;
}
  ? Values
  : unknown;

/** What `new Agent` takes where no request context is declared. */
type UnsetContext = RequestValues<Agent>;

const HOOKED = Symbol('@hooks/mastra hooked agent');

/** How an agent is hooked. */
interface Hooking {
  readonly registries: Registries;
  /** A copy of it that is not hooked. */
  readonly fork: () => Forkable;
}

/** A copy of the agent, with these registries around those that hook it; the agent itself where they do already. */
function hookedCopy(agent: Forkable & { readonly [HOOKED]?: Hooking }, outer: Registries): Forkable {
  const { registries: inner, fork = () => agent.__fork() } = agent[HOOKED] ?? {};
  const registries = inner === undefined ? outer : outer.around(inner);
  if (registries === inner) return agent;
  const hookTools = hookNewlyRegistered(agent, registries);
  const copy = hookAgent(fork(), registries);
  hookTools([copy]);
  return copy;
}

/** Creates a hooked agent. Its tools are hooked first, because the constructor of `Agent` hands them to a `mastra` and to a voice. */
function configured(config: AgentConfig, registries: Registries): Agent {
  const tools = config.tools && hookConfigured(config.tools, registries);
  return hookAgent(new Agent(tools === undefined ? config : standIn(config, { tools })), registries);
}

/** Hooks an agent that is ours to change. */
function hookAgent<A extends Forkable>(agent: A, registries: Registries): A {
  const hookedAgent: HookedAgent = { agent, registries, runs: new Map() };
  const fork = agent.__fork.bind(agent);
  Object.defineProperty(agent, HOOKED, { value: { registries, fork } satisfies Hooking });
  // Mastra copies an agent for a stored version of it: what it copies is hooked, too.
  replaceMethod(agent, '__fork', () => {
    const copy = hookAgent(fork(), registries);
    giveVoice();
    return copy;
  });
  const inner = wrappedBy(agent);
  hookOwnTools(inner, registries);
  const giveVoice = hookVoice(inner);
  hookSubagents(inner, registries);
  if (inner !== agent) hookAssembly(inner, registries);
  hookAssembly(agent, registries);
  hookRuns(hookedAgent);
  hookMemory(hookedAgent);
  guardNetwork(hookedAgent);
  guardLegacy(hookedAgent);
  return agent;
}

/** Hooks the sub-agents that an agent lists for its runs. */
function hookSubagents(agent: Forkable, registries: Registries): void {
  const listAgents = agent.listAgents.bind(agent);
  const copies = new WeakMap<Forkable, Forkable>();
  // One copy of each agent, until it is registered in another Mastra.
  const copyOf = (subagent: Forkable): Forkable => {
    const earlier = copies.get(subagent);
    if (earlier !== undefined && earlier.getMastraInstance() === subagent.getMastraInstance()) return earlier;
    attachSubagent(subagent, registries);
    const copy = hookedCopy(subagent, registries);
    copies.set(subagent, copy);
    return copy;
  };
  replaceMethod(agent, 'listAgents', (context) => {
    const hookTools = hookNewlyRegistered(agent, registries);
    return after(listAgents(context), (agents) => {
      hookTools(Object.values(agents));
      // An own implementation of `SubAgent` stays as it is.
      return Object.fromEntries(
        Object.entries(agents).map(([name, one]) => [name, isForkable(one) ? copyOf(one) : one]),
      );
    });
  });
}

/** @throws HooksError `UNSUPPORTED_EVENT` where a refusing hook is registered on an event that does not fire in its runs */
function attachSubagent(agent: object, registries: Registries): void {
  if (!isForkable(agent) || !isDurable(agent)) return;
  registries.declare({ supports: durableSubagentSupports });
}

/** Whether Mastra starts the runs of an agent itself. */
function isDurable(agent: Forkable): boolean {
  return Boolean(agent.durable) || wrappedBy(agent) !== agent;
}
