import { query } from '@anthropic-ai/claude-agent-sdk';
import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  modify,
  proceed,
  TransformToolResult,
  UserPromptSubmit,
} from '@hooks/core';
import { expect } from 'vitest';
import { blockReason, hookedOptions } from '../src/index.ts';
import { bash, call, play, promptsOf, stored, withClaude } from './fixtures.ts';

withClaude.concurrent('a blocked built-in does not run, and the model reads the reason', async () => {
  const hooks = createHooks();
  hooks.guard(BeforeToolCall.matching('Bash'), () => block('not here'));
  const { model, result } = await play([[bash('touch ran')], 'done'], hooks);
  expect(model.read()).toEqual([expect.stringContaining('not here')]);
  expect(result?.subtype).toBe('success');
});

withClaude.concurrent('a rewritten input of a built-in runs, and guards see it', async () => {
  const hooks = createHooks();
  const judged: unknown[] = [];
  hooks.on(BeforeToolCall.matching('Bash'), ({ input }) =>
    modify({ input: { ...(input as object), command: 'echo B' } }),
  );
  hooks.guard(BeforeToolCall, ({ input }) => {
    judged.push(input);
    return proceed();
  });
  const { model } = await play([[bash('echo A')], 'done'], hooks);
  expect(judged).toEqual([{ command: 'echo B', description: 'd' }]);
  expect(model.read()).toEqual(['B']);
});

withClaude.concurrent(
  'a replaced result of a built-in reaches the model, and the original reaches nobody',
  async () => {
    const hooks = createHooks();
    hooks.on(TransformToolResult, () => modify({ output: 'REPLACED' }));
    const { model, messages } = await play([[bash('echo SEC""RET')], 'done'], hooks, {
      options: { includePartialMessages: true },
    });
    expect(model.read()).toEqual(['REPLACED']);
    expect(JSON.stringify(messages)).not.toContain('SECRET');
  },
);

withClaude.concurrent(
  'a refused prompt reaches neither the model nor the transcript, and the result says why',
  async () => {
    const hooks = createHooks();
    hooks.guard(UserPromptSubmit, () => block('no such prompts'));
    const played = await play(['done'], hooks, { prompt: 'SECRET' });
    const { model, result, messages } = played;
    expect(stored(played)).not.toContain('SECRET');
    expect(model.requests).toEqual([]);
    expect(blockReason(result)).toBe('no such prompts');
    expect(result).toMatchObject({ subtype: 'success', result: 'no such prompts' });
    expect(JSON.stringify(messages)).not.toContain('SECRET');
  },
);

withClaude.concurrent('with refused: throw, a query throws the reason of a refused prompt', async () => {
  const hooks = createHooks();
  hooks.guard(UserPromptSubmit, () => block('no such prompts'));
  const { error, result } = await play(['done'], hooks, { settings: { refused: 'throw' } });
  expect(error).toMatchObject({ name: 'BlockedError', reason: 'no such prompts', stop: true });
  expect(result).toBeUndefined();
});

withClaude.concurrent('with refused: throw, a query throws the reason of a stop', async () => {
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, () => block('enough', { stop: true }));
  const { error, model } = await play([[bash('echo A')], 'done'], hooks, { settings: { refused: 'throw' } });
  expect(error).toMatchObject({ name: 'BlockedError', reason: 'enough', stop: true });
  expect(model.requests).toHaveLength(1);
});

withClaude.concurrent('a rewritten prompt reaches the model in place of the original', async () => {
  const hooks = createHooks();
  hooks.on(UserPromptSubmit, ({ prompt }) => modify({ prompt: prompt.replace('SECRET', '***') }));
  const { model } = await play(['done'], hooks, { prompt: 'hello SECRET' });
  expect(promptsOf(model.requests[0]!).at(-1)).toBe('hello ***');
});

withClaude.concurrent(
  'with hookedOptions alone, a rewritten prompt is refused and a call is decided on',
  async () => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, () => block('not here'));
    const bare = {
      start: (args: Parameters<typeof query>[0]) =>
        query({ ...args, options: hookedOptions(args.options ?? {}, hooks) }),
    };
    const { model } = await play([[bash('echo A')], 'done'], hooks, bare);
    expect(model.read()).toEqual([expect.stringContaining('not here')]);
    hooks.on(UserPromptSubmit, () => modify({ prompt: 'other' }));
    const refused = await play(['done'], hooks, bare);
    expect(refused.model.requests).toEqual([]);
  },
);

withClaude.concurrent(
  'with hookedOptions alone, the end of a background task is submitted as a prompt, as nothing tells it from one',
  async () => {
    const hooks = createHooks();
    const prompts: string[] = [];
    hooks.observe(UserPromptSubmit, ({ prompt }) => void prompts.push(prompt));
    const { model } = await play(
      ({ messages, system }) => {
        if (JSON.stringify(system).includes('HELPER')) return 'the helper is done';
        if (JSON.stringify(messages).includes('toolu_agent')) return 'done';
        const input = { description: 'd', prompt: 'Help.', subagent_type: 'helper', run_in_background: true };
        return [call('Agent', input, 'toolu_agent')];
      },
      hooks,
      {
        options: { agents: { helper: { description: 'Helps.', prompt: 'HELPER' } } },
        start: (args: Parameters<typeof query>[0]) =>
          query({ ...args, options: hookedOptions(args.options ?? {}, hooks) }),
      },
    );
    expect(JSON.stringify(model.requests)).toContain('<task-notification>');
    expect(prompts).toEqual(['Go.', expect.stringContaining('<task-notification>')]);
  },
);

withClaude.concurrent(
  'a stop refuses the sibling calls and ends the run before the next model call',
  async () => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, () => block('enough', { stop: true }));
    const { model, result } = await play([[bash('echo A'), bash('echo B')], 'done'], hooks);
    expect(model.requests).toHaveLength(1);
    expect(blockReason(result)).toBe('enough');
    expect(result).toMatchObject({ subtype: 'success', result: 'enough' });
  },
);

withClaude.concurrent(
  'an error text of a built-in that a hook replaced is not read by the model: the run ends',
  async () => {
    const hooks = createHooks();
    hooks.on(TransformToolResult, () => modify({ errorMessage: 'hidden' }));
    const { model, result } = await play([[call('Read', { file_path: '/nowhere/SECRET' })], 'done'], hooks);
    expect(model.requests).toHaveLength(1);
    expect(blockReason(result)).toContain('replaced the error of Read');
  },
);

withClaude.concurrent('a built-in that fails is told to hooks as an error', async () => {
  const hooks = createHooks();
  const statuses: string[] = [];
  hooks.observe(AfterToolCall, ({ status }) => void statuses.push(status));
  const { model } = await play([[call('Read', { file_path: '/nowhere/file' })], 'done'], hooks);
  expect(model.requests).toHaveLength(2);
  expect(statuses).toEqual(['error']);
});
