import { expect, it } from 'vitest';
import { BeforeToolCall, createHooks, HooksError, modify } from '../src/index.ts';
import { callTool } from '../src/tool-call/index.ts';

it('a replaced execute that cannot take the call blocks it; the tool does not run instead', async () => {
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () =>
    modify({
      execute: () => {
        throw new HooksError('ROUTE_FAILED', 'No room elsewhere.');
      },
    }),
  );
  let ran = false;
  const call = { session: hooks.session('s'), toolName: 'exec', input: 'ls' };
  const outcome = await callTool(hooks, call, () => {
    ran = true;
  });
  expect(outcome).toMatchObject({ status: 'blocked', ran: false, message: 'No room elsewhere.' });
  expect(ran).toBe(false);
});
