import {
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  type Principal,
  proceed,
  requireApproval,
  UserPromptSubmit,
} from '@hooks/core';
import { Agent, type AgentOptions, tool } from '@openai/agents';
import { z } from 'zod';

const refund = tool({
  name: 'refund',
  description: 'Refunds an order.',
  parameters: z.object({ order: z.string(), euros: z.number().positive() }),
  execute: async ({ order, euros }) => `Refunded ${euros} euros for ${order}.`,
});

/** @param model the one that the SDK uses by default unless given, which needs `OPENAI_API_KEY` */
export function clerk(
  model?: AgentOptions<Principal>['model'],
): Agent<Principal> {
  return new Agent<Principal>({
    name: 'Clerk',
    instructions: 'You refund orders.',
    tools: [refund],
    ...(model && { model }),
  });
}

/** The policy: clerks refund, a second person approves large refunds, and no card number reaches the model. */
export function policy(): Hooks {
  const hooks = createHooks();
  hooks.guard(UserPromptSubmit, ({ prompt }) =>
    /\b(?:\d[ -]?){13,19}\b/.test(prompt)
      ? block('Do not send card numbers.')
      : proceed(),
  );
  hooks.guard(BeforeToolCall.for(refund), ({ principal, input }) => {
    if (!principal?.roles?.includes('clerk'))
      return block('Only clerks refund orders.');
    return input.euros > 100
      ? requireApproval(`Refunds ${input.euros} euros.`, { by: 'person' })
      : proceed();
  });
  return hooks;
}
