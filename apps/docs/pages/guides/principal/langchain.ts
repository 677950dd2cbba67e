import { createHooks } from '@hooks/core';
import { createHookedAgent } from '@hooks/langchain';
import { ChatOpenAI } from '@langchain/openai';
import { tool } from 'langchain';
import { z } from 'zod';
import { accessPolicy } from './policy.ts';

const refund = tool(async ({ id }) => `refunded order ${id}`, {
  name: 'refund_order',
  description: 'Refunds an order.',
  schema: z.object({ id: z.string() }),
});

const User = z.object({
  id: z.string(),
  roles: z.array(z.string()),
  tenant: z.string(),
});

const hooks = createHooks();
hooks.use(accessPolicy);
const agent = createHookedAgent(
  {
    model: new ChatOpenAI({ model: 'gpt-5' }),
    tools: [refund],
    contextSchema: User,
  },
  hooks,
  { principal: ({ context }) => User.safeParse(context).data },
);

const { messages } = await agent.invoke(
  { messages: 'Refund order 7.' },
  { context: { id: 'ann', roles: ['viewer'], tenant: 'acme' } },
);
for (const message of messages)
  if (message.type === 'tool') console.log(message.text);
// ann may not use refund_order.
