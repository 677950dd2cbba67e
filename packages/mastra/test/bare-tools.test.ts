import { BeforeToolCall, createHooks, type Hooks, proceed, SessionResume } from '@hooks/core';
import { createTool } from '@mastra/core/tools';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookTool, hookTools } from '../src/index.ts';

const deploy = createTool({
  id: 'deploy',
  description: '',
  inputSchema: z.object({}),
  execute: async () => 'deployed',
});

describe.each<[string, string, (hooks: Hooks) => object]>([
  ['hookTool', 'deploy', (hooks) => hookTool(deploy, hooks)],
  ['hookTools', 'ship', (hooks) => hookTools({ ship: deploy }, hooks)],
])('%s', (_how, name, hookIt) => {
  test('warns of hooks on events that Mastra does not have, registered before or after', () => {
    const warnings: string[] = [];
    const hooks = createHooks({ onWarning: (message) => void warnings.push(message) });
    hooks.observe(SessionResume, () => {}, { id: 'before' });
    hookIt(hooks);
    hooks.observe(SessionResume, () => {}, { id: 'after' });
    expect(warnings).toEqual([
      expect.stringContaining('@hooks/mastra cannot honor hook "before" on session_resume'),
      expect.stringContaining('@hooks/mastra cannot honor hook "after" on session_resume'),
    ]);
  });

  test('tells the registry the name by which the model knows the tool', () => {
    const hooks = createHooks();
    for (const matcher of [name, `${name}s`])
      hooks.on(BeforeToolCall.matching(matcher), () => proceed(), { id: matcher });
    hookIt(hooks);
    expect(hooks.unmatched()).toEqual([{ id: `${name}s`, matcher: `${name}s`, nearest: [name] }]);
  });
});

test('hooking a tool again adds the options that it lacks, and gives it back if there are none', async () => {
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => proceed());
  const once = hookTool(deploy, hooks, { holdStream: false });
  expect(hookTool(once, hooks)).toBe(once);
  expect(hookTool(once, hooks, { approval: 'deny' })).not.toBe(once);
});
