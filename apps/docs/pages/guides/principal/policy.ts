import { BeforeToolCall, block, type HookProvider, proceed } from '@hooks/core';
import { z } from 'zod';

const allowedTools = new Map([
  ['support', /^(?:read|refund)_/],
  ['viewer', /^read_/],
]);

/** Every call needs a user, a role that may use the tool, and an order of the user's own tenant. */
export const accessPolicy: HookProvider = {
  name: 'acme:access',
  register(hooks) {
    hooks.guard(BeforeToolCall, ({ principal, toolName }) => {
      if (!principal) return block('Nobody is signed in.');
      const isAllowed = principal.roles?.some((role) =>
        allowedTools.get(role)?.test(toolName),
      );
      return isAllowed
        ? proceed()
        : block(`${principal.id} may not use ${toolName}.`);
    });
    hooks.guard(
      BeforeToolCall.matching('.*_order', z.object({ tenant: z.string() })),
      ({ principal, input }) =>
        input.tenant === principal?.tenant
          ? proceed()
          : block('This order belongs to another tenant.'),
    );
  },
};
