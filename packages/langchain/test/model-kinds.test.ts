import { AfterModelCall, createHooks, modify } from '@hooks/core';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { initChatModel } from 'langchain';
import { describe, expect, test } from 'vitest';
import { createHookedAgent } from '../src/index.ts';
import { scripted, user } from './fixtures.ts';

/** However a model was made, a hook decides on its answers before anybody sees them. */

type Model = Parameters<typeof createHookedAgent>[0]['model'];

const script = [{ text: 'The key is tangerine.' }];

const kinds: readonly [string, (url: string, plain: Model) => Model | Promise<Model>][] = [
  ['a chat model', (_, plain) => plain],
  [
    'one that is chosen by name and made when it is called',
    (url) =>
      initChatModel('openai:scripted', { apiKey: 'none', maxRetries: 0, configuration: { baseURL: url } }),
  ],
  [
    'one of another maker, without a server',
    () => new FakeListChatModel({ responses: ['The key is tangerine.'] }),
  ],
];

describe.each(kinds)('%s', (_, modelOf) => {
  test.each([false, true])('its answer is replaced everywhere (streamed: %s)', async (streamed) => {
    await using at = await scripted(script);
    const hooks = createHooks();
    hooks.on(AfterModelCall, ({ response }) =>
      modify({ response: { ...response, text: response.text.replace('tangerine', '[hidden]') } }),
    );
    const agent = createHookedAgent({ model: await modelOf(at.server.url, at.model) }, hooks);
    const seen: unknown[] = [];
    if (streamed) {
      for await (const chunk of await agent.stream(user('hi'), { streamMode: ['messages', 'values'] }))
        seen.push(chunk);
    } else seen.push(await agent.invoke(user('hi')));
    expect(JSON.stringify(seen)).toContain('The key is [hidden].');
    expect(JSON.stringify(seen)).not.toContain('tangerine');
  });
});
