// Two copies of this package in one program (two versions of it, or of what depends on it) hook the same agents.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BeforeToolCall, createHooks, proceed } from '@hooks/core';
import { Agent, tool } from '@openai/agents';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import * as one from '../src/index.ts';
import { call, setup } from './setup.ts';

test('Each copy hooks its own runs, and changes the class of agents once, however they take turns', async () => {
  const folder = mkdtempSync(join(import.meta.dirname, 'copy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(new URL('../src', import.meta.url), folder, { recursive: true });
  const two: typeof one = await import(join(folder, 'index.ts'));
  const look = tool({ name: 'look', description: '', parameters: z.object({}), execute: () => 'seen' });
  const agent = new Agent({ name: 'A', tools: [look] });
  const asked: string[] = [];
  const methods = new Set<unknown>();
  for (const [name, copy] of Object.entries({ one, two, again: one, more: two })) {
    await using s = await setup([{ toolCalls: [call('look', {})] }, { text: 'Done.' }]);
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => {
      asked.push(name);
      return proceed();
    });
    await copy.hookedRunner(s.runner, hooks).run(agent, 'go');
    methods.add(Agent.prototype.getAllTools);
  }
  expect(one.hookedRunner).not.toBe(two.hookedRunner);
  expect(asked).toEqual(['one', 'two', 'again', 'more']);
  expect(methods.size).toBe(2);
});
