import { BeforeModelCall, createHooks, modify } from '@hooks/core';
import { createMiddleware, tool } from 'langchain';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createHookedAgent } from '../src/index.ts';
import { scripted, user } from './fixtures.ts';

const named = (name: string) => tool(() => 'fine', { name, description: 'Does it.', schema: z.object({}) });
const read = { type: 'function', function: { name: 'read' } } as const;

test.each([
  ['required', [], undefined],
  ['auto', [], undefined],
  [read, [], undefined],
  [read, ['write'], undefined],
  [read, ['read'], { name: 'read' }],
  ['required', ['write'], 'required'],
] as const)('a choice of %j is sent with the tools that hooks left: %j', async (toolChoice, left, sent) => {
  await using at = await scripted([{ text: 'Done.' }]);
  const hooks = createHooks();
  hooks.on(BeforeModelCall, ({ tools }) =>
    modify({ tools: tools.filter(({ name }) => left.some((one) => one === name)) }),
  );
  const choosing = createMiddleware({
    name: 'Choosing',
    wrapModelCall: (request, handler) => handler({ ...request, toolChoice }),
  });
  const agent = createHookedAgent(
    { model: at.model, tools: [named('read'), named('write')], middleware: [choosing] },
    hooks,
  );
  expect((await agent.invoke(user('Go.'))).messages.at(-1)?.text).toBe('Done.');
  expect(at.server.requests[0]?.settings.toolChoice).toEqual(sent);
});

test.each([
  [[], undefined],
  [['read'], false],
] as const)('parallel_tool_calls is sent with tools only: %j', async (left, sent) => {
  await using at = await scripted([{ text: 'Done.' }]);
  const hooks = createHooks();
  hooks.on(BeforeModelCall, ({ tools }) =>
    modify({ tools: tools.filter(({ name }) => left.some((one) => one === name)) }),
  );
  const serial = createMiddleware({
    name: 'Serial',
    wrapModelCall: (request, handler) =>
      handler({ ...request, modelSettings: { parallel_tool_calls: false } }),
  });
  const agent = createHookedAgent({ model: at.model, tools: [named('read')], middleware: [serial] }, hooks);
  await agent.invoke(user('Go.'));
  expect(at.server.requests[0]?.settings.parallelToolCalls).toBe(sent);
});
