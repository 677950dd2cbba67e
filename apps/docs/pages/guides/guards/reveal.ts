import { createHooks } from '@hooks/core';
import { pii, redactSecrets } from '@hooks/guards';
import { memoryStore } from '@hooks/store';

const store = memoryStore(); // Postgres, Redis or SQLite between processes
const key = process.env['PLACEHOLDER_KEY'] ?? 'from where you keep secrets';

const hooks = createHooks();
hooks.use(
  pii({
    kinds: { email: 'redact' },
    hashKey: key,
    store,
    reveal: { send_mail: ['to'] },
  }),
);
hooks.use(
  redactSecrets({
    placeholderKey: key,
    store,
    reveal: { login: ['password'] },
  }),
);
