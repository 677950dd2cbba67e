import { BeforeToolCall, createHooks, requireApproval } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { memoryStore } from '@hooks/store';
import {
  forgetApproval,
  listRememberedApprovals,
  rememberApprovals,
} from '@hooks/store/approvals';

const store = memoryStore();
const hooks = createHooks();
hooks.use(rememberApprovals({ store }));
hooks.on(BeforeToolCall, () => requireApproval('It runs a command.'));

let asked = 0;
const run = (command: string) => {
  const session = hooks.session();
  // What is remembered belongs to the user. Calls without one share nothing.
  const principal = { id: 'ada' };
  const call = { session, principal, toolName: 'shell', input: { command } };
  return callTool(hooks, call, () => 'ran', {
    approval: () => {
      asked++;
      const matching = { command: 'npm run *' };
      return { decision: 'allow', remember: 'always', matching };
    },
  });
};
await run('npm run test');
await run('npm run build');
console.log(asked); // 1

const [remembered] = await listRememberedApprovals(store);
if (remembered) await forgetApproval(store, remembered.id);
await run('npm run build');
console.log(asked); // 2
