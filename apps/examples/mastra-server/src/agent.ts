import {
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  proceed,
  requireApproval,
} from '@hooks/core';
import { once } from '@hooks/guards';
import { hookedAgent } from '@hooks/mastra';
import type { Store } from '@hooks/store';
import type { Agent } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';

export interface User {
  readonly id: string;
}

const pay = createTool({
  id: 'pay',
  description: 'Pays somebody.',
  inputSchema: z.object({ to: z.string(), euros: z.number().positive() }),
  execute: async ({ to, euros }) => {
    console.log(`${to} got ${euros} euros.`);
    return `${to} got ${euros} euros.`;
  },
});

/** The policy: users who are signed in pay up to 1000 euros, confirm more than 100, and each payment runs once. */
function policy(store: Store): Hooks {
  const hooks = createHooks();
  hooks.use(once({ tools: 'pay', store }));
  hooks.guard(BeforeToolCall.for(pay), ({ input, principal }) => {
    if (!principal) return block('Nobody is signed in.');
    if (input.euros > 1000)
      return block(`${principal.id} may pay up to 1000 euros.`);
    return input.euros > 100
      ? requireApproval(
          `${principal.id} pays ${input.euros} euros to ${input.to}.`,
        )
      : proceed();
  });
  return hooks;
}

/** @param store of what has run; the same one for all processes */
export function bankAgent(model: MastraModelConfig, store: Store): Agent {
  return hookedAgent(
    {
      id: 'bank',
      name: 'Bank',
      instructions: 'Pay what the user asks for.',
      model,
      tools: { pay },
    },
    policy(store),
    {
      approval: 'native',
      principal: (context) => context.get('user') as User | undefined,
    },
  );
}
