import {
  BeforeToolCall,
  type HookProvider,
  modify,
  proceed,
  requireApproval,
  TransformToolResult,
} from '@hooks/core';
import { z } from 'zod';

interface SupportPolicyOptions {
  /** In EUR; a larger refund needs a person. */
  readonly limit: number;
}

/** What the support agent may do with customers' money and tickets. */
export function supportPolicy(options: SupportPolicyOptions): HookProvider {
  const { limit } = options;
  return {
    name: 'acme-support',
    register(hooks) {
      hooks.guard(
        BeforeToolCall.matching('refund', z.object({ amount: z.number() })),
        ({ input: { amount } }) =>
          amount > limit
            ? requireApproval(`${amount} EUR is more than ${limit}.`)
            : proceed(),
        { id: 'refund-limit' },
      );

      hooks.on(
        TransformToolResult.matching('read_ticket'),
        ({ output }) => {
          const { internalNotes: _, ...shown } = output as {
            readonly internalNotes: string;
          };
          return modify({ output: shown });
        },
        { id: 'no-internal-notes' },
      );
    },
  };
}
