import { AfterModelCall, block, createHooks, type Hooks, modify, proceed } from '@hooks/core';
import { generateText, Output } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent, hookedCall, hookModel } from '../src/index.ts';

const output = Output.object({ schema: z.object({ name: z.string() }) });

/** A model that writes an object beside its answer, as providers do that draft an answer before the final one. */
function drafting(): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    doGenerate: {
      content: [{ type: 'text', text: '{"name":"draft"}' }],
      structuredOutputText: '{"name":"tangerine"}',
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 1, text: 1, reasoning: 0 },
      },
      warnings: [],
    },
  });
}

const ways: Readonly<Record<string, (hooks: Hooks) => Promise<{ readonly output: unknown }>>> = {
  generateText: (hooks) => generateText(hookedCall({ model: drafting(), output, prompt: 'Who?' }, hooks)),
  'agent.generate': (hooks) => hookedAgent({ model: drafting(), output }, hooks).generate({ prompt: 'Who?' }),
  hookModel: (hooks) => generateText({ model: hookModel(drafting(), hooks), output, prompt: 'Who?' }),
};

describe.each(Object.entries(ways))('%s: an object that a model gives beside its text', (_way, run) => {
  test('is part of the answer that hooks see, and stays as it is', async () => {
    const hooks = createHooks();
    const seen: string[] = [];
    hooks.on(AfterModelCall, ({ response }) => {
      seen.push(response.text);
      return proceed();
    });
    const { output: object } = await run(hooks);
    expect(object).toEqual({ name: 'tangerine' });
    expect(seen).toEqual(['{"name":"draft"}{"name":"tangerine"}']);
  });

  test('does not reach the user where a hook refuses it', async () => {
    const hooks = createHooks();
    hooks.guard(AfterModelCall, ({ response }) =>
      response.text.includes('tangerine') ? block('It is secret.') : proceed(),
    );
    await expect(run(hooks)).rejects.toThrow('It is secret.');
  });

  test('is what a hook makes of it', async () => {
    const hooks = createHooks();
    hooks.on(AfterModelCall, ({ response }) =>
      modify({ response: { ...response, text: response.text.replace('tangerine', 'hidden') } }),
    );
    expect((await run(hooks)).output).toEqual({ name: 'hidden' });
  });
});
