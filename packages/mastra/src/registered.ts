import type { AgentConfig } from '@mastra/core/agent';
import { type Forkable, isForkable, modelName, replaceMethod } from './internals.ts';
import type { Registries } from './registries.ts';
import { hookAll, hookAs } from './tool/hook-tool.ts';

type Voice = AgentConfig['voice'];
type Configured = ReturnType<Forkable['__getOverridableFields']>['tools'] | undefined;

/**
 * Hooks the tools that Mastra takes from an agent's configuration without listing them: into its own registry, from where
 * its server (`/api/tools`) and stored workflows run them without the agent, and into the agent's voice.
 */
export function hookRegistered(agent: Forkable, registries: Registries): void {
  const register = agent.__registerMastra.bind(agent);
  replaceMethod(agent, '__registerMastra', (mastra) => {
    const { tools } = agent.__getOverridableFields();
    if (typeof tools !== 'object') return register(mastra);
    agent.__setTools(hookAll(tools, registries, modelName));
    try {
      register(mastra);
    } finally {
      agent.__setTools(tools);
    }
  });
  let isGiven = false;
  const get = () => {
    const voice: Voice = Reflect.get(Object.getPrototypeOf(agent), 'voice', agent);
    // The constructor has given it the tools as they are. `getVoice` gives it those that the agent lists.
    if (!isGiven) giveTools(voice, agent.__getOverridableFields().tools, registries);
    isGiven = true;
    return voice;
  };
  Object.defineProperty(agent, 'voice', { get, configurable: true });
}

/** Gives a voice the hooked tools of an agent's configuration. */
export function giveTools(voice: Voice, tools: Configured, registries: Registries): void {
  if (typeof voice === 'object' && typeof tools === 'object')
    voice.addTools(hookAll(tools, registries, modelName));
}

/**
 * Hooks the tools that sub-agents put into Mastra's registry while an agent lists them: call it before, and its result
 * with the sub-agents. What was in the registry before belongs to whoever has registered it.
 */
export function hookNewlyRegistered(
  agent: Forkable,
  registries: Registries,
): (subagents: readonly object[]) => void {
  const before = { ...agent.getMastraInstance()?.listTools() };
  return (subagents) => {
    const mastra = agent.getMastraInstance();
    for (const subagent of subagents.filter(isForkable)) {
      const { tools } = subagent.__getOverridableFields();
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
