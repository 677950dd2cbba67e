import {
  AfterModelCall,
  BeforeModelCall,
  BeforeRun,
  block,
  createHooks,
  type EventPayload,
  HookEvent,
  type Hooks,
  MaxIterations,
  modify,
  proceed,
  retry,
  Stop,
  UserPromptSubmit,
} from '@hooks/core';
import { type AIMessage, HumanMessage } from '@langchain/core/messages';
import type { LLMResult } from '@langchain/core/outputs';
import { MemorySaver } from '@langchain/langgraph';
import { createAgent, createMiddleware, modelCallLimitMiddleware } from 'langchain';
import { describe, expect, test } from 'vitest';
import { blockReason, createHookedAgent, hooksMiddleware } from '../src/index.ts';
import { calls, readTool, scripted, user } from './fixtures.ts';

const hello = [{ text: 'The key is tangerine.' }];

describe('BeforeModelCall', () => {
  test('Block: no model is called, the run ends with the reason', async () => {
    await using at = await scripted(hello);
    const hooks = createHooks();
    hooks.on(BeforeModelCall, () => block('No budget.'));
    const result = await createHookedAgent({ model: at.model }, hooks).invoke(user('hi'));
    expect(at.server.requests).toEqual([]);
    expect(blockReason(result)).toBe('No budget.');
  });

  test('instructions, messages, tools and settings are those of this call only', async () => {
    await using at = await scripted(calls({ name: 'read', arguments: { path: 'a' } }));
    const hooks = createHooks();
    hooks.on(BeforeModelCall, ({ iteration, messages }) =>
      iteration === 1
        ? modify({
            instructions: 'Be loud.',
            messages: messages.map((message) => ({ ...message, text: 'changed' })),
            settings: { temperature: 0.5, maxTokens: 7 },
          })
        : modify({ tools: [] }),
    );
    const agent = createHookedAgent(
      { model: at.model, tools: [readTool().read], systemPrompt: 'Be brief.' },
      hooks,
    );
    const result = await agent.invoke(user('hi'));
    const [first, second] = at.server.requests;
    expect(first).toMatchObject({ system: 'Be loud.', settings: { temperature: 0.5, maxTokens: 7 } });
    expect(first?.messages.at(-1)).toEqual({ role: 'user', content: 'changed' });
    expect(first?.tools).toHaveLength(1);
    expect(second).toMatchObject({ system: 'Be brief.', tools: [] });
    expect(result.messages[0]?.text).toBe('hi');
  });
});

test('BeforeModelCall takes away the tools that a hook leaves out, and no others', async () => {
  await using at = await scripted([{ text: 'Hello.' }]);
  const hooks = createHooks();
  hooks.on(BeforeModelCall, ({ tools }) => modify({ tools: tools.filter(({ name }) => name !== 'read') }));
  const parameters = { type: 'object', properties: {} };
  const hosted = { type: 'function', function: { name: 'hosted', description: 'Is hosted.', parameters } };
  await createHookedAgent({ model: at.model, tools: [readTool().read, hosted] }, hooks).invoke(user('hi'));
  expect(at.server.requests).toMatchObject([{ tools: [{ name: 'hosted' }] }]);
});

test('of a user message that BeforeModelCall rewrites, parts that are no text stay', async () => {
  await using at = await scripted([{ text: 'Hello.' }]);
  const hooks = createHooks();
  hooks.on(BeforeModelCall, ({ messages }) =>
    modify({
      messages: messages.map((message) => ({ ...message, text: message.text.replace('me', '***') })),
    }),
  );
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
  const prompt = new HumanMessage({ content: [{ type: 'text', text: 'Is it me?' }, image] });
  await createHookedAgent({ model: at.model }, hooks).invoke({ messages: [prompt] });
  expect(at.server.requests).toMatchObject([
    { body: { messages: [{ content: [{ type: 'text', text: 'Is it ***?' }, image] }] } },
  ]);
});

