import { loadHooks } from '@hooks/config';
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';

const hooks = createHooks();
hooks.use(await loadHooks('hooks.yaml', { trust: true }));

const session = hooks.session('chat-1');
for (const path of ['notes.md', '/home/ann/.aws/credentials']) {
  // The tool of another agent.
  const call = { session, toolName: 'Read', input: { file_path: path } };
  console.log((await callTool(hooks, call, () => 'read')).status);
}
await hooks.close();
