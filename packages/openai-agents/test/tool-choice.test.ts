import { BeforeModelCall, createHooks, modify } from '@hooks/core';
import { Agent, tool } from '@openai/agents';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { hookedRunner } from '../src/index.ts';
import { requestAt, setup } from './setup.ts';

const named = (name: string) =>
  tool({ name, description: '', parameters: z.object({}), execute: () => 'fine' });

test.each([
  ['required', [], undefined],
  ['auto', [], undefined],
  ['read', [], undefined],
  ['read', ['write'], undefined],
  ['read', ['read'], { name: 'read' }],
  ['required', ['write'], 'required'],
])('a choice of %s is sent with the tools that hooks left: %j', async (toolChoice, left, sent) => {
  await using at = await setup([{ text: 'Done.' }]);
  const hooks = createHooks();
  hooks.on(BeforeModelCall, ({ tools }) =>
    modify({ tools: tools.filter(({ name }) => left.includes(name)) }),
  );
  const agent = new Agent({
    name: 'Clerk',
    tools: [named('read'), named('write')],
    modelSettings: { toolChoice },
  });
  expect((await hookedRunner(at.runner, hooks).run(agent, 'Go.')).finalOutput).toBe('Done.');
  expect(requestAt(at).settings.toolChoice).toEqual(sent);
});
