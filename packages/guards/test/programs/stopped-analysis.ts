import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { recommended, sensitivePaths } from '@hooks/guards';

/* Prints what becomes of some commands. */
const hooks = createHooks();
const timeoutMs = 2000;
hooks.use(
  recommended({ commandSafety: { timeoutMs, workingTree: '/nowhere' }, sensitivePaths: { timeoutMs } }),
);
const onlyPaths = createHooks();
onlyPaths.use(sensitivePaths({ timeoutMs }));

const calls = ['ls', 'endless', 'git reset --hard', 'rm -rf ~'].map((command) => ({ hooks, command }));
const ofPaths = ['ls', 'endless', 'cp a ~/.ssh/id_rsa'].map((command) => ({ hooks: onlyPaths, command }));
for (const { hooks, command } of [...calls, ...ofPaths]) {
  const session = hooks.session('s');
  const { status, reason } = await callTool(
    hooks,
    { session, toolName: 'exec', input: { command } },
    () => '',
  );
  console.log(status, reason ?? '');
}
