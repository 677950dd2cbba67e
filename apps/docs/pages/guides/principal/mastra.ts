import { AfterToolCall, createHooks, type Principal } from '@hooks/core';
import { hookedAgent } from '@hooks/mastra';
import { RequestContext } from '@mastra/core/request-context';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';
import { accessPolicy } from './policy.ts';

const refund = createTool({
  id: 'refund_order',
  description: 'Refunds an order.',
  inputSchema: z.object({ id: z.string() }),
  execute: async ({ id }) => `refunded order ${id}`,
});

const hooks = createHooks();
hooks.use(accessPolicy);
hooks.observe(AfterToolCall, ({ reason }) => console.log(reason));
const agent = hookedAgent(
  {
    id: 'clerk',
    name: 'Clerk',
    instructions: 'Help.',
    model: {
      id: 'custom/gpt-5',
      url: process.env['OPENAI_BASE_URL'] ?? 'https://api.openai.com/v1',
      apiKey: process.env['OPENAI_API_KEY'] ?? '',
    },
    tools: { refund_order: refund },
  },
  hooks,
  { principal: (context) => context.get('user') as Principal | undefined },
);

const requestContext = new RequestContext();
requestContext.set('user', { id: 'ann', roles: ['viewer'], tenant: 'acme' });
await agent.generate('Refund order 7.', { requestContext });
// ann may not use refund_order.
