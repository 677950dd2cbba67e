/** Calls a tool until the journal cannot be written to, waits to be told that it can, and calls it again. */
import { once } from 'node:events';
import { mock } from 'node:test';
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { journal } from '../../src/index.ts';

const [, , sink = '', now] = process.argv;
if (now !== undefined) mock.timers.enable({ apis: ['Date'], now: new Date(now) });
const hooks = createHooks();
const log = journal({ sink, required: true, onError: () => {} });
hooks.use(log);
let made = 0;
const call = () =>
  callTool(
    hooks,
    { session: hooks.session('s'), toolName: 'pay', callId: `c${made++}`, input: { note: 'x'.repeat(300) } },
    () => 'paid',
  );
let last = await call();
while (last.status === 'ok') last = await call();
process.send?.({ made, status: last.status, reason: last.reason });
await once(process, 'message');
const after = await call();
await hooks.close();
await log.close();
process.send?.({ made, status: after.status }, () => process.disconnect());
