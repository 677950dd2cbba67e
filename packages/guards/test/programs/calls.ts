/** A process that makes calls against one limit as fast as it can, on command, and reports how many ran. */
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { sqliteStore } from '@hooks/store/sqlite';
import { rateLimit } from '../../src/index.ts';

const [, , path = ''] = process.argv;
const store = sqliteStore(path);
const hooks = createHooks();
hooks.use(rateLimit({ toolCalls: 300, windowMs: 600_000, store, key: () => 'everybody' }));

process.once('message', async () => {
  const session = hooks.session();
  let ran = 0;
  const call = async (): Promise<void> => {
    for (let time = 0; time < 40; time++)
      await callTool(hooks, { session, toolName: 'search', input: {} }, () => ran++);
  };
  await Promise.all(Array.from({ length: 8 }, call));
  process.send?.(ran);
  await store.close();
  process.disconnect();
});
process.send?.('ready');
