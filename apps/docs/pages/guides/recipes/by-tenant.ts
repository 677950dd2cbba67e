import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { once, rateLimit, requirePrincipal } from '@hooks/guards';
import { memoryStore } from '@hooks/store';

const store = memoryStore(); // Postgres, Redis or SQLite between processes
const hooks = createHooks();

// Two calls an hour for each tenant, whoever of its users makes them.
hooks.use(requirePrincipal({ tenant: true }));
hooks.use(
  rateLimit({
    toolCalls: 2,
    windowMs: 3_600_000,
    store,
    key: ({ principal }) => principal?.tenant ?? '',
  }),
);

// A payment runs once, even if the request is sent again or resumed twice.
hooks.use(once({ tools: 'pay', store }));

// An adapter makes these calls in your program.
const pay = async (id: string, tenant: string, callId: string) => {
  const session = hooks.session(`chat-of-${id}`, { principal: { id, tenant } });
  const call = { session, toolName: 'pay', callId, input: { euros: 5 } };
  const { output, reason } = await callTool(hooks, call, () => {
    console.log('paying for', id);
    return 'paid';
  });
  console.log(`${id}: ${reason ?? output}`);
};
await pay('ann', 'acme', 'call-1');
await pay('ann', 'acme', 'call-1'); // the same call again
await pay('bob', 'acme', 'call-2');
await pay('ann', 'acme', 'call-3'); // the third of acme
await pay('eve', 'globex', 'call-4');
