import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { permissions } from '@hooks/guards';

const hooks = createHooks();
hooks.use(
  permissions({
    allow: ['read_*', 'shell:cmd=git status*'],
    ask: ['shell:cmd=git push*'],
    deny: ['shell:cmd=sudo *'],
  }),
);

const session = hooks.session('example');
for (const cmd of ['git status', 'git push', 'sudo ls']) {
  const { status, reason } = await callTool(
    hooks,
    { session, toolName: 'shell', input: { cmd } },
    () => 'ran',
  );
  console.log(reason ?? status);
}
// ok
// Approval is required (shell needs approval by the rule "shell:cmd=git push*".), but there is no approver: set the adapter's `approval` option.
// Blocked (permissions/deny): shell is denied by the rule "shell:cmd=sudo *". Find another way, or ask the user.
