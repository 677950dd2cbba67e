import { BeforeToolCall, block, createHooks } from '@hooks/core';
import { providerStrategy } from 'langchain';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { blockReason, createHookedAgent } from '../src/index.ts';
import { calls, readTool, scripted, user } from './fixtures.ts';

test('a Block with stop ends the run, although its reason is in no format', async () => {
  await using at = await scripted(calls({ name: 'read', arguments: { path: 'a.txt' } }));
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => block('Enough.', { stop: true }));
  const responseFormat = providerStrategy(z.object({ answer: z.string() }));
  const agent = createHookedAgent({ model: at.model, tools: [readTool().read], responseFormat }, hooks);
  expect(blockReason(await agent.invoke(user('go')))).toBe('Enough.');
  expect(at.server.requests).toHaveLength(1);
});
