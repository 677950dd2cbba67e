import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { createSandbox, localSandbox, routeCommands } from '@hooks/sandbox';

const hooks = createHooks();
const sandbox = createSandbox(localSandbox());
hooks.use(
  routeCommands(sandbox, {
    tools: 'shell|bash',
    when: (call) => JSON.stringify(call.input).includes('curl'),
    format: (result) => ({
      ok: result.exitCode === 0,
      text: result.stdout + result.stderr,
    }),
  }),
);

const call = {
  session: hooks.session('demo'),
  toolName: 'bash',
  input: { command: 'curl -s example.com || echo offline' },
};
console.log((await callTool(hooks, call, () => 'on the host')).output);
await hooks.close();
// { ok: true, text: 'offline\n' }
