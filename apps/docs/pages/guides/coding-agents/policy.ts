import {
  BeforeToolCall,
  block,
  type HookProvider,
  modify,
  proceed,
  requireApproval,
  TransformToolResult,
} from '@hooks/core';
import { limits, redactSecrets } from '@hooks/guards';
import { z } from 'zod';

const Refund = z.object({ order: z.string(), euros: z.number().positive() });

/** What a support agent may do. */
export const supportPolicy: HookProvider = {
  name: 'acme:support',
  version: '1',
  register(hooks) {
    hooks.use(redactSecrets());
    hooks.use(limits({ perRun: { toolCalls: 20 } }));

    hooks.guard(BeforeToolCall.matching('refund', Refund), ({ input }) => {
      if (input.euros > 500) return block('Refunds end at 500 euros.');
      if (input.euros > 100) return requireApproval('More than 100 euros.');
      return proceed();
    });

    hooks.on(TransformToolResult.matching('find_customer'), ({ output }) =>
      typeof output === 'string'
        ? modify({ output: output.replaceAll(/\d{4,}/g, '[number]') })
        : proceed(),
    );
  },
};
