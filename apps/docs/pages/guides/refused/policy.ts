import {
  BeforeToolCall,
  block,
  createHooks,
  proceed,
  UserPromptSubmit,
} from '@hooks/core';

export const hooks = createHooks();
hooks.guard(UserPromptSubmit, ({ prompt }) =>
  prompt.includes('salary') ? block('Ask the HR desk.') : proceed(),
);
hooks.guard(BeforeToolCall.matching('pay'), () =>
  block('Payments are closed.', { stop: true }),
);
