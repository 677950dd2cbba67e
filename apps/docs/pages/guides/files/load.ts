import { loadHooks } from '@hooks/config';
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';

const hooks = createHooks();
hooks.use(await loadHooks('hooks.yaml', { trust: true }));

// With a framework: createHookedAgent(params, hooks), and so on.
const session = hooks.session('chat-1');
for (const command of ['git push --force', 'rm -rf /']) {
  const { message } = await callTool(
    hooks,
    { session, toolName: 'bash', input: { command } },
    () => 'ran',
  );
  console.log(message);
}
await hooks.close();
