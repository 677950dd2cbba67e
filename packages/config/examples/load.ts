import { loadHooks } from '@hooks/config';
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';

const hooks = createHooks();
hooks.use(await loadHooks('hooks.yaml', { trust: true }));

// What the adapter of your framework does for each tool call:
const call = {
  session: hooks.session('chat-1'),
  toolName: 'bash',
  input: { command: 'git push --force' },
};
const { message } = await callTool(hooks, call, () => 'pushed');
console.log(message); // Pushing with --force is not allowed here; push without it.
await hooks.close();
