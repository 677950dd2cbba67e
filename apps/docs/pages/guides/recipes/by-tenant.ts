import { BeforeToolCall, createHooks } from '@hooks/core';
import { once, rateLimit, requirePrincipal } from '@hooks/guards';
import { memoryStore } from '@hooks/store';

const store = memoryStore(); // Postgres, Redis or SQLite between processes
const hooks = createHooks();

// A hundred calls an hour for each tenant, whoever of its users makes them.
hooks.use(requirePrincipal({ tenant: true }));
hooks.use(
  rateLimit({
    toolCalls: 100,
    windowMs: 3_600_000,
    store,
    key: ({ principal }) => principal?.tenant ?? '',
  }),
);

// A payment runs once, also if the request is sent again or resumed twice.
hooks.use(once({ tools: 'pay', store }));

console.log(hooks.get(BeforeToolCall, 'pay').length > 1); // true
