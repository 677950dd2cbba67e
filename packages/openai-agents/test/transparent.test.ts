import { createHooks, HookEvent } from '@hooks/core';
import {
  Agent,
  type Model,
  OpenAIChatCompletionsModel,
  OpenAIProvider,
  Runner,
  tool,
  Usage,
} from '@openai/agents';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedRunner } from '../src/index.ts';
import { call, restore, results, setup } from './setup.ts';

/** Hooks that look at everything, and change nothing. */
function looking() {
  const hooks = createHooks();
  hooks.observe(HookEvent, () => {});
  return hooks;
}

const look = (needsApproval = false) =>
  tool({ name: 'look', description: '', parameters: z.object({}), needsApproval, execute: () => 'seen' });

describe('Hooks that only look leave unchanged', () => {
  test('of which class the provider and the model are that users of the SDK see, and what they do beside', async () => {
    await using s = await setup([{ text: 'Done.' }]);
    const openAIClient = new OpenAI({ baseURL: s.server.url, apiKey: 'none', maxRetries: 0 });
    const modelProvider = new OpenAIProvider({ openAIClient, useResponses: false });
    const model = await modelProvider.getModel('scripted');
    const runner = hookedRunner(new Runner({ modelProvider, tracingDisabled: true }), looking());
    const agent = new Agent({ name: 'A', model });
    expect((await runner.run(agent, 'go')).finalOutput).toBe('Done.');
    expect(runner.config.modelProvider).toBeInstanceOf(OpenAIProvider);
    expect(agent.model).toBeInstanceOf(OpenAIChatCompletionsModel);
    // Private fields of the class are those of the user's object.
    await (runner.config.modelProvider as OpenAIProvider).close();
  });

  test.each(['stop_on_first_tool', { stopAtToolNames: ['look'] }] as const)(
    'that a state with a rejected call can be saved, of an agent that ends at its tools (%j)',
    async (toolUseBehavior) => {
      await using s = await setup([{ toolCalls: [call('look', {})] }, { text: 'Done.' }]);
      const agent = new Agent({
        name: 'A',
        tools: [look(true)],
        toolUseBehavior:
          typeof toolUseBehavior === 'string' ? toolUseBehavior : { stopAtToolNames: ['look'] },
      });
      const runner = hookedRunner(s.runner, looking());
      const { state } = await runner.run(agent, 'go');
      for (const item of state.getInterruptions()) state.reject(item);
      const restored = await restore(agent, state.toString());
      const result = await runner.run(agent, restored);
      expect(JSON.parse(result.state.toString())).toMatchObject({ currentTurn: expect.any(Number) });
    },
  );

  test('that calls of one turn which wait are all there in a restored state', async () => {
    await using s = await setup([
      { toolCalls: [call('look', {}, 'c1'), call('look', {}, 'c2')] },
      { text: 'Done.' },
    ]);
    const agent = new Agent({ name: 'A', tools: [look(true)] });
    const runner = hookedRunner(s.runner, looking());
    const first = await runner.run(agent, 'go');
    const one = await restore(agent, first.state.toString());
    one.approve(one.getInterruptions()[0]!);
    const second = await runner.run(agent, one);
    expect(second.interruptions).toHaveLength(1);
    const two = await restore(agent, second.state.toString());
    two.approve(two.getInterruptions()[0]!);
    expect((await runner.run(agent, two)).finalOutput).toBe('Done.');
    expect(results(s)).toEqual({ c1: 'seen', c2: 'seen' });
  });

  test('what a run has used, where the SDK repeats a failed model call', async () => {
    const used: number[] = [];
    for (const hooked of [false, true]) {
      let calls = 0;
      const model: Model = {
        async getResponse() {
          if (++calls === 1) throw Object.assign(new Error('Try again.'), { status: 503 });
          return {
            usage: new Usage({ inputTokens: 3, outputTokens: 4, totalTokens: 7, requests: 1 }),
            output: [
              {
                type: 'message',
                role: 'assistant',
                status: 'completed',
                content: [{ type: 'output_text', text: 'Done.' }],
              },
            ],
          };
        },
        getStreamedResponse() {
          throw new Error('not streamed here');
        },
        getRetryAdvice: () => ({ suggested: true, replaySafety: 'safe' }),
      };
      const bare = new Runner({ modelProvider: { getModel: () => model }, tracingDisabled: true });
      const runner = hooked ? hookedRunner(bare, looking()) : bare;
      const agent = new Agent({
        name: 'A',
        modelSettings: { retry: { maxRetries: 2, backoff: { initialDelayMs: 1 }, policy: () => true } },
      });
      const { state } = await runner.run(agent, 'go');
      used.push(state.usage.requests, state.usage.totalTokens, calls);
    }
    expect(used.slice(3)).toEqual(used.slice(0, 3));
  });

  test('with what a call ends whose run is aborted', async () => {
    const texts: string[] = [];
    for (const hooked of [false, true]) {
      await using s = await setup([{ toolCalls: [call('wait', {})] }, { text: 'Done.' }]);
      const controller = new AbortController();
      const wait = tool({
        name: 'wait',
        description: '',
        parameters: z.object({}),
        execute: (_input, _context, details) => {
          controller.abort(new Error('enough'));
          details?.signal?.throwIfAborted();
        },
      });
      const runner = hooked ? hookedRunner(s.runner, looking()) : s.runner;
      const run = runner.run(new Agent({ name: 'A', tools: [wait] }), 'go', { signal: controller.signal });
      texts.push(await run.then(String, String));
    }
    expect(texts[1]).toBe(texts[0]);
  });
});
