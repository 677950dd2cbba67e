import { BeforeToolCall, block, type HookProvider, proceed } from '@hooks/core';
import { z } from 'zod';

const allowedTools = new Map([
  ['support', /^(?:read|refund)_/],
  ['viewer', /^read_/],
]);

/** Whose order it is. In your program, your database says so. */
const tenants = new Map([
  ['7', 'acme'],
  ['8', 'globex'],
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
      BeforeToolCall.matching('.*_order', z.object({ id: z.string() })),
      ({ principal, input }) => {
        const tenant = tenants.get(input.id);
        return tenant !== undefined && tenant === principal?.tenant
          ? proceed()
          : block('Your tenant has no such order.');
      },
    );
  },
};
