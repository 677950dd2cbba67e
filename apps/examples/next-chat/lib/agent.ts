import { hookedAgent } from '@hooks/ai-sdk';
import {
  BeforeToolCall,
  block,
  createHooks,
  type Principal,
  proceed,
  requireApproval,
  UserPromptSubmit,
} from '@hooks/core';
import { type InferUITools, tool, type UIMessage } from 'ai';
import { z } from 'zod';
import { model } from './model.ts';
import { secret } from './secret.ts';

/** Who has ordered what. In place of a database. */
export const orders = new Map([
  ['7', 'ann'],
  ['8', 'bob'],
]);

const Order = z.object({ order: z.string() });
const tools = {
  cancelOrder: tool({
    description: 'Cancels an order.',
    inputSchema: Order,
    execute: async ({ order }) =>
      orders.delete(order) ? `Order ${order} is canceled.` : 'No such order.',
  }),
};

/** The policy: customers cancel their own orders, after a look at what they cancel. */
const hooks = createHooks();
hooks.guard(UserPromptSubmit, ({ prompt }) =>
  /\b(?:\d[ -]?){13,19}\b/.test(prompt)
    ? block('Do not send card numbers.')
    : proceed(),
);
hooks.guard(
  BeforeToolCall.matching('cancelOrder', Order),
  ({ principal, input }) =>
    principal !== undefined && orders.get(input.order) === principal.id
      ? requireApproval(`Cancel order ${input.order}?`)
      : block('You have no such order.'),
);

/** A message of the chat, with the parts of its tools. */
export type ChatMessage = UIMessage<unknown, never, InferUITools<typeof tools>>;

/** The agent for one request of a user. An approval counts for this user in this chat. */
export const agentFor = (user: Principal, chat: string) =>
  hookedAgent<never, typeof tools>(
    {
      model,
      tools,
      instructions: 'You cancel orders.',
      // Signs what is asked, so that a page cannot change what a person approved.
      experimental_toolApprovalSecret: secret('APPROVAL_SECRET'),
    },
    hooks,
    {
      approval: 'native',
      principal: () => user,
      session: () => `${user.id}/${chat}`,
    },
  );
