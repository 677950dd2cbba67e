/** Runs of one thread whose agent has the middleware alone: nobody tells it where they end. */
import { BeforeModelCall, createHooks, proceed, sessionKey, UserPromptSubmit } from '@hooks/core';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import { createAgent } from 'langchain';
import { expect, test } from 'vitest';
import { hooksMiddleware } from '../src/index.ts';
import { readTool, user } from './fixtures.ts';

const RUNS = 1_100;
const thread = { configurable: { thread_id: 't' } };

/** Reads once, and then answers. Thousands of requests to a server would take most of a minute. */
class ReadingModel extends BaseChatModel {
  _llmType(): string {
    return 'reading';
  }

  override bindTools(): this {
    return this;
  }

  async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const reads = messages.at(-1)?.type === 'human';
    const message = new AIMessage(
      reads ? { content: '', tool_calls: [{ id: 'c1', name: 'read', args: { path: 'a' } }] } : 'Done.',
    );
    return { generations: [{ text: message.text, message }] };
  }
}

/** Hooks that note the model calls of each run, in a list that ends with the run. */
function counting() {
  const hooks = createHooks();
  const key = sessionKey<number[]>('test/iterations');
  const counts = new Set<number[]>();
  let prompts = 0;
  hooks.on(UserPromptSubmit, () => {
    prompts++;
    return proceed();
  });
  hooks.on(BeforeModelCall, ({ session, run = '', iteration }) => {
    const count = session.run(run).get(key, () => []);
    count.push(iteration);
    counts.add(count);
    return proceed();
  });
  return { hooks, counts, prompts: () => prompts };
}

test('no run forgets its count while 1,100 others wait', async () => {
  const all = Promise.withResolvers<void>();
  let waiting = 0;
  const { read } = readTool(async () => {
    if (++waiting === RUNS) all.resolve();
    await all.promise;
  });
  const { hooks, counts, prompts } = counting();
  const agent = createAgent({
    model: new ReadingModel({}),
    tools: [read],
    middleware: [hooksMiddleware(hooks)],
  });
  await Promise.all(Array.from({ length: RUNS }, () => agent.invoke(user('hi'), thread)));
  expect(prompts()).toBe(RUNS);
  expect([...counts].map(String)).toEqual(Array.from({ length: RUNS }, () => '1,2'));
}, 300_000);

test('a run that waits keeps its count, however many others have answered meanwhile', async () => {
  const others = Promise.withResolvers<void>();
  let first = true;
  const { read } = readTool(async () => {
    if (!first) return;
    first = false;
    await others.promise;
  });
  const { hooks, counts, prompts } = counting();
  const agent = createAgent({
    model: new ReadingModel({}),
    tools: [read],
    middleware: [hooksMiddleware(hooks)],
  });
  const waiting = agent.invoke(user('hi'), thread);
  for (let nth = 0; nth < RUNS; nth++) await agent.invoke(user('hi'), thread);
  others.resolve();
  await waiting;
  expect(prompts()).toBe(RUNS + 1);
  expect([...counts].map(String)).toEqual(Array.from({ length: RUNS + 1 }, () => '1,2'));
}, 300_000);
