import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { commandSafety } from '@hooks/guards';

const hooks = createHooks();
hooks.use(commandSafety());

const session = hooks.session('example');
for (const command of [
  'git commit -m "rm -rf / is bad"',
  'npm ci && D=~ && sudo bash -c "r\\m -rf $D/*"',
]) {
  const outcome = await callTool(
    hooks,
    { session, toolName: 'exec', input: { command } },
    () => 'ran',
  );
  console.log(outcome.reason ?? outcome.output);
}
// ran
// Blocked (filesystem/delete): `r\m -rf ~/*`. This would delete the home folder. Name the files or the folder inside the project that should go, for example `rm -rf ./dist`; never a root, a home or `*`.
