import {
  BeforeToolCall,
  block,
  type EventPayload,
  type HookProvider,
  proceed,
  requireApproval,
  UserPromptSubmit,
} from '@hooks/core';
import {
  injection,
  limits,
  pii,
  rateLimit,
  redactSecrets,
  requirePrincipal,
} from '@hooks/guards';
import { journal } from '@hooks/journal';
import { telemetry } from '@hooks/otel';
import { routeCommands, type Sandbox } from '@hooks/sandbox';
import type { Store } from '@hooks/store';
import { z } from 'zod';

const ANGRY = /\b(lawyer|scam|furious|useless)\b/i;

/** Whose order a tool is to read or change. */
const Owner = z.object({ customer: z.string(), tenant: z.string().optional() });

/** Two tenants may have customers with the same id. */
function customerOf(who?: { id: string; tenant?: string | undefined }): string {
  return JSON.stringify([who?.tenant, who?.id]);
}

/** What the agents of the support desk may do, whatever framework they run on. */
export function supportPolicy(store: Store, sandbox: Sandbox): HookProvider {
  return {
    name: 'acme:support',
    version: '2026-11-29',
    register(hooks) {
      // Who: customers who are signed in, and only their own data.
      hooks.use(requirePrincipal());
      hooks.guard(
        BeforeToolCall.matching('.*_order', Owner),
        ({ input: { customer: id, tenant }, principal }) =>
          customerOf({ id, tenant }) === customerOf(principal)
            ? proceed()
            : block('This order belongs to another customer.'),
      );

      // What: refunds up to 100 euros; a person agrees to more.
      hooks.guard(
        BeforeToolCall.matching(
          'refund_order',
          z.object({ euros: z.number().positive() }),
        ),
        ({ input }) =>
          input.euros > 100
            ? requireApproval(`A refund of ${input.euros} euros.`, {
                severity: 'high',
              })
            : proceed(),
      );
      hooks.use(routeCommands(sandbox, { tools: 'run_script' }));

      // What nobody reads: personal data and secrets, in results and in answers.
      hooks.use(pii({ answers: true }));
      hooks.use(redactSecrets({ answers: true }));

      // How much.
      const key = ({ principal }: EventPayload) => customerOf(principal);
      hooks.use(rateLimit({ toolCalls: 20, windowMs: 60_000, key, store }));
      const prices = { '*': { input: 1.25, output: 10 } };
      hooks.use(
        limits({ perSession: { cost: 0.5 }, prices, atLimit: 'answer', store }),
      );

      // When to stop: an angry customer gets a person, and orders in a result end the tools.
      hooks.guard(UserPromptSubmit, ({ prompt }) =>
        ANGRY.test(prompt)
          ? block('A colleague will write to you today.')
          : proceed(),
      );
      hooks.use(injection({ found: 'no-tools', store }));

      // What stays: a journal of 30 days, and telemetry.
      hooks.use(journal({ store, keepDays: 30 }));
      hooks.use(telemetry());
    },
  };
}