describe.each([false, true])('AfterModelCall (streamed: %s)', (streamed) => {
  const run = async (
    model: Awaited<ReturnType<typeof scripted>>['model'],
    hooks: ReturnType<typeof createHooks>,
  ) => {
    const agent = createHookedAgent({ model, tools: [readTool().read] }, hooks);
    if (!streamed) {
      const result = await agent.invoke(user('hi'));
      return {
        seen: JSON.stringify(result),
        text: result.messages.at(-1)?.text,
        reason: blockReason(result),
      };
    }
    let seen = '';
    let last: { messages: { text: string }[] } = { messages: [] };
    for await (const [mode, chunk] of await agent.stream(user('hi'), {
      streamMode: ['messages', 'updates', 'values'],
    })) {
      seen += JSON.stringify(chunk);
      if (mode === 'values') last = chunk;
    }
    for await (const event of agent.streamEvents(user('hi'), { version: 'v2' }))
      seen += JSON.stringify(event);
    const v3 = await agent.streamEvents(user('hi'), { version: 'v3' });
    seen += JSON.stringify(await v3.output);
    return { seen, text: last.messages.at(-1)?.text, reason: blockReason(last) };
  };

  test('Block: the answer is withheld from every stream', async () => {
    await using at = await scripted(hello);
    const hooks = createHooks();
    hooks.on(AfterModelCall, () => block('Not to be said.'));
    const { seen, reason } = await run(at.model, hooks);
    expect(reason).toBe('Not to be said.');
    expect(seen.includes('tangerine')).toBe(false);
  });

  test('Modify: only the new answer is seen', async () => {
    await using at = await scripted(hello);
    const hooks = createHooks();
    hooks.on(AfterModelCall, ({ response }) =>
      modify({ response: { ...response, text: 'The key is hidden.' } }),
    );
    const { seen, text } = await run(at.model, hooks);
    expect(text).toBe('The key is hidden.');
    expect(seen.includes('tangerine')).toBe(false);
  });

  type Last = 'stands' | 'is replaced' | 'is refused';
  const lasts: readonly Last[] = ['stands', 'is replaced', 'is refused'];
  /** Hooks that retry the first answer, and decide on the last one. */
  const retryingOnce = (last: Last): Hooks => {
    const hooks = createHooks();
    hooks.on(AfterModelCall, ({ attempt, response }) => {
      if (attempt === 1) return retry('again');
      if (last === 'is refused') return block('No.');
      return last === 'stands' ? proceed() : modify({ response: { ...response, text: 'Bye.' } });
    });
    return hooks;
  };

  test.each(lasts)(
    'Retry: a callback is told what both answers took, where the last one %s',
    async (last) => {
      await using at = await scripted(() => ({ text: 'Hello.' }));
      const hooks = retryingOnce(last);
      const told: unknown[] = [];
      const callbacks = [
        {
          handleLLMEnd({ llmOutput, generations }: LLMResult) {
            const { message }: { message?: AIMessage } = Object(generations[0]?.[0]);
            told.push([llmOutput?.['tokenUsage'], message?.usage_metadata]);
          },
        },
      ];
      await createHookedAgent({ model: at.model }, hooks).invoke(user('hi'), { callbacks });
      expect(told).toMatchObject([
        [
          { promptTokens: 20, completionTokens: 10, totalTokens: 30 },
          { input_tokens: 20, output_tokens: 10, total_tokens: 30 },
        ],
      ]);
    },
  );

  test.each(lasts)(
    'Retry: with `holdStream: false`, the last answer counts what both took, where it %s',
    async (last) => {
      await using at = await scripted(() => ({ text: 'Hello.' }));
      const hooks = retryingOnce(last);
      const agent = createHookedAgent({ model: at.model }, hooks, { holdStream: false });
      const { messages } = await agent.invoke(user('hi'));
      expect(messages.at(-1)).toMatchObject({ usage_metadata: { input_tokens: 20, output_tokens: 10 } });
    },
  );

  test('Retry: the model is asked again, and the first answer is seen nowhere', async () => {
    await using at = await scripted(({ attempt }) => ({ text: attempt % 2 === 1 ? 'tangerine' : 'apple' }));
    const hooks = createHooks();
    hooks.on(AfterModelCall, ({ response }) => (response.text === 'tangerine' ? retry('again') : proceed()));
    const { seen, text } = await run(at.model, hooks);
    expect(text).toBe('apple');
    expect(seen.includes('tangerine')).toBe(false);
  });

  test('tool calls that a hook leaves are called', async () => {
    await using at = await scripted(calls({ name: 'read', arguments: { path: 'a' }, id: 'c1' }));
    const hooks = createHooks();
    hooks.on(AfterModelCall, ({ response }) =>
      modify({
        response: {
          ...response,
          toolCalls: response.toolCalls.map((call) => ({ ...call, input: { path: 'b' } })),
        },
      }),
    );
    const { seen } = await run(at.model, hooks);
    expect(seen).toContain('content of b');
  });
});

test('BeforeRun chooses model and settings of the run', async () => {
  await using at = await scripted(hello);
  const hooks = createHooks();
  hooks.on(UserPromptSubmit, () => modify({ metadata: { hard: true } }));
  hooks.on(BeforeRun, ({ metadata }) =>
    modify(metadata['hard'] ? { model: 'bigger', settings: { temperature: 1 } } : {}),
  );
  await createHookedAgent({ model: at.model }, hooks).invoke(user('hi'));
  expect(at.server.requests).toMatchObject([{ model: 'bigger', settings: { temperature: 1 } }]);
});

