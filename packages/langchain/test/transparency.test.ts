/** With nothing but observers, an agent behaves as without hooks. */
import { createHooks, HookEvent, type Hooks } from '@hooks/core';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { Command, MemorySaver } from '@langchain/langgraph';
import {
  type CreateAgentParams,
  createAgent,
  createMiddleware,
  humanInTheLoopMiddleware,
  modelRetryMiddleware,
  tool,
} from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createHookedAgent } from '../src/index.ts';
import { calls, readTool, scripted, user } from './fixtures.ts';

interface Agent {
  invoke(input: unknown, config?: unknown): Promise<{ readonly messages: readonly { text: string }[] }>;
  stream(input: unknown, config?: unknown): Promise<AsyncIterable<unknown>>;
}

function observing(): Hooks {
  const hooks = createHooks();
  hooks.observe(HookEvent, () => {});
  return hooks;
}

/** The same agent bare and observed. */
const ways: readonly [string, (params: object) => Agent][] = [
  ['bare', (params) => createAgent(params as CreateAgentParams) as never],
  ['observed', (params) => createHookedAgent(params as CreateAgentParams, observing()) as never],
];

/** What the client of the provider throws where nobody answers. */
class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

class Broken extends BaseChatModel {
  tries = 0;
  override _llmType(): string {
    return 'broken';
  }
  override bindTools(): this {
    return this;
  }
  override async _generate(): Promise<never> {
    this.tries++;
    throw new Unreachable('nobody answers');
  }
}

const passing = createMiddleware({ name: 'passing', wrapModelCall: (request, handler) => handler(request) });

describe.each(ways)('%s', (how, make) => {
  const broken = () => new Broken({});

  test("a model's error is the one that the model threw", async () => {
    const error = make({ model: broken() }).invoke(user('hi'));
    await expect(error).rejects.toBeInstanceOf(Unreachable);
    const streamed = async () => {
      for await (const _ of await make({ model: broken() }).stream(user('hi')));
    };
    await expect(streamed()).rejects.toBeInstanceOf(Unreachable);
  });

  test('retries of a middleware tell errors by their class', async () => {
    const model = broken();
    const retries = modelRetryMiddleware({
      maxRetries: 2,
      retryOn: [Unreachable],
      initialDelayMs: 1,
      onFailure: 'continue',
    });
    await make({ model, middleware: [retries] }).invoke(user('hi'));
    expect(model.tries).toBe(3);
  });

  test('an error behind a middleware of the user is wrapped once, as by LangChain', async () => {
    const error: Error = await make({ model: broken(), middleware: [passing] })
      .invoke(user('hi'))
      .then(
        () => new Error('none'),
        (thrown) => thrown,
      );
    const causes: unknown[] = [];
    for (let at: unknown = error; at instanceof Error; at = at.cause) causes.push(at.constructor.name);
    expect(causes).toEqual(['MiddlewareError', 'Unreachable']);
  });

  test("a Command of a middleware's wrapModelCall is applied once", async () => {
    await using at = await scripted(() => ({ text: 'Hello.' }));
    const commanding = createMiddleware({
      name: 'commanding',
      wrapModelCall: () =>
        new Command({ update: { messages: [{ role: 'assistant', content: 'Instead.' }] } }) as never,
    });
    const { messages } = await make({ model: at.model, middleware: [commanding] }).invoke(user('hi'));
    expect(messages.map(({ text }) => text)).toEqual(['hi', 'Instead.']);
  });

  test('a tool that a middleware adds and none runs is refused', async () => {
    await using at = await scripted(() => ({ text: 'Hello.' }));
    const { read } = readTool();
    const adding = createMiddleware({
      name: 'adding',
      wrapModelCall: (request, handler) => handler({ ...request, tools: [...request.tools, read] }),
    });
    const run = make({ model: at.model, middleware: [adding] }).invoke(user('hi'));
    await expect(run).rejects.toThrow(/added a new tool in "wrapModelCall".*read.*"wrapToolCall"/);
    expect(at.server.requests).toEqual([]);
  });

  test('an agent without tools ends with the answer of its model, whatever tools that calls', async () => {
    await using at = await scripted(calls({ name: 'read', arguments: { path: 'a' } }));
    await make({ model: at.model }).invoke(user('hi'));
    expect(at.server.requests).toHaveLength(1);
  });

  test('the runs of a sub-agent carry its own name', async () => {
    await using at = await scripted(({ messages }) => {
      const asksAgain = messages.length === 1 && messages[0]?.content === 'go';
      return asksAgain ? { toolCalls: [{ name: 'ask', arguments: {} }] } : { text: 'Blue.' };
    });
    const painter = make({ model: at.model, name: 'painter' });
    const ask = tool(async () => (await painter.invoke(user('Which colour?'))).messages.at(-1)?.text ?? '', {
      name: 'ask',
      description: 'Asks.',
      schema: z.object({}),
    });
    const names: unknown[] = [];
    const callbacks = [
      {
        handleChatModelStart: (...args: readonly unknown[]) =>
          void names.push(Reflect.get(Object(args[6]), 'lc_agent_name')),
      },
    ];
    await make({ model: at.model, tools: [ask], name: 'chief' }).invoke(user('go'), { callbacks });
    expect(names, how).toEqual(['chief', 'painter', 'chief']);
  });

  test('a humanInTheLoopMiddleware refuses decisions that it does not expect', async () => {
    await using at = await scripted(calls({ name: 'read', arguments: { path: 'a' }, id: 'c1' }));
    const { read, ran } = readTool();
    const middleware = [humanInTheLoopMiddleware({ interruptOn: { read: true } } as never)];
    const agent = make({ model: at.model, tools: [read], middleware, checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: 't' } };
    await agent.invoke(user('go'), config);
    const wrong = agent.invoke(new Command({ resume: { decisions: [] } }), config);
    await expect(wrong).rejects.toThrow(/Number of human decisions \(0\)/);
    expect(ran).toEqual([]);
  });
});
