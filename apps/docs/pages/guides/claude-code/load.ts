import { loadHooks } from '@hooks/config';
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';

const hooks = createHooks();
hooks.use(await loadHooks('settings.json', { trust: true }));

const call = {
  session: hooks.session('chat-1'),
  toolName: 'shell',
  input: { cmd: 'git push origin main' },
};
const { status, message } = await callTool(hooks, call, () => 'pushed');
console.log(status, message);
await hooks.close();
