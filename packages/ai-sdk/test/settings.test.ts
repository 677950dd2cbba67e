import { BeforeModelCall, BeforeRun, BeforeToolCall, block, createHooks, modify, proceed } from '@hooks/core';
import {
  experimental_createSteering,
  experimental_toolCaller,
  generateText,
  isStepCount,
  ToolLoopAgent,
  tool,
} from 'ai';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent, hookedCall, hookModel, hookTools } from '../src/index.ts';
import { pays, payTool, read, serve, typesOf, watched } from './fixtures.ts';

const no = () => block('Not today.');

test('tools and a model that prepareCall brings are hooked', async () => {
  await using first = await serve([{ text: 'Never asked.' }]);
  await using served = await serve(pays);
  const ran: unknown[] = [];
  const { hooks, events } = watched();
  hooks.on(BeforeToolCall, no);
  const agent = hookedAgent(
    {
      model: first.model,
      prepareCall: (call) => ({ ...call, model: served.model, tools: { pay: payTool(ran) } }),
    },
    hooks,
  );
  expect((await agent.generate({ prompt: 'Pay.' })).text).toBe('Paid.');
  expect(ran).toEqual([]);
  expect(read(served.server)).toEqual({ c1: 'Not today.' });
  expect(typesOf(events).filter((type) => type === 'before_model_call')).toHaveLength(2);
});

test('a model that prepareStep brings is hooked', async () => {
  await using served = await serve(pays);
  const { hooks } = watched();
  hooks.on(BeforeModelCall, no);
  const agent = hookedAgent(
    { model: served.model, tools: { pay: payTool([]) }, prepareStep: () => ({ model: served.model }) },
    hooks,
  );
  expect((await agent.generate({ prompt: 'Pay.' })).text).toBe('Not today.');
  expect(served.server.requests).toEqual([]);
});

test.each(['BeforeRun', 'BeforeModelCall'])(
  'a setting that does not reach the model is refused on %s',
  async (point) => {
    await using served = await serve(pays);
    const { hooks } = watched();
    const shows = () => modify({ settings: { reasoningVisible: true } });
    if (point === 'BeforeRun') hooks.on(BeforeRun, shows);
    else hooks.on(BeforeModelCall, shows);
    const agent = hookedAgent({ model: served.model, tools: { pay: payTool([]) } }, hooks);
    expect((await agent.generate({ prompt: 'Pay.' })).text).toContain(
      'the setting "reasoningVisible" does not reach the model here',
    );
    expect(served.server.requests).toEqual([]);
  },
);

test('what a local tool caller calls is hooked, as a call inside its own', async () => {
  await using served = await serve([
    { toolCalls: [{ id: 'outer', name: 'code', arguments: { js: 'pay()' } }] },
    { text: 'Done.' },
  ]);
  const ran: unknown[] = [];
  const { hooks } = watched();
  const inside: unknown[] = [];
  hooks.on(BeforeToolCall.matching('pay'), ({ parentCallId }) => {
    inside.push(parentCallId);
    return block('Not today.');
  });
  const inputSchema = z.object({ js: z.string() });
  const code = experimental_toolCaller(tool({ inputSchema, execute: async () => 'unbound' }), {
    type: 'local',
    bind: (tools) =>
      tool({
        inputSchema,
        execute: async (_input, options) => {
          const call = tools['pay']?.execute;
          return Promise.resolve(call?.({ sum: 5 }, options as never)).catch(String);
        },
      }),
  });
  const agent = hookedAgent(
    {
      model: served.model,
      tools: { pay: payTool(ran), code },
      experimental_toolCallers: { pay: ['code'] },
    },
    hooks,
  );
  await agent.generate({ prompt: 'Pay.' });
  expect(ran).toEqual([]);
  expect(inside).toEqual(['outer']);
  expect(read(served.server)).toEqual({ outer: 'Not today.' });
});

test('hooking leaves settings, tools and a model as they were', async () => {
  await using served = await serve(pays);
  const { hooks } = watched();
  hooks.on(BeforeToolCall, no);
  const ran: unknown[] = [];
  const settings = { model: served.model, tools: { pay: payTool(ran) }, stopWhen: isStepCount(3) };
  const before = { ...settings, tools: { pay: { ...settings.tools.pay } } };
  hookedAgent(settings, hooks);
  hookedCall({ ...settings, prompt: 'Pay.' }, hooks);
  hookTools(settings.tools, hooks);
  hookModel(settings.model, hooks);
  expect(settings).toEqual(before);
  await new ToolLoopAgent(settings).generate({ prompt: 'Pay.' });
  expect(ran).toEqual([{ sum: 5 }]);
});

