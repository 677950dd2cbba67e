import { loadHooks } from '@hooks/config';
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';

const hooks = createHooks();
hooks.use(await loadHooks('agent.yaml', { trust: true }));

for (const agent of ['coder', 'writer']) {
  const call = {
    session: hooks.session(agent),
    agent,
    toolName: 'shell',
    input: { cmd: 'git push' },
  };
  const { message = 'passed' } = await callTool(hooks, call, () => 'pushed');
  console.log(`${agent}: ${message}`);
}
await hooks.close();
