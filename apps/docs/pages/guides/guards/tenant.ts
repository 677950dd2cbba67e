import { BeforeToolCall, block, createHooks, proceed } from '@hooks/core';
import { rateLimit, requirePrincipal } from '@hooks/guards';
import { memoryStore } from '@hooks/store';
import { z } from 'zod';

const store = memoryStore(); // Postgres, Redis or SQLite between processes
const orders = new Map([['7', { tenant: 'acme' }]]);

const hooks = createHooks();
hooks.use(requirePrincipal({ tenant: true }));
hooks.guard(
  BeforeToolCall.matching('.*_order', z.object({ id: z.string() })),
  ({ input, principal }) =>
    orders.get(input.id)?.tenant === principal?.tenant
      ? proceed()
      : block('This order belongs to another customer.'),
);
hooks.use(
  rateLimit({
    toolCalls: 20,
    windowMs: 60_000,
    store,
    key: ({ principal }) => principal?.tenant ?? '',
  }),
);
