import {
  AfterModelCall,
  addContext,
  BeforeModelCall,
  block,
  createHooks,
  modify,
  proceed,
  TurnStart,
} from '@hooks/core';
import { HumanMessage } from '@langchain/core/messages';
import { createMiddleware, modelFallbackMiddleware } from 'langchain';
import { describe, expect, test } from 'vitest';
import { blockReason, createHookedAgent } from '../src/index.ts';
import { readTool, scripted, user } from './fixtures.ts';

/** A middleware behind ours that gives the model what it has looked up. */
const lookUp = createMiddleware({
  name: 'lookUp',
  wrapModelCall: (request, handler) =>
    handler({
      ...request,
      systemPrompt: `${request.systemPrompt} The key is tangelo.`,
      messages: [...request.messages, new HumanMessage('A document about tangelo.')],
      tools: request.tools.slice(1),
    }),
});

describe('hooks on BeforeModelCall, where a middleware changes the request,', () => {
  test('rewrite what it has made of it', async () => {
    await using at = await scripted(() => ({ text: 'Hello.' }));
    const hooks = createHooks();
    const hidden = (text = '') => text.replaceAll('tangelo', '***');
    hooks.on(BeforeModelCall, ({ instructions, messages }) =>
      modify({
        instructions: hidden(instructions),
        messages: messages.map((message) => ({ ...message, text: hidden(message.text) })),
      }),
    );
    const params = { model: at.model, middleware: [lookUp], systemPrompt: 'Be brief.' };
    await createHookedAgent(params, hooks).invoke(user('hi'));
    expect(at.server.requests[0]?.messages.map(({ content }) => content)).toEqual([
      'Be brief. The key is ***.',
      'hi',
      'A document about ***.',
    ]);
  });

  test('see the tools that are left, and refuse the call', async () => {
    await using at = await scripted(() => ({ text: 'Hello.' }));
    const hooks = createHooks();
    const answers: string[] = [];
    hooks.on(AfterModelCall, ({ response }) => {
      answers.push(response.text);
      return proceed();
    });
    hooks.guard(BeforeModelCall, ({ tools }) => block(`${tools.length} tools are not enough.`));
    const params = { model: at.model, tools: [readTool().read], middleware: [lookUp] };
    const result = await createHookedAgent(params, hooks).invoke(user('hi'));
    expect(at.server.requests).toEqual([]);
    expect(blockReason(result)).toBe('0 tools are not enough.');
    expect(answers).toEqual([]);
  });

  test('are asked about each model that it has called, and each is told the context once', async () => {
    await using broken = await scripted([]);
    await using at = await scripted(() => ({ text: 'Hello.' }));
    const hooks = createHooks();
    hooks.on(TurnStart, () => addContext('It is noon.'));
    let asked = 0;
    hooks.on(BeforeModelCall, () => {
      asked++;
      return addContext('Use metres.');
    });
    const params = { model: broken.model, middleware: [modelFallbackMiddleware(at.model)] };
    await createHookedAgent(params, hooks).invoke(user('hi'));
    expect(asked).toBe(2);
    for (const { server } of [broken, at])
      expect(server.requests.map(({ system }) => system)).toEqual(['It is noon.\n\nUse metres.']);
  });

  test('have each of two calls at once told their context', async () => {
    await using at = await scripted(() => ({ text: 'Hello.' }));
    const hooks = createHooks();
    hooks.on(BeforeModelCall, () => addContext('Use metres.'));
    const best = createMiddleware({
      name: 'best',
      wrapModelCall: async (request, handler) => {
        const [first] = await Promise.all([handler(request), handler(request)]);
        return first;
      },
    });
    await createHookedAgent({ model: at.model, middleware: [best] }, hooks).invoke(user('hi'));
    expect(at.server.requests.map(({ system }) => system)).toEqual(['Use metres.', 'Use metres.']);
  });
});
