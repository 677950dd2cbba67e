import {
  AfterModelCall,
  BeforeToolCall,
  block,
  createHooks,
  modify,
  proceed,
  Stop,
  TurnEnd,
} from '@hooks/core';
import { createMiddleware, modelFallbackMiddleware, providerStrategy, toolStrategy } from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { blockReason, createHookedAgent } from '../src/index.ts';
import { calls, readTool, scripted, user } from './fixtures.ts';

const responseFormat = providerStrategy(z.object({ answer: z.string() }));

test('a Block with stop ends the run, although its reason is in no format', async () => {
  await using at = await scripted(calls({ name: 'read', arguments: { path: 'a.txt' } }));
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => block('Enough.', { stop: true }));
  const agent = createHookedAgent({ model: at.model, tools: [readTool().read], responseFormat }, hooks);
  expect(blockReason(await agent.invoke(user('go')))).toBe('Enough.');
  expect(at.server.requests).toHaveLength(1);
});

test('a Block of the answer ends the run, although its reason is in no format, whatever middleware is about', async () => {
  for (const between of ['nothing', 'a wrapper', 'a fallback']) {
    await using at = await scripted([{ text: '{"answer":"secret"}' }]);
    const wrapper = createMiddleware({
      name: 'wrapper',
      wrapModelCall: (request, handler) => handler(request),
    });
    const middleware =
      between === 'nothing' ? [] : [between === 'a wrapper' ? wrapper : modelFallbackMiddleware(at.model)];
    const hooks = createHooks();
    hooks.guard(AfterModelCall, () => block('Not that.'));
    const agent = createHookedAgent({ model: at.model, responseFormat, middleware }, hooks);
    expect(blockReason(await agent.invoke(user('go'))), between).toBe('Not that.');
    expect(at.server.requests, between).toHaveLength(1);
  }
});

test('a turn ends with its answer, behind Stop', async () => {
  await using at = await scripted([{ text: '{"answer":"yes"}' }]);
  const hooks = createHooks();
  const told: string[] = [];
  hooks.observe(TurnEnd, ({ reason }) => void told.push(reason));
  hooks.on(Stop, () => {
    told.push('stop');
    return proceed();
  });
  const result = await createHookedAgent({ model: at.model, responseFormat }, hooks).invoke(user('go'));
  expect(result.structuredResponse).toEqual({ answer: 'yes' });
  expect(told).toEqual(['stop', 'normal']);
});

describe.each([true, false])('an answer by a tool, holdStream: %s', (holdStream) => {
  const make = async (input: object) => {
    const format = toolStrategy(z.object({ city: z.string() }));
    const { name } = Object(format)[0] ?? format;
    const at = await scripted([{ toolCalls: [{ id: 'c1', name, arguments: input }] }]);
    const hooks = createHooks();
    const agent = createHookedAgent({ model: at.model, responseFormat: format }, hooks, { holdStream });
    return { at, hooks, agent, [Symbol.asyncDispose]: at[Symbol.asyncDispose] };
  };

  test('Block: it ends the run, also where it does not fit the schema', async () => {
    for (const input of [{ city: 'Rome' }, { city: 42 }]) {
      await using on = await make(input);
      on.hooks.guard(AfterModelCall, () => block('Not that.'));
      const result = await on.agent.invoke(user('go'));
      expect(blockReason(result)).toBe('Not that.');
      expect(result.structuredResponse).toBeUndefined();
      expect(on.at.server.requests).toHaveLength(1);
    }
  });

  test('Modify: the structured response is what hooks have made of it', async () => {
    await using on = await make({ city: 'Rome' });
    on.hooks.on(AfterModelCall, ({ response }) =>
      modify({
        response: {
          ...response,
          toolCalls: response.toolCalls.map((call) => ({ ...call, input: { city: 'Oslo' } })),
        },
      }),
    );
    const result = await on.agent.invoke(user('go'));
    expect(result.structuredResponse).toEqual({ city: 'Oslo' });
    expect(JSON.stringify(result)).not.toContain('Rome');
  });

  test('an observer sees what the model has answered, and that no tool runs', async () => {
    await using on = await make({ city: 'Rome' });
    const inputs: unknown[] = [];
    on.hooks.observe(AfterModelCall, ({ response }) => {
      inputs.push(response.toolCalls.map(({ input, isAnswer }) => [input, isAnswer]));
    });
    await on.agent.invoke(user('go'));
    expect(inputs).toEqual([[[{ city: 'Rome' }, true]]]);
  });
});

test.each(['toolStrategy', 'a schema'])(
  'of the calls of an answer, hooks know the one that is it: %s',
  async (form) => {
    const schema = z.object({ city: z.string() });
    const format = toolStrategy(schema);
    const { name } = Object(format)[0] ?? format;
    await using at = await scripted(({ tools, messages }) => {
      const offered = tools?.map((tool) => tool.name) ?? [];
      const answer = offered.find((one) => one !== 'read') ?? name;
      return messages.at(-1)?.role === 'tool'
        ? { toolCalls: [{ name: answer, arguments: { city: 'Rome' } }] }
        : { toolCalls: [{ name: 'read', arguments: { path: 'a' } }] };
    });
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on(AfterModelCall, ({ response }) => {
      seen.push(...response.toolCalls.map(({ isAnswer }) => isAnswer));
      return proceed();
    });
    const agent = createHookedAgent(
      { model: at.model, tools: [readTool().read], responseFormat: form === 'a schema' ? schema : format },
      hooks,
    );
    const result = await agent.invoke(user('go'));
    expect(result.structuredResponse).toEqual({ city: 'Rome' });
    expect(seen).toEqual([undefined, true]);
  },
);
