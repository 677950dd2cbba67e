import { createHooks, type Principal } from '@hooks/core';
import { hookedRunner } from '@hooks/openai-agents';
import { Agent, Runner, tool } from '@openai/agents';
import { z } from 'zod';
import { accessPolicy } from './policy.ts';

const refund = tool({
  name: 'refund_order',
  description: 'Refunds an order.',
  parameters: z.object({ id: z.string() }),
  execute: async ({ id }) => `refunded order ${id}`,
});
const agent = new Agent<Principal>({ name: 'Clerk', tools: [refund] });

const hooks = createHooks();
hooks.use(accessPolicy);
const runner = hookedRunner(new Runner(), hooks, {
  principal: (context?: Principal) => context,
});

const { newItems } = await runner.run(agent, 'Refund order 7.', {
  context: { id: 'ann', roles: ['viewer'], tenant: 'acme' },
});
for (const item of newItems)
  if (item.type === 'tool_call_output_item') console.log(item.output);
// ann may not use refund_order.
