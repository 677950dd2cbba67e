import { answer, BeforeExecute, BeforeToolCall, createHooks, type HookProvider, modify } from '@hooks/core';
import { concurrency, limits, rateLimit } from '@hooks/guards';
import { expect, test } from 'vitest';
import { dispatchEvent } from '../src/index.ts';

/** An agent of another process is about to run a call. */
const event = {
  type: 'before_tool_call',
  sessionId: 's',
  cwd: '/',
  fields: { toolName: 'shell', input: { cmd: 'ls' } },
} as const;

test.each<[string, HookProvider]>([
  ['limits', limits({ perSession: { toolCalls: 1 } })],
  ['rateLimit', rateLimit({ toolCalls: 1, windowMs: 60_000 })],
  ['concurrency', concurrency({ toolCalls: 1 })],
])('%s counts the calls of an agent in another process', async (_name, policy) => {
  const hooks = createHooks();
  hooks.use(policy);
  const call = (callId: string) => dispatchEvent(hooks, { ...event, fields: { ...event.fields, callId } });
  expect(await call('c1')).toMatchObject({ kind: 'proceed' });
  expect(await call('c2')).toMatchObject({ kind: 'block' });
});

test('BeforeExecute hooks see the input that runs, and what they answer instead blocks the call', async () => {
  const hooks = createHooks();
  const seen: unknown[] = [];
  hooks.on(BeforeToolCall, () => modify({ input: { cmd: 'pwd' } }));
  hooks.observe(BeforeExecute, ({ input }) => seen.push(input));
  expect(await dispatchEvent(hooks, event)).toMatchObject({
    kind: 'modify',
    patch: { input: { cmd: 'pwd' } },
  });
  expect(seen).toEqual([{ cmd: 'pwd' }]);
  hooks.on(BeforeExecute, () => answer('kept'));
  expect(await dispatchEvent(hooks, event)).toMatchObject({ kind: 'block' });
});
