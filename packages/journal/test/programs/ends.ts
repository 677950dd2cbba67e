/** A short program with a journal that keeps 30 days: one call, `hooks.close()`, and the end of the process. `away.db` fails. */
import { setTimeout } from 'node:timers/promises';
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { sqliteStore } from '@hooks/store/sqlite';
import { journal } from '../../src/index.ts';

const [, , path = ''] = process.argv;
const hooks = createHooks();
const target = path.endsWith('.db') ? { store: sqliteStore(path) } : { sink: path };
if ('store' in target && path.endsWith('away.db'))
  target.store.append = async () => {
    await setTimeout(1); // A request to a server keeps the process alive.
    throw new Error('away');
  };
hooks.use(journal({ ...target, keepDays: 30, onError: () => {} }));
await callTool(hooks, { session: hooks.session('now'), toolName: 'read', input: {} }, () => 'x');
await hooks.close();
