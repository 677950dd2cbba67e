import { BeforeToolCall, block, createHooks, proceed } from '@hooks/core';

const hooks = createHooks();
hooks.guard(
  BeforeToolCall.matching('http_.*'),
  async ({ input }, { signal }) => {
    const answer = await fetch('https://policy.acme.test/check', {
      method: 'POST',
      body: JSON.stringify(input),
      signal,
    });
    return answer.ok
      ? proceed()
      : block('The address is not on the list. Ask the platform team.');
  },
  { timeoutMs: 2000 },
);
