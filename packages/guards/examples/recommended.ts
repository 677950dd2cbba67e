import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { recommended } from '@hooks/guards';

const hooks = createHooks();
hooks.use(recommended());

const session = hooks.session('example');
const call = {
  session,
  toolName: 'read',
  input: { path: 'node_modules/../.env' },
};
const { status, reason } = await callTool(hooks, call, () => 'API_KEY=…');
console.log(status, reason);
