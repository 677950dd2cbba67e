import {
  AfterModelCall,
  BeforeToolCall,
  block,
  createHooks,
  HookEvent,
  proceed,
  retry,
  Stop,
} from '@hooks/core';
import { generateText, isStepCount, streamText, tool } from 'ai';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { blockReason, conversation, hookedAgent, hookedCall } from '../src/index.ts';
import { pays, payTool, serve, typesOf, watched } from './fixtures.ts';

test('generateText, streamText and an agent tell the same events', async () => {
  const told: (readonly string[])[] = [];
  for (const form of ['agent', 'generateText', 'streamText'] as const) {
    await using served = await serve(pays);
    const { hooks, events } = watched();
    const settings = { model: served.model, tools: { pay: payTool([]) }, stopWhen: isStepCount(4) };
    if (form === 'agent') await hookedAgent(settings, hooks).generate({ prompt: 'Pay.' });
    else {
      const options = hookedCall({ ...settings, prompt: 'Pay.' }, hooks);
      if (form === 'generateText') await generateText(options);
      else await streamText(options).consumeStream();
    }
    await hooks.settled();
    told.push(typesOf(events));
  }
  const [agent, ...others] = told;
  expect(agent).toEqual([
    ...['session_start', 'user_prompt_submit', 'before_run'],
    ...['turn_start', 'before_model_call', 'after_model_call'],
    ...['before_tool_call', 'before_execute', 'transform_tool_result', 'after_tool_call', 'turn_end'],
    ...['turn_start', 'before_model_call', 'after_model_call', 'stop', 'turn_end', 'session_end'],
  ]);
  expect(others).toEqual([agent, agent]);
});

test('blockReason tells why a hook ended a run of the functions', async () => {
  const register = () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => block('That is enough.', { stop: true }));
    return hooks;
  };
  await using served = await serve(() => ({ toolCalls: [{ id: 'c1', name: 'pay', arguments: { sum: 5 } }] }));
  const settings = {
    model: served.model,
    tools: { pay: payTool([]) },
    prompt: 'Pay.',
    stopWhen: isStepCount(4),
  };
  const result = await generateText(hookedCall(settings, register()));
  expect([blockReason(result), result.text]).toEqual(['That is enough.', 'That is enough.']);
  const streamed = streamText(hookedCall(settings, register()));
  expect([blockReason(await streamed.steps), await streamed.text]).toEqual([
    'That is enough.',
    'That is enough.',
  ]);
  expect(served.server.requests).toHaveLength(2);
});

test('a Stop hook makes generateText go on, and conversation keeps what it said', async () => {
  let said = 0;
  await using served = await serve(() => ({ text: `Answer ${++said}.` }));
  const { hooks } = watched();
  hooks.on(Stop, ({ continuations }) => (continuations === 0 ? retry('Give the source.') : proceed()));
  const messages = [{ role: 'user' as const, content: 'Hi.' }];
  const result = await generateText(
    hookedCall({ model: served.model, messages, stopWhen: isStepCount(4) }, hooks),
  );
  expect(result.text).toBe('Answer 2.');
  expect((await conversation(messages, result)).map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'user',
    'assistant',
  ]);
});

test('the usage of a run counts the answers for which a hook retried the call', async () => {
  await using served = await serve([{ text: 'Done.' }]);
  const hooks = createHooks();
  hooks.on(AfterModelCall, ({ attempt }) => (attempt < 3 ? retry('Again.') : proceed()));
  const options = () => hookedCall({ model: served.model, prompt: 'Hi.' }, hooks);
  const used = { inputTokens: 30, outputTokens: 15, totalTokens: 45 };
  expect((await generateText(options())).totalUsage).toMatchObject(used);
  expect(await streamText(options()).totalUsage).toMatchObject(used);
});

test('hooks that hook options twice form one chain, the later ones outside', async () => {
  await using served = await serve(pays);
  const asked: string[] = [];
  const [inner, outer] = ['inner', 'outer'].map((name) => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => {
      asked.push(name);
      return proceed();
    });
    return hooks;
  });
  if (inner === undefined || outer === undefined) throw new Error('There are two.');
  const settings = {
    model: served.model,
    tools: { pay: payTool([]) },
    prompt: 'Pay.',
    stopWhen: isStepCount(4),
  };
  await generateText(hookedCall(hookedCall(settings, inner), outer));
  expect(asked).toEqual(['outer', 'inner']);
});

test.each(['the model', 'a tool'])(
  'what an abort by %s ends of generateText is told as canceled',
  async (who) => {
    const abort = new AbortController();
    const enough = () => abort.abort(new Error('enough'));
    await using served = await serve(() => {
      if (who === 'the model') enough();
      return { toolCalls: [{ id: 'c1', name: 'leave', arguments: {} }] };
    });
    const hooks = createHooks();
    const reasons: unknown[] = [];
    const ended = new Promise<void>((resolve) => {
      hooks.observe(HookEvent, (event) => {
        if (event.type === 'turn_end') reasons.push(Reflect.get(event, 'reason'));
        if (event.type === 'session_end') resolve();
      });
    });
    const leave = tool({ inputSchema: z.object({}), execute: enough });
    const settings = { model: served.model, tools: { leave }, stopWhen: isStepCount(4) };
    const options = hookedCall({ ...settings, prompt: 'Hi.', abortSignal: abort.signal }, hooks);
    await expect(generateText(options)).rejects.toThrow();
    await ended;
    expect(reasons).toEqual(['canceled']);
  },
);
