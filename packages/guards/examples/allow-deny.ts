import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { allowTools, denyTools } from '@hooks/guards';
import { z } from 'zod';

const hooks = createHooks({ groups: { 'group:fs': ['read', 'write'] } });
hooks.use(
  allowTools({
    'group:fs': true,
    exec: z.object({ command: z.enum(['npm test', 'npm run lint']) }),
  }),
);
hooks.use(denyTools('write'));

const session = hooks.session('example');
const input = { command: 'npm test' };
for (const toolName of ['read', 'write', 'exec', 'browser']) {
  const { status, reason } = await callTool(
    hooks,
    { session, toolName, input },
    () => 'ran',
  );
  console.log(toolName, reason ?? status);
}
// read ok
// write Blocked (tools/deny): write is not allowed. Find another way, or ask the user.
// exec ok
// browser Blocked (tools/allow): browser is not among the allowed tools. Use another one.
