import './in-a-new-folder.ts';
// #region agent
import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createHooks } from '@hooks/core';
import { journal } from '@hooks/journal';

const key = createPrivateKey(readFileSync('journal.key'));
const log = journal({ sink: '.hooks/journal', key });
const hooks = createHooks();
hooks.use(log);
// #endregion

const { callTool } = await import('@hooks/core/tool-call');
const call = { session: hooks.session(), toolName: 'search', input: {} };
console.log((await callTool(hooks, call, () => 'found')).status); // ok
await hooks.close();
await log.close();
