/** A short program with a journal that keeps 30 days: one call, `hooks.close()`, and the end of the process. */
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { sqliteStore } from '@hooks/store/sqlite';
import { journal } from '../../src/index.ts';

const [, , path = ''] = process.argv;
const hooks = createHooks();
hooks.use(
  journal({ ...(path.endsWith('.db') ? { store: sqliteStore(path) } : { sink: path }), keepDays: 30 }),
);
await callTool(hooks, { session: hooks.session('now'), toolName: 'read', input: {} }, () => 'x');
await hooks.close();
