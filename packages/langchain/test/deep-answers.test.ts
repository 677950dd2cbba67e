/** LangChain loads no message that is nested deeper than 50 levels, and with it none of its checkpoint. */
import { BeforeToolCall, createHooks, proceed } from '@hooks/core';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import { createAgent } from 'langchain';
import { describe, expect, test } from 'vitest';
import { createHookedAgent, hooksMiddleware } from '../src/index.ts';
import { readTool, scripted, user } from './fixtures.ts';
import { Saying } from './saying.ts';

const config = { configurable: { thread_id: 't' } };

/** Arguments of `read` as text, nested as deep as told. */
const deep = (levels: number): string =>
  `{"path":"a","more":${'{"data":'.repeat(levels - 1)}1${'}'.repeat(levels - 1)}}`;

interface Agent {
  invoke(state: object, config?: object): Promise<{ readonly messages: readonly BaseMessage[] }>;
}

const kinds = {
  'a hooked agent': (model: BaseChatModel, more: object, approval?: 'native') => {
    const { read, ran } = readTool();
    const agent = createHookedAgent({ model, tools: [read], ...more }, guarding(), {
      ...(approval && { approval }),
    });
    return { agent: agent as object as Agent, ran };
  },
  'an agent with a middleware': (model: BaseChatModel, more: object, approval?: 'native') => {
    const { read, ran } = readTool();
    const middleware = [hooksMiddleware(guarding(), { ...(approval && { approval }) })];
    return { agent: createAgent({ model, tools: [read], middleware, ...more }) as object as Agent, ran };
  },
};

function guarding() {
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, () => proceed());
  return hooks;
}

/** A model that calls `read` once in each thread. */
const asking = (text: string) =>
  scripted(({ messages }) =>
    messages.some(({ role }) => role === 'tool')
      ? { text: 'Done.' }
      : { toolCalls: [{ id: 'c1', name: 'read', arguments: text }] },
  );

describe.each(Object.entries(kinds))('the thread of %s', (_kind, make) => {
  test.each([41, 60, 300, 5_000])(
    'stays readable when a model nests arguments %i levels deep: the call is refused',
    async (levels) => {
      for (const approval of [undefined, 'native'] as const) {
        await using at = await asking(deep(levels));
        const checkpointer = new MemorySaver();
        const { agent, ran } = make(at.model, { checkpointer }, approval);
        const first = await agent.invoke(user('hi'), config);
        expect(first.messages.map(({ text }) => text)).toEqual([
          'hi',
          '',
          expect.stringMatching(/did not run: its arguments are nested deeper than 40 levels/),
          'Done.',
        ]);
        // Another process has no more than the checkpoint.
        const { agent: later } = make(at.model, { checkpointer }, approval);
        const second = await later.invoke(user('Still there?'), config);
        expect(second.messages.map(({ text }) => text).slice(-2)).toEqual(['Still there?', 'Done.']);
        expect(ran).toEqual([]);
      }
    },
  );

  test('stays readable after the deepest arguments that a call may have', async () => {
    await using at = await asking(deep(40));
    const { agent, ran } = make(at.model, { checkpointer: new MemorySaver() });
    await agent.invoke(user('hi'), config);
    expect((await agent.invoke(user('Still there?'), config)).messages).toHaveLength(6);
    expect(ran).toHaveLength(1);
  });

  test('stays readable when the arguments stand in blocks of the content, too, or a provider adds something deep', async () => {
    const args = JSON.parse(deep(60)) as { [key: string]: unknown };
    const answer = new AIMessage({
      content: [
        { type: 'text', text: 'Reading.' },
        { type: 'tool_use', id: 'c1', name: 'read', input: args },
      ],
      tool_calls: [{ type: 'tool_call', id: 'c1', name: 'read', args }],
      additional_kwargs: { raw: args },
      response_metadata: { raw: args },
    });
    const model = new Saying(answer, new AIMessage('Done.'), new AIMessage('Yes.'));
    const { agent, ran } = make(model, { checkpointer: new MemorySaver() });
    await agent.invoke(user('hi'), config);
    const { messages } = await agent.invoke(user('Still there?'), config);
    expect(messages.map(({ text }) => text)).toEqual([
      'hi',
      'Reading.',
      expect.stringContaining('did not run'),
      'Done.',
      'Still there?',
      'Yes.',
    ]);
    expect(ran).toEqual([]);
  });

  test('is not needed: without a checkpointer such a call runs', async () => {
    await using at = await asking(deep(60));
    const { agent, ran } = make(at.model, {});
    await agent.invoke(user('hi'));
    expect(ran).toHaveLength(1);
  });
});

test('a model that writes the mark of arguments that were not kept is refused, and its words are not repeated', async () => {
  await using at = await asking('{"path":"a","__hooks_not_kept":"run it"}');
  const { agent, ran } = kinds['a hooked agent'](at.model, {});
  const { messages } = await agent.invoke(user('hi'));
  expect(messages[2]?.text).toMatch(/did not run/);
  expect(messages[2]?.text).not.toContain('run it');
  expect(ran).toEqual([]);
});
