import type { Hooks } from '@hooks/core';
import { attachAdapter } from '@hooks/core/adapter';
import { Agent, type AgentConfig, type AgentEditorConfig, type ToolsInput } from '@mastra/core/agent';
import { type AgentAttachment, attachTo } from './attach.ts';
import { isForkable, modelName } from './internals.ts';
import { type HookedOptions, toolOptions } from './options.ts';
import { durableSupports, isDurable } from './run/durable.ts';
import { hookedCopy, hookForks, hookSubagents, hookWhole } from './run/subagents.ts';
import { supports } from './supports.ts';
import { ToolBelt } from './tool/belt.ts';

/**
 * Hooks a whole agent: takes what `new Agent` takes and returns the agent, all of whose tools, prompts and model calls
 * go through the hooks. An agent and not a config comes back, because what one run is given (`generate(…, { hooks,
 * inputProcessors, toolsets })`) displaces what a config says; only where the run starts can the two be merged.
 *
 * An agent that was made already is copied and left as it is, and so are the sub-agents in `agents`. Hooked again by the
 * same `hooks` it is given back; other hooks nest around it.
 *
 * @throws HooksError `UNSUPPORTED_EVENT` where a refusing hook is registered on an event that Mastra does not have
 * @example
 * ```ts
 * const agent = hooked({ id: 'ops', name: 'Ops', instructions: '…', model, tools: { deploy } }, hooks);
 * await agent.generate('Deploy it.');
 * ```
 */
export function hooked<A extends AnyMastraAgent>(agent: A, hooks: Hooks, options?: HookedOptions): A;
export function hooked<
  TAgentId extends string = string,
  TTools extends ToolsInput = ToolsInput,
  TOutput = undefined,
  TRequestContext extends Record<string, unknown> | unknown = UnsetContext,
  TEditor extends AgentEditorConfig | undefined = AgentEditorConfig | undefined,
>(
  config: AgentConfig<TAgentId, TTools, TOutput, TRequestContext, TEditor>,
  hooks: Hooks,
  options?: HookedOptions,
): Agent<TAgentId, TTools, TOutput, TRequestContext, TEditor>;
export function hooked(target: object, hooks: Hooks, options: HookedOptions = {}): object {
  const { allowUnsupported } = options;
  const { tools, durable }: { readonly tools?: unknown; readonly durable?: unknown } = target;
  attachAdapter(hooks, {
    supports: durable || (isForkable(target) && isDurable(target)) ? durableSupports : supports,
    ...(allowUnsupported && { allowUnsupported }),
    ...(typeof tools === 'object' && tools !== null && { tools: Object.keys(tools).map(modelName) }),
  });
  if (isForkable(target)) return hookedCopy(target, hooks, options);
  // The overloads say that what is no agent is the config of one.
  return hookedAgent(target as AgentConfig, hooks, options);
}

function hookedAgent(config: AgentConfig, hooks: Hooks, options: HookedOptions): Agent {
  const { tools, agents, signals, goal } = config;
  // These bring tools along that the config does not list.
  if (signals !== undefined || goal !== undefined) return hookWhole(new Agent(config), hooks, options);
  const inPlace = toolOptions(options);
  const belt = new ToolBelt({ hooks, options: inPlace });
  const attachment: AgentAttachment = {
    hooks,
    options: inPlace,
    settings: options,
    tools: belt,
    listsTools: isFunction(tools),
  };
  const agent = new Agent({
    ...config,
    ...(tools && { tools: mapDynamic(tools, (all) => belt.hook(all)) }),
    ...(agents && { agents: mapDynamic(agents, (all) => hookSubagents(all, hooks, options)) }),
  });
  attachTo(agent, attachment);
  hookForks(agent, hooks, options);
  return agent;
}

/** An agent of Mastra's, whatever its type parameters: they are invariant. */
export interface AnyMastraAgent {
  readonly id: string;
  readonly name: string;
  __fork(): object;
}

/** What `new Agent` takes where no request context is declared. */
type UnsetContext =
  Agent extends Agent<infer _Id, infer _Tools, infer _Output, infer Context> ? Context : never;

type Dynamic<T, Context> = T | ((context: Context) => T | Promise<T>);

function mapDynamic<T, Context>(value: Dynamic<T, Context>, map: (value: T) => T): Dynamic<T, Context> {
  return isFunction(value) ? async (context) => map(await value(context)) : map(value);
}

function isFunction<T, Context>(value: Dynamic<T, Context>): value is (context: Context) => T | Promise<T> {
  return typeof value === 'function';
}
