import { createHooks, type HookProvider } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { recommended, sensitivePaths } from '@hooks/guards';

/** Prints what a guard makes of a command. All but the endless one get a minute, which is enough on a slow machine. */
async function show(guard: (timeoutMs: number) => HookProvider, command: string): Promise<void> {
  const hooks = createHooks();
  hooks.use(guard(command === 'endless' ? 500 : 60_000));
  const call = { session: hooks.session('s'), toolName: 'exec', input: { command } };
  const { status, reason } = await callTool(hooks, call, () => '');
  console.log(status, reason ?? '');
}

const both = (timeoutMs: number): HookProvider =>
  recommended({ commandSafety: { timeoutMs, workingTree: '/nowhere' }, sensitivePaths: { timeoutMs } });
const paths = (timeoutMs: number): HookProvider => sensitivePaths({ timeoutMs });

for (const command of ['ls', 'endless', 'git reset --hard', 'rm -rf ~']) await show(both, command);
for (const command of ['ls', 'endless', 'cp a ~/.ssh/id_rsa']) await show(paths, command);
