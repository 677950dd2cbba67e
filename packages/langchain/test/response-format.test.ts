import { AfterModelCall, BeforeToolCall, block, createHooks, proceed, Stop, TurnEnd } from '@hooks/core';
import { createMiddleware, modelFallbackMiddleware, providerStrategy } from 'langchain';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { blockReason, createHookedAgent } from '../src/index.ts';
import { calls, readTool, scripted, user } from './fixtures.ts';

const responseFormat = providerStrategy(z.object({ answer: z.string() }));

test('a Block with stop ends the run, although its reason is in no format', async () => {
  await using at = await scripted(calls({ name: 'read', arguments: { path: 'a.txt' } }));
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => block('Enough.', { stop: true }));
  const agent = createHookedAgent({ model: at.model, tools: [readTool().read], responseFormat }, hooks);
  expect(blockReason(await agent.invoke(user('go')))).toBe('Enough.');
  expect(at.server.requests).toHaveLength(1);
});

test('a Block of the answer ends the run, although its reason is in no format, whatever middleware is about', async () => {
  for (const between of ['nothing', 'a wrapper', 'a fallback']) {
    await using at = await scripted([{ text: '{"answer":"secret"}' }]);
    const wrapper = createMiddleware({
      name: 'wrapper',
      wrapModelCall: (request, handler) => handler(request),
    });
    const middleware =
      between === 'nothing' ? [] : [between === 'a wrapper' ? wrapper : modelFallbackMiddleware(at.model)];
    const hooks = createHooks();
    hooks.guard(AfterModelCall, () => block('Not that.'));
    const agent = createHookedAgent({ model: at.model, responseFormat, middleware }, hooks);
    expect(blockReason(await agent.invoke(user('go'))), between).toBe('Not that.');
    expect(at.server.requests, between).toHaveLength(1);
  }
});

test('a turn ends with its answer, before Stop is asked', async () => {
  await using at = await scripted([{ text: '{"answer":"yes"}' }]);
  const hooks = createHooks();
  const told: string[] = [];
  hooks.observe(TurnEnd, ({ reason }) => void told.push(reason));
  hooks.on(Stop, () => {
    told.push('stop');
    return proceed();
  });
  const result = await createHookedAgent({ model: at.model, responseFormat }, hooks).invoke(user('go'));
  expect(result.structuredResponse).toEqual({ answer: 'yes' });
  expect(told).toEqual(['normal', 'stop']);
});