describe.each(['createHookedAgent', 'hooksMiddleware'] as const)('Stop by %s', (how) => {
  test('Retry: its reason is the next user message, at most three times', async () => {
    await using at = await scripted(() => ({ text: 'Finished.' }));
    const hooks = createHooks();
    hooks.on(Stop, ({ response }) => retry(`${response} Really?`));
    const result = await (how === 'createHookedAgent'
      ? createHookedAgent({ model: at.model }, hooks)
      : createAgent({ model: at.model, middleware: [hooksMiddleware(hooks)] })
    ).invoke(user('hi'));
    expect(at.server.requests).toHaveLength(4);
    expect(result.messages.filter(({ text }) => text === 'Finished. Really?')).toHaveLength(3);
  });
});

test.each(['hooksMiddleware', 'graph'] as const)('the prompt is hooked by %s, too', async (how) => {
  await using at = await scripted(() => ({ text: 'Hello.' }));
  const hooks = createHooks();
  hooks.on(UserPromptSubmit, ({ prompt }) =>
    prompt.includes('tangerine') ? block('No fruit.') : modify({ prompt: 'changed' }),
  );
  const checkpointer = new MemorySaver();
  const runner =
    how === 'graph'
      ? createHookedAgent({ model: at.model, checkpointer }, hooks).graph
      : createAgent({ model: at.model, checkpointer, middleware: [hooksMiddleware(hooks)] });
  const config = { configurable: { thread_id: 't' } };
  const refused = await runner.invoke(user('a tangerine'), config);
  expect(at.server.requests).toEqual([]);
  expect(blockReason(refused)).toBe('No fruit.');
  await runner.invoke(user('an apple'), config);
  expect(at.server.requests[0]?.messages.at(-1)?.content).toBe('changed');
  expect(JSON.stringify(at.server.requests)).not.toContain('tangerine');
});

test('turns, errors and the limit are told, on every way out', async () => {
  const told = async (run: (hooks: ReturnType<typeof createHooks>) => Promise<unknown>) => {
    const hooks = createHooks();
    const events: EventPayload[] = [];
    hooks.observe(HookEvent, (event) => void events.push(event));
    await run(hooks).catch(() => {});
    return events
      .filter(({ type }) =>
        ['turn_end', 'agent_error', 'max_iterations', 'notification', 'session_end'].includes(type),
      )
      .map((event) => ('reason' in event ? `${event.type} ${event.reason}` : event.type));
  };
  await using good = await scripted(calls({ name: 'read', arguments: { path: 'a' } }));
  const tools = [readTool().read];
  expect(
    await told((hooks) => createHookedAgent({ model: good.model, tools }, hooks).invoke(user('hi'))),
  ).toEqual(['turn_end continue', 'turn_end normal', 'session_end other']);
  await using bad = await scripted([{ status: 400, error: 'No credit.' }]);
  expect(
    await told((hooks) => createHookedAgent({ model: bad.model, tools }, hooks).invoke(user('hi'))),
  ).toEqual(['agent_error', 'notification', 'turn_end error', 'session_end other']);
  await using endless = await scripted(() => ({ toolCalls: [{ name: 'read', arguments: { path: 'a' } }] }));
  expect(
    await told((hooks) =>
      createHookedAgent({ model: endless.model, tools }, hooks).invoke(user('hi'), { recursionLimit: 4 }),
    ),
  ).toEqual(
    expect.arrayContaining(['max_iterations', 'notification', 'turn_end continue', 'session_end other']),
  );
  await using slow = await scripted(hello);
  expect(
    await told(async (hooks) => {
      for await (const _ of await createHookedAgent({ model: slow.model }, hooks).stream(user('hi'))) break;
      await hooks.close();
    }),
  ).toContain('session_end other');
});

test("LangChain's own limit of model calls is one, too", async () => {
  await using endless = await scripted(() => ({ toolCalls: [{ name: 'read', arguments: { path: 'a' } }] }));
  const hooks = createHooks();
  const limits: number[] = [];
  hooks.observe(MaxIterations, ({ maxIterations }) => void limits.push(maxIterations));
  // The middleware's own types resolve to `undefined` here.
  const middleware = [modelCallLimitMiddleware({ runLimit: 3, exitBehavior: 'error' } as never) as never];
  const agent = createHookedAgent({ model: endless.model, tools: [readTool().read], middleware }, hooks);
  await expect(agent.invoke(user('hi'))).rejects.toThrow(/limit/);
  expect(limits).toEqual([3]);
});

test('an answer that a middleware writes on after it was decided on is decided on again', async () => {
  await using at = await scripted([{ text: 'fine' }]);
  const writes = createMiddleware({
    name: 'writes',
    wrapModelCall: async (request, handler) => {
      const message = (await handler(request)) as AIMessage;
      message.content = 'secret';
      return message;
    },
  });
  const hooks = createHooks();
  hooks.guard(AfterModelCall, ({ response }) =>
    response.text === 'secret' ? block('Not that.') : proceed(),
  );
  const agent = createHookedAgent({ model: at.model, middleware: [writes] }, hooks);
  expect(blockReason(await agent.invoke(user('go')))).toBe('Not that.');
});
