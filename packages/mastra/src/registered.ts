import { after } from '@hooks/core/adapter';
import type { AgentConfig } from '@mastra/core/agent';
import type { ConfiguredTools } from './agent.ts';
import { type Forkable, isForkable, modelName, replaceMethod } from './internals.ts';
import type { Registries } from './registries.ts';
import { hookAll, hookAs } from './tool/hook-tool.ts';

type Voice = AgentConfig['voice'];

/** The tools of a configuration, hooked. Where they depend on the run, those of each run. */
export function hookConfigured(tools: ConfiguredTools, registries: Registries): ConfiguredTools {
  if (typeof tools !== 'function') return hookAll(tools, registries, modelName);
  // Mastra reports that there are none.
  return (context) => after(tools(context), (found) => found && hookAll(found, registries, modelName));
}

/**
 * Hooks the tools that an agent was constructed with and those that it is given later. From there Mastra takes them for
 * runs, into its own registry (`/api/tools`, stored workflows), and into the agent's voice.
 */
export function hookOwnTools(agent: Forkable, registries: Registries): void {
  const setTools = agent.__setTools.bind(agent);
  const hook = (tools: ConfiguredTools) => setTools(hookConfigured(tools, registries));
  hook(agent.__getOverridableFields().tools);
  replaceMethod(agent, '__setTools', hook);
}

/**
 * Gives the agent's hooked tools to its voice when somebody first asks for the voice: the constructor gave it the tools as they
 * were. Returns a function that gives them again, for when a copy of the agent has given the voice its own.
 */
export function hookVoice(agent: Forkable): () => void {
  let shared: Voice;
  const give = (): void => {
    const { tools } = agent.__getOverridableFields();
    if (typeof shared === 'object' && typeof tools === 'object') shared.addTools(tools);
  };
  const get = () => {
    const isFirst = shared === undefined;
    shared = Reflect.get(Object.getPrototypeOf(agent), 'voice', agent);
    if (isFirst) give();
    return shared;
  };
  Object.defineProperty(agent, 'voice', { get, configurable: true });
  const getVoice = agent.getVoice.bind(agent);
  // It gives the voice the tools that the agent lists.
  replaceMethod(agent, 'getVoice', async (context) => {
    shared = await getVoice(context);
    return shared;
  });
  return give;
}

/**
 * Hooks tools that agents put into Mastra's registry before they are hooked themselves. Call it before the agents do that, and
 * call the function that it returns with the agents afterwards. Tools that stand there already are left as they are.
 */
export function hookNewlyRegistered(
  agent: Forkable,
  registries: Registries,
): (agents: readonly object[]) => void {
  const before = { ...agent.getMastraInstance()?.listTools() };
  return (agents) => {
    const mastra = agent.getMastraInstance();
    for (const one of agents.filter(isForkable)) {
      const { tools } = one.__getOverridableFields();
      if (mastra === undefined || typeof tools !== 'object') continue;
      for (const [name, tool] of Object.entries(tools)) {
        const id = 'id' in tool && typeof tool.id === 'string' ? tool.id : name;
        const registered = mastra.listTools()?.[id];
        if (registered === undefined || id in before) continue;
        mastra.removeTool(id);
        mastra.addTool(hookAs(registered, modelName(name), registries), id);
      }
    }
  };
}
