import { AfterModelCall, BeforeModelCall, createHooks, modify } from '@hooks/core';
import { generateText, streamText, wrapLanguageModel } from 'ai';
import { describe, expect, test } from 'vitest';
import { hookedCall, hookModel } from '../src/index.ts';
import { pays, payTool, serve } from './fixtures.ts';

const NAMED = { type: 'tool', toolName: 'pay' } as const;

describe.each(['required', NAMED] as const)('with the tool choice %j', (toolChoice) => {
  test.each(['generateText', 'streamText'] as const)(
    'an answer from which a hook took the call stands (%s)',
    async (way) => {
      await using served = await serve(pays);
      const ran: unknown[] = [];
      const hooks = createHooks();
      hooks.on(AfterModelCall, () => modify({ response: { text: 'Nothing is paid.', toolCalls: [] } }));
      const settings = { model: served.model, tools: { pay: payTool(ran) }, toolChoice, prompt: 'Pay.' };
      const text =
        way === 'generateText'
          ? (await generateText(hookedCall(settings, hooks))).text
          : await streamText(hookedCall(settings, hooks)).text;
      expect(text).toBe('Nothing is paid.');
      expect(ran).toEqual([]);
    },
  );

  test('an answer without a call is rejected where hooks changed nothing that matters', async () => {
    await using served = await serve([{ text: 'I would rather not.' }]);
    const hooks = createHooks();
    hooks.on(AfterModelCall, ({ response }) =>
      modify({ response: { ...response, text: response.text.toUpperCase() } }),
    );
    const settings = { model: served.model, tools: { pay: payTool([]) }, toolChoice, prompt: 'Pay.' };
    await expect(generateText(hookedCall(settings, hooks))).rejects.toThrow(/did not contain a/);
  });
});

test('a tool choice that a middleware of the program shares between calls does not change', async () => {
  await using served = await serve([{ text: 'Later.' }, { text: 'Later.' }]);
  const shared = { type: 'required' as const };
  const hooks = createHooks();
  hooks.on(BeforeModelCall, () => modify({ tools: [] }));
  const model = wrapLanguageModel({
    model: hookModel(served.model, hooks),
    middleware: {
      specificationVersion: 'v4',
      transformParams: async ({ params }) => ({ ...params, toolChoice: shared }),
    },
  });
  expect((await generateText({ model, tools: { pay: payTool([]) }, prompt: 'Pay.' })).text).toBe('Later.');
  expect(shared).toEqual({ type: 'required' });
});
