import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { hookedAgent } from '@hooks/ai-sdk';
import { createHooks } from '@hooks/core';
import { tool } from 'ai';
import { z } from 'zod';
import { accessPolicy } from './policy.ts';

const openai = createOpenAICompatible({
  name: 'openai',
  baseURL: process.env['OPENAI_BASE_URL'] ?? 'https://api.openai.com/v1',
  apiKey: process.env['OPENAI_API_KEY'] ?? '',
});

const refund = tool({
  description: 'Refunds an order.',
  inputSchema: z.object({ id: z.string() }),
  execute: async ({ id }) => `refunded order ${id}`,
});

const User = z.object({
  id: z.string(),
  roles: z.array(z.string()),
  tenant: z.string(),
});

const hooks = createHooks();
hooks.use(accessPolicy);

/** An agent for the user of one request. */
const agentFor = (runtimeContext: z.infer<typeof User>) =>
  hookedAgent(
    {
      model: openai('gpt-5'),
      tools: { refund_order: refund },
      runtimeContext,
    },
    hooks,
    { principal: ({ runtimeContext }) => User.safeParse(runtimeContext).data },
  );

const ann = { id: 'ann', roles: ['viewer'], tenant: 'acme' };
const { steps } = await agentFor(ann).generate({ prompt: 'Refund order 7.' });
for (const part of steps.flatMap(({ content }) => content))
  if (part.type === 'tool-error') console.log(String(part.error));
// ann may not use refund_order.
