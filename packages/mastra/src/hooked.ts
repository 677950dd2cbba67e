import type { Hooks } from '@hooks/core';
import { Agent, type AgentConfig, type AgentEditorConfig, type ToolsInput } from '@mastra/core/agent';
import { type AgentAttachment, attachTo } from './attach.ts';
import { composeHooks } from './compose-hooks.ts';
import { nativeHooks } from './native-hooks.ts';
import { type HookedOptions, toolOptions } from './options.ts';
import { hookSubagents } from './subagents.ts';
import { ToolBelt } from './tool-belt.ts';

/**
 * Hooks a whole agent: takes what `new Agent` takes and returns the agent, all of whose tools, prompts and model calls
 * go through the hooks. An agent and not a config comes back, because what one run is given (`generate(…, { hooks,
 * inputProcessors, toolsets })`) displaces what a config says; only where the run starts can the two be merged.
 *
 * Sub-agents in `agents` are hooked too, as copies; yours are left as they are.
 *
 * @throws HooksError `UNSUPPORTED_EVENT` where a refusing hook is registered on an event that Mastra does not have
 * @example
 * ```ts
 * const agent = hooked({ id: 'ops', name: 'Ops', instructions: '…', model, tools: { deploy } }, hooks);
 * await agent.generate('Deploy it.');
 * ```
 */
export function hooked<
  TAgentId extends string = string,
  TTools extends ToolsInput = ToolsInput,
  TOutput = undefined,
  TRequestContext extends Record<string, unknown> | unknown = unknown,
  TEditor extends AgentEditorConfig | undefined = AgentEditorConfig | undefined,
>(
  config: AgentConfig<TAgentId, TTools, TOutput, TRequestContext, TEditor>,
  hooks: Hooks,
  options: HookedOptions = {},
): Agent<TAgentId, TTools, TOutput, TRequestContext, TEditor> {
  const { tools, agents } = config;
  const inPlace = toolOptions(options);
  const belt = new ToolBelt(hooks, inPlace);
  const attachment: AgentAttachment = {
    hooks,
    options: inPlace,
    settings: options,
    ownHooks: config.hooks,
    tools: belt,
  };
  const hookTools = <R extends Readonly<Record<string, object>>>(all: R): R => belt.hook(all);
  const hookAgents = <R extends Readonly<Record<string, object>>>(all: R): R =>
    hookSubagents(all, hooks, options);
  // In force where the agent is run by what does not start its runs: a durable agent, a stored version, legacy models.
  const gate = nativeHooks({ ...attachment, wraps: (name) => belt.has(name) });
  const agent = new Agent<TAgentId, TTools, TOutput, TRequestContext, TEditor>({
    ...config,
    hooks: composeHooks(attachment, gate, config.hooks ?? {}),
    ...(tools && { tools: mapDynamic(tools, hookTools) }),
    ...(agents && { agents: mapDynamic(agents, hookAgents) }),
  });
  attachTo(agent, attachment);
  return agent;
}

type Dynamic<T, Context> = T | ((context: Context) => T | Promise<T>);

function mapDynamic<T, Context>(value: Dynamic<T, Context>, map: (value: T) => T): Dynamic<T, Context> {
  return isFunction(value) ? async (context) => map(await value(context)) : map(value);
}

function isFunction<T, Context>(value: Dynamic<T, Context>): value is (context: Context) => T | Promise<T> {
  return typeof value === 'function';
}
