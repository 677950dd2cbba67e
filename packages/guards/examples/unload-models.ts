import { AgentSwitch, createHooks } from '@hooks/core';
import { dockerModelRunner, type Unloader, unloadModels } from '@hooks/guards';

const hooks = createHooks();
const own: Unloader = {
  handles: ({ provider }) => provider === 'llama-server',
  unload: async ({ model }) => console.log(`unloaded ${model}`),
};
hooks.use(unloadModels({ unloaders: [dockerModelRunner(), own] }));

const models = [
  { provider: 'llama-server', model: 'qwen3' },
  { provider: 'openai', model: 'gpt' },
];
const session = hooks.session('example');
await hooks.dispatch(AgentSwitch, {
  session,
  from: 'coder',
  to: 'reviewer',
  switchKind: 'handoff',
  models,
});
await hooks.settled();
// unloaded qwen3
