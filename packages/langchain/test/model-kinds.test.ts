import { AfterModelCall, createHooks, type Hooks, modify } from '@hooks/core';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { createAgent, createMiddleware, initChatModel } from 'langchain';
import { describe, expect, test } from 'vitest';
import { createHookedAgent, hooksMiddleware } from '../src/index.ts';
import { scripted, user } from './fixtures.ts';

/** However a model was made, a hook decides on its answers before anybody sees them. */

type Model = Parameters<typeof createHookedAgent>[0]['model'];

// A stream cuts a text every eight characters.
const answer = 'tangelo is the key.';

const byName = (baseURL: string) =>
  initChatModel('openai:scripted', { apiKey: 'none', maxRetries: 0, configuration: { baseURL } });

const kinds: readonly [string, (url: string, plain: Model) => Model | Promise<Model>][] = [
  ['a chat model', (_, plain) => plain],
  ['one that is chosen by name and made when it is called', byName],
  ['one of another maker, without a server', () => new FakeListChatModel({ responses: [answer] })],
];

function hiding(): Hooks {
  const hooks = createHooks();
  hooks.on(AfterModelCall, ({ response }) =>
    modify({ response: { ...response, text: response.text.replace('tangelo', '[hidden]') } }),
  );
  return hooks;
}

describe.each([false, true])('streamed: %s', (streamed) => {
  /** All that a caller gets of a run. */
  async function seen(agent: ReturnType<typeof createHookedAgent>): Promise<string> {
    if (!streamed) return JSON.stringify(await agent.invoke(user('hi')));
    const chunks: unknown[] = [];
    for await (const chunk of await agent.stream(user('hi'), { streamMode: ['messages', 'values'] }))
      chunks.push(chunk);
    return JSON.stringify(chunks);
  }

  test.each(kinds)('%s', async (_, modelOf) => {
    await using at = await scripted([{ text: answer }]);
    const agent = createHookedAgent({ model: await modelOf(at.server.url, at.model) }, hiding());
    const text = await seen(agent);
    expect(text).toContain('[hidden] is the key.');
    expect(text).not.toContain('tangelo');
  });

  test('one that an outer middleware puts in its place', async () => {
    await using at = await scripted([{ text: answer }]);
    const other = await byName(at.server.url);
    const outer = createMiddleware({
      name: 'outer',
      wrapModelCall: (request, handler) => handler({ ...request, model: other }),
    });
    const model = new FakeListChatModel({ responses: ['never'] });
    const text = await seen(createAgent({ model, middleware: [outer, hooksMiddleware(hiding())] }));
    expect(text).toContain('[hidden] is the key.');
    expect(text).not.toContain('tangelo');
  });
});