test('an agent that was made already is refused, since its settings are private', () => {
  const agent = new ToolLoopAgent({ model: 'openai/gpt-5' });
  expect(() => hookedAgent(agent, createHooks())).toThrow(/settings of an agent that was made already/);
});

test('options of hookedCall serve one call: the AI SDK refuses them a second time', async () => {
  await using served = await serve([{ text: 'Hello.' }]);
  const { hooks } = watched();
  const options = hookedCall({ model: served.model, prompt: 'Hi.' }, hooks);
  expect((await generateText(options)).text).toBe('Hello.');
  await expect(generateText(options)).rejects.toThrow(/steering object was already used/);
});

test('options of hookedCall go through the hooks that are registered when the call runs', async () => {
  await using served = await serve(pays);
  const hooks = createHooks();
  const ran: unknown[] = [];
  const options = hookedCall({ model: served.model, prompt: 'Hi.', tools: { pay: payTool(ran) } }, hooks);
  hooks.on(BeforeToolCall, no);
  const { content } = await generateText(options);
  expect(content).toContainEqual(expect.objectContaining({ type: 'tool-error', toolName: 'pay' }));
  expect(ran).toEqual([]);
});

test('a tool of hooked options that runs before the AI SDK asks anything is hooked', async () => {
  const { hooks } = watched();
  const ran: unknown[] = [];
  hooks.on(BeforeToolCall, () => block('Not yet.'));
  const { tools } = hookedCall(
    { model: 'openai/gpt-5', tools: { pay: payTool(ran) }, prompt: 'Pay.' },
    hooks,
  );
  const call = Promise.resolve(
    tools?.pay.execute?.({ sum: 5 }, { toolCallId: 'c1', messages: [], context: {} }),
  );
  await expect(call).rejects.toThrow('Not yet.');
  expect(ran).toEqual([]);
});

test('a model of hooked options that is called before the AI SDK asks anything is hooked', async () => {
  await using served = await serve([{ text: 'Hello.' }]);
  const { hooks } = watched();
  hooks.on(BeforeModelCall, () => block('Not yet.'));
  const { model } = hookedCall({ model: served.model, prompt: 'Hi.' }, hooks);
  expect((await generateText({ model, prompt: 'Hi.' })).text).toBe('Not yet.');
  expect(served.server.requests).toEqual([]);
});

test("a user's own steering works, and its messages are put to hooks", async () => {
  await using served = await serve([
    { toolCalls: [{ id: 'c1', name: 'pay', arguments: { sum: 5 } }] },
    { text: 'Paid.' },
  ]);
  const { hooks, events } = watched();
  const steering = experimental_createSteering();
  const pay = tool({
    inputSchema: z.object({ sum: z.number() }),
    execute: async () => {
      void steering.steer('Hurry up.');
      return 'paid';
    },
  });
  const agent = hookedAgent({ model: served.model, tools: { pay } }, hooks);
  await agent.generate({ prompt: 'Pay.', experimental_steering: steering } as Parameters<
    typeof agent.generate
  >[0]);
  expect(events.filter(({ type }) => type === 'user_prompt_submit')).toMatchObject([
    { prompt: 'Pay.' },
    { prompt: 'Hurry up.', delivery: 'steering' },
  ]);
  expect(served.server.requests[1]?.messages.at(-1)).toMatchObject({ role: 'user', content: 'Hurry up.' });
});

test('principal and session are told by the runtime context and the options of a call', async () => {
  await using served = await serve(pays);
  const { hooks, events } = watched();
  hooks.on(BeforeToolCall, () => proceed());
  const agent = hookedAgent(
    {
      model: served.model,
      tools: { pay: payTool([]) },
      callOptionsSchema: z.object({ user: z.string(), chat: z.string() }),
      prepareCall: ({ options, ...call }) => ({ ...call, runtimeContext: { user: options?.user } }),
    },
    hooks,
    {
      principal: ({ runtimeContext }) => ({ id: String(Reflect.get(Object(runtimeContext), 'user')) }),
      session: ({ options }) => String(Reflect.get(Object(options), 'chat')),
    },
  );
  await agent.generate({ prompt: 'Pay.', options: { user: 'ada', chat: 'chat-1' } });
  for (const event of events)
    expect(event).toMatchObject({ principal: { id: 'ada' }, session: { id: 'chat-1' } });
});

test('a hooked model alone asks about its calls, and not twice in an agent of the same hooks', async () => {
  await using served = await serve(() => ({ text: 'Hello.' }));
  const { hooks } = watched();
  let times = 0;
  hooks.on(BeforeModelCall, () => {
    times++;
    return proceed();
  });
  const model = hookModel(served.model, hooks);
  await generateText({ model, prompt: 'Hi.' });
  expect(times).toBe(1);
  await hookedAgent({ model }, hooks).generate({ prompt: 'Hi.' });
  expect(times).toBe(2);
});
