/** Another process: makes calls against one limit as fast as it can, when it is told to, and says how many ran. */
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import type { Store } from '@hooks/store';
import { rateLimit } from '../../src/index.ts';

const [kind = '', where = ''] = process.argv.slice(2);
const { store, end } = await open();
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
  await end();
  process.disconnect();
});
process.send?.('ready');

async function open(): Promise<{ readonly store: Store; end(): unknown }> {
  if (kind === 'redis') {
    const { createClient } = await import('redis');
    const { redisStore } = await import('@hooks/store/redis');
    const client = await createClient({ url: where }).connect();
    return { store: redisStore(client), end: () => client.destroy() };
  }
  if (kind === 'postgres') {
    const { Pool } = await import('pg');
    const { postgresStore } = await import('@hooks/store/postgres');
    const pool = new Pool({ connectionString: where });
    return { store: postgresStore(pool), end: () => pool.end() };
  }
  const { sqliteStore } = await import('@hooks/store/sqlite');
  return { store: sqliteStore(where), end: () => {} };
}
