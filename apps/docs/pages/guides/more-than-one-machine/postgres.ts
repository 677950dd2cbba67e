import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { rateLimit } from '@hooks/guards';
import { postgresStore } from '@hooks/store/postgres';
import { Pool } from 'pg';

const pool = new Pool({ connectionString: process.env['DATABASE_URL'] });
pool.on('error', console.error); // without it, your process ends with the server
const store = postgresStore(pool);

const hooks = createHooks();
hooks.use(
  rateLimit({ toolCalls: 1, windowMs: 60_000, key: () => 'all', store }),
);

// An adapter makes these calls. All processes with this store share the limit.
const call = { session: hooks.session(), toolName: 'search', input: {} };
console.log((await callTool(hooks, call, () => 'found')).status); // ok
console.log((await callTool(hooks, call, () => 'found')).status); // blocked

await store.close();
await pool.end();
