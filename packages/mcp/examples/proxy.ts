import { BeforeToolCall, block, createHooks, proceed } from '@hooks/core';
import { hideTools, proxy } from '@hooks/mcp';

const hooks = createHooks();
hooks.use(hideTools('write_.*|edit_.*|move_.*'));
hooks.guard(BeforeToolCall.matching('read_.*'), ({ input }) => {
  const { path } = input as { readonly path?: string };
  return path?.endsWith('.env') ? block('Read no .env files.') : proceed();
});

await proxy({
  hooks,
  upstream: {
    command: 'npx',
    args: ['@modelcontextprotocol/server-filesystem', '.'],
  },
});
