import { AfterModelCall, BeforeModelCall, block, createHooks, type Hooks, modify } from '@hooks/core';
import { Mastra } from '@mastra/core';
import { InMemoryStore } from '@mastra/core/storage';
import { Memory } from '@mastra/memory';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type HookedOptions, hookedAgent } from '../src/index.ts';
import { modelOf, quiet, runAgent, serve } from './fixtures.ts';

describe.each([false, true])('structured output by a model of its own (streamed: %s)', (streaming) => {
  const run = async (hooks: Hooks, options: HookedOptions = {}, more: object = {}) => {
    const answer = { text: '{"of":"a secret"}' };
    await using server = await serve([answer, answer]);
    const storage = new InMemoryStore();
    const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server) };
    const agent = quiet(hookedAgent({ ...config, memory: new Memory({ storage }) }, hooks, options));
    new Mastra({ agents: { agent }, storage, logger: false });
    const structuredOutput = { schema: z.object({ of: z.string() }), model: modelOf(server), ...more };
    const memory = { thread: 't', resource: 'u' };
    const output = runAgent(agent, 'Go', streaming, { structuredOutput, memory });
    return { output: await output.catch((error: unknown) => error), calls: server.requests.length };
  };

  test.each([
    [BeforeModelCall.type, (hooks: Hooks) => hooks.guard(BeforeModelCall, () => block('Not this.'))],
    [AfterModelCall.type, (hooks: Hooks) => hooks.guard(AfterModelCall, () => block('Not this.'))],
  ] as const)('is refused where its calls cannot be: %s', async (type, guard) => {
    const hooks = createHooks();
    guard(hooks);
    const { output, calls } = await run(hooks);
    expect(output).toMatchObject({ code: 'UNSUPPORTED_EVENT' });
    expect(String(output)).toContain(type);
    expect(calls).toBe(0);
  });

  test('runs where that is allowed, or where hooks only look', async () => {
    const hooks = createHooks();
    hooks.on(AfterModelCall, ({ response }) => modify({ response: { ...response, text: 'Nothing.' } }));
    const allowed = await run(hooks, { allowUnsupported: [AfterModelCall.type] });
    expect(allowed.output).toMatchObject({ object: { of: 'a secret' } });
    const looking = createHooks();
    looking.observe(AfterModelCall, () => {});
    expect((await run(looking)).output).toMatchObject({ object: { of: 'a secret' } });
  });

  test('is asked about where the hooked agent writes it', async () => {
    const hooks = createHooks();
    hooks.on(AfterModelCall, ({ response }) =>
      modify({ response: { ...response, text: response.text.replace('secret', '[redacted]') } }),
    );
    const { output } = await run(hooks, {}, { useAgent: true });
    expect(output).toMatchObject({ object: { of: 'a [redacted]' } });
  });
});
