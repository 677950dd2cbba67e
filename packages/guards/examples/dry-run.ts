import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { commandSafety, dryRun } from '@hooks/guards';

const hooks = createHooks();
hooks.use(
  dryRun(commandSafety(), ({ provider, decision }) =>
    console.log(provider, decision?.kind),
  ),
);

const call = {
  session: hooks.session('example'),
  toolName: 'exec',
  input: { command: 'rm -rf /' },
};
console.log((await callTool(hooks, call, () => 'a harmless stand-in')).output);
// command-safety block
// a harmless stand-in
