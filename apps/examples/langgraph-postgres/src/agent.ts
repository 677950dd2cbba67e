import {
  BeforeToolCall,
  createHooks,
  type Hooks,
  proceed,
  requireApproval,
} from '@hooks/core';
import { limits, once, requirePrincipal, validHistory } from '@hooks/guards';
import { createHookedAgent } from '@hooks/langchain';
import type { Store } from '@hooks/store';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { isGraphBubbleUp } from '@langchain/langgraph';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { createMiddleware, ToolMessage, tool } from 'langchain';
import type { Pool } from 'pg';
import { z } from 'zod';

/** The policy: 50 cents for each customer, each refund once, and a person agrees to more than 100 euros. */
function policy(store: Store): Hooks {
  const hooks = createHooks();
  hooks.use(requirePrincipal());
  const prices = { '*': { input: 1.25, output: 10 } };
  hooks.use(limits({ perKey: { cost: 0.5 }, prices, store }));
  hooks.use(once({ tools: 'refund', store }));
  hooks.guard(
    BeforeToolCall.matching('refund', z.object({ euros: z.number() })),
    ({ input }) =>
      input.euros > 100
        ? requireApproval(`A refund of ${input.euros} euros.`)
        : proceed(),
  );
  // A process that dies leaves a call without a result, and providers refuse such a thread from then on.
  hooks.use(validHistory());
  return hooks;
}

/** The model, and so the customer, reads that a call failed. The error may hold SQL, paths, or a stack. */
const hideErrors = createMiddleware({
  name: 'hide-errors',
  wrapToolCall: async (request, handler) => {
    try {
      return await handler(request);
    } catch (error) {
      if (isGraphBubbleUp(error)) throw error; // a pause
      console.error(error);
      return new ToolMessage({
        content: 'The call failed. Its input may be wrong.',
        tool_call_id: request.toolCall.id ?? '',
        status: 'error',
      });
    }
  },
});

/** The agent of the service. Its threads, budgets and claims are in Postgres, so that any process resumes any thread. */
export function supportAgent(pool: Pool, store: Store, model: BaseChatModel) {
  const refund = tool(
    async ({ order, euros }) => {
      const sql = 'insert into refunds (order_id, euros) values ($1, $2)';
      await pool.query(sql, [order, euros]);
      return `Order ${order}: ${euros} euros are paid back.`;
    },
    {
      name: 'refund',
      description: 'Pays back money for an order.',
      schema: z.object({ order: z.string(), euros: z.number().positive() }),
    },
  );
  return createHookedAgent(
    {
      model,
      tools: [refund],
      middleware: [hideErrors],
      checkpointer: new PostgresSaver(pool),
      contextSchema: z.object({ user: z.string() }),
    },
    policy(store),
    {
      approval: 'native',
      principal: ({ context }) => ({ id: context.user }),
    },
  );
}
