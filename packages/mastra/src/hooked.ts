import type { Hooks } from '@hooks/core';
import { Agent, type AgentConfig, type ToolsInput } from '@mastra/core/agent';
import { attachTo } from './attach.ts';
import { composeHooks } from './compose-hooks.ts';
import { hookTools } from './hook-tool.ts';
import { nativeHooks } from './native-hooks.ts';
import type { HookedOptions } from './options.ts';

/**
 * Hooks a whole agent: takes what `new Agent` takes and returns the agent, all of whose tools, prompts and model calls
 * go through the hooks. An agent and not a config comes back, because what one run is given (`generate(…, { hooks,
 * inputProcessors, toolsets })`) displaces what a config says; only where the run starts can the two be merged.
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
  TRequestContext = unknown,
>(
  config: AgentConfig<TAgentId, TTools, TOutput, TRequestContext>,
  hooks: Hooks,
  options: HookedOptions = {},
): Agent<TAgentId, TTools, TOutput, TRequestContext> {
  const toolNames = new Set<string>();
  const attachment = { hooks, options, ownHooks: config.hooks, toolNames };
  const gate = nativeHooks({ hooks, options, wraps: (name) => toolNames.has(name) });
  const { tools } = config;
  const hookAll = (all: TTools): TTools => {
    for (const name of Object.keys(all)) toolNames.add(name);
    return hookTools(all, hooks, options);
  };
  const agent = new Agent<TAgentId, TTools, TOutput, TRequestContext>({
    ...config,
    hooks: composeHooks(attachment, gate, config.hooks ?? {}),
    ...(tools && {
      tools: typeof tools === 'function' ? async (context) => hookAll(await tools(context)) : hookAll(tools),
    }),
  });
  attachTo(agent, attachment);
  return agent;
}
