import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  proceed,
  retry,
} from '@hooks/core';
import { redactSecrets } from '@hooks/guards';

export const hooks = createHooks();

// Refuse: a guard sees the values that will really be used.
hooks.guard(BeforeToolCall.matching('send_email'), ({ input }) => {
  const { to } = input as { readonly to: string };
  return to.endsWith('@acme.test')
    ? proceed()
    : block('Write to colleagues only.');
});

// Change what happens: once more, if the server was not there.
hooks.on(AfterToolCall.matching('fetch_.*'), ({ status }) =>
  status === 'error'
    ? retry('The server may be back.', { delayMs: 500 })
    : proceed(),
);

// Use what others wrote: no key or password reaches the model.
hooks.use(redactSecrets());

// Look: who did what.
hooks.observe(AfterToolCall, ({ toolName, status, session }) =>
  console.log(session.id, toolName, status),
);
