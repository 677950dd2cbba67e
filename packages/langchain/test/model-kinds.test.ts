import {
  AfterModelCall,
  BeforeModelCall,
  BeforeRun,
  block,
  createHooks,
  type Hooks,
  modify,
} from '@hooks/core';
import { BaseCache } from '@langchain/core/caches';
import { BaseChatModel, type LangSmithParams } from '@langchain/core/language_models/chat_models';
import type { ModelProfile } from '@langchain/core/language_models/profile';
import { AIMessage } from '@langchain/core/messages';
import type { ChatResult, Generation } from '@langchain/core/outputs';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { createAgent, createMiddleware, initChatModel, type WrapModelCallHook } from 'langchain';
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

  test.each([
    [
      'puts in its place',
      (model: Model): WrapModelCallHook =>
        (request, handler) =>
          handler({ ...request, model: model as never }),
    ],
    [
      'asks after another',
      (model: Model): WrapModelCallHook =>
        async (request, handler) => {
          await handler({ ...request, model: new FakeListChatModel({ responses: ['Hm.'] }) as never });
          return handler({ ...request, model: model as never });
        },
    ],
    ['answers in the place of', (): WrapModelCallHook => () => new AIMessage(answer)],
    [
      'answers after',
      (): WrapModelCallHook => async (request, handler) => {
        await handler(request);
        return new AIMessage(answer);
      },
    ],
  ] as const)("one that a middleware of the user's %s", async (_, wrapModelCall) => {
    await using at = await scripted(() => ({ text: answer }));
    const middleware = [createMiddleware({ name: 'theirs', wrapModelCall: wrapModelCall(at.model) })];
    const all = await seen(createHookedAgent({ model: at.model, middleware }, hiding()));
    expect(all).toContain('[hidden]');
    expect(all).not.toContain('tangelo');
  });

  test('one whose settings hooks of another registry change', async () => {
    await using at = await scripted(() => ({ text: answer }));
    const inner = createHooks();
    inner.on(BeforeModelCall, () => modify({ settings: { temperature: 0.5 } }));
    const middleware = [hooksMiddleware(inner)];
    const all = await seen(createHookedAgent({ model: at.model, middleware }, hiding()));
    expect(at.server.requests).toMatchObject([{ body: { temperature: 0.5 } }]);
    expect(all).toContain('[hidden]');
    expect(all).not.toContain('tangelo');
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

test('one that is chosen by name takes other settings, and another name', async () => {
  await using at = await scripted(() => ({ text: answer }));
  const hooks = createHooks();
  hooks.on(BeforeRun, () => modify({ model: 'other', settings: { temperature: 0.5 } }));
  hooks.on(BeforeModelCall, () => modify({ settings: { maxTokens: 7 } }));
  const agent = createHookedAgent({ model: await byName(at.server.url) }, hooks);
  await agent.invoke(user('hi'));
  expect(at.server.requests).toMatchObject([
    { model: 'other', settings: { temperature: 0.5, maxTokens: 7 } },
  ]);
});

/** A client that puts more than the answer beside it, as those of several providers do. */
class Telling extends BaseChatModel {
  override _llmType(): string {
    return 'telling';
  }

  override bindTools(): this {
    return this;
  }

  override async _generate(): Promise<ChatResult> {
    const message = new AIMessage({
      content: answer,
      additional_kwargs: { reasoning_content: answer, parsed: { answer }, __call_ids__: { c1: 'fc_1' } },
      response_metadata: { id: 'r1', output: [{ type: 'message', content: answer }] },
    });
    const generationInfo = { logprobs: { content: [answer] } };
    return { generations: [{ text: answer, message, generationInfo }], llmOutput: { raw: answer } };
  }
}

test.each([
  ['replaced', '[hidden] is the key.', hiding],
  [
    'refused',
    'No.',
    () => {
      const hooks = createHooks();
      hooks.on(AfterModelCall, () => block('No.'));
      return hooks;
    },
  ],
] as const)(
  'what a client tells beside an answer is not left of one that is %s',
  async (_, text, hooksOf) => {
    const model = new Telling({});
    const traced: unknown[] = [];
    const callbacks = [{ handleLLMEnd: (output: unknown) => void traced.push(output), awaitHandlers: true }];
    const { messages } = await createHookedAgent({ model }, hooksOf()).invoke(user('hi'), { callbacks });
    expect(messages.at(-1)?.text).toBe(text);
    expect(JSON.stringify([messages, traced])).not.toContain('tangelo');
    if (text !== 'No.')
      expect(messages.at(-1)).toMatchObject({
        response_metadata: { id: 'r1' },
        additional_kwargs: { __call_ids__: { c1: 'fc_1' } },
      });
  },
);

/** A client that keeps to itself what it is. */
class Private extends Telling {
  readonly #provider = 'private';

  override get profile(): ModelProfile {
    return { maxInputTokens: this.#provider.length };
  }

  override invocationParams(): object {
    return { provider: this.#provider };
  }

  override getLsParams(options: this['ParsedCallOptions']): LangSmithParams {
    return { ...super.getLsParams(options), ls_provider: this.#provider };
  }
}

test.each([true, false])('one with private fields, held back: %s', async (holdStream) => {
  const model = new Private({});
  const { messages } = await createHookedAgent({ model }, hiding(), { holdStream }).invoke(user('hi'));
  expect(messages.at(-1)?.text).toBe('[hidden] is the key.');
});

/** A cache that takes every question for the same. */
class OneAnswer extends BaseCache {
  kept: Generation[] | null = null;

  override async lookup(): Promise<Generation[] | null> {
    return this.kept;
  }

  override async update(_prompt: string, _key: string, value: Generation[]): Promise<void> {
    this.kept = value;
  }
}

test('one with a cache: neither is an answer taken from it that hooks have not seen, nor does it keep theirs', async () => {
  const cache = new OneAnswer();
  const model = new Telling({ cache });
  const asOf = async (hooks: Hooks): Promise<string> => {
    const seen: unknown[] = [];
    const callbacks = [{ handleLLMEnd: (output: unknown) => void seen.push(output), awaitHandlers: true }];
    seen.push(await createHookedAgent({ model }, hooks).invoke(user('hi'), { callbacks }));
    return JSON.stringify(seen);
  };
  expect(await asOf(hiding())).not.toContain('tangelo');
  expect(await asOf(createHooks())).toContain('tangelo');
  expect(JSON.stringify(cache.kept)).toContain('tangelo');
  expect(await asOf(hiding())).not.toContain('tangelo');
});
