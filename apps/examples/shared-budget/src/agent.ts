// One of the team's agents: `node src/agent.ts ada 120` searches three times, and wants to refund 120.
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { inbox } from '@hooks/store/approvals';
import { teamPolicy } from './policy.ts';
import { close, store } from './store.ts';

const [, , name = 'agent', amount = '100'] = process.argv;
const hooks = createHooks();
hooks.use(teamPolicy(store));
const approval = inbox({ store, deadlineMs: 60_000 });

/** What the adapter of a framework does when the model calls a tool; give it `hooks` and `approval`. */
async function call(toolName: string, input: object): Promise<void> {
  const session = hooks.session(name);
  const { status, reason } = await callTool(
    hooks,
    { session, toolName, input },
    () => 'done',
    { approval },
  );
  console.log(
    `${name}: ${toolName} ${status === 'ok' ? 'done' : status}${reason === undefined ? '' : `: ${reason}`}`,
  );
}

for (const page of [1, 2, 3]) await call('search', { page });
await call('refund', { amount: Number(amount) });

await hooks.close();
await close();
