import { startModelServer } from '@hooks/conformance';
import { BeforeModelCall, BeforeRun, createHooks, type Hooks, type ModelSettings, modify } from '@hooks/core';
import { BaseChatModel, type BaseChatModelParams } from '@langchain/core/language_models/chat_models';
import { AIMessage } from '@langchain/core/messages';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { ChatOpenAI } from '@langchain/openai';
import { initChatModel } from 'langchain';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createHookedAgent } from '../src/index.ts';
import { user } from './fixtures.ts';

const setting: readonly [string, (settings: ModelSettings) => Hooks][] = [
  [
    'BeforeRun',
    (settings) => {
      const hooks = createHooks();
      hooks.on(BeforeRun, () => modify({ settings }));
      return hooks;
    },
  ],
  [
    'BeforeModelCall',
    (settings) => {
      const hooks = createHooks();
      hooks.on(BeforeModelCall, () => modify({ settings }));
      return hooks;
    },
  ],
];

describe.each(setting)('the settings of %s', (_, hooksWith) => {
  // A model that reasons unless it is told not to.
  const fields = {
    model: 'gpt-5',
    apiKey: 'none',
    maxRetries: 0,
    reasoning: { effort: 'high', summary: 'auto' },
  } as const;

  test.each([
    [{ reasoningEffort: 'off' }, 'none'],
    [{ reasoningEffort: 'low' }, 'low'],
    [{ temperature: 1 }, 'high'],
  ] as const)('%j reach the model as the reasoning effort %s', async (settings, effort) => {
    const server = await startModelServer({ script: [{ text: 'Hi.' }] });
    onTestFinished(server.close);
    const model = new ChatOpenAI({ ...fields, configuration: { baseURL: server.url } });
    await createHookedAgent({ model }, hooksWith(settings)).invoke(user('hi'));
    expect(server.requests[0]?.settings).toMatchObject({ reasoningEffort: effort });
  });

  test('turn reasoning off of a model that is chosen by name', async () => {
    const server = await startModelServer({ script: [{ text: 'Hi.' }] });
    onTestFinished(server.close);
    const model = await initChatModel('openai:gpt-5', {
      apiKey: 'none',
      maxRetries: 0,
      configuration: { baseURL: server.url },
    });
    await createHookedAgent({ model }, hooksWith({ reasoningEffort: 'off' })).invoke(user('hi'));
    expect(server.requests[0]?.settings).toMatchObject({ reasoningEffort: 'none' });
  });

  test('that a client does not know are refused, and the model is not called', async () => {
    const model = new FakeListChatModel({ responses: ['Hi.'] });
    const agent = createHookedAgent({ model }, hooksWith({ reasoningEffort: 'off' }));
    expect(await said(agent)).toContain('cannot be created again with them');
  });

  test.each<ModelSettings>([{ temperature: 0 }, { maxTokens: 5 }, { temperature: 0, maxTokens: 5 }])(
    '%j are refused if the client has other names for them',
    async (settings) => {
      const agent = createHookedAgent({ model: new OwnClient({ heat: 1, most: 100 }) }, hooksWith(settings));
      expect(await said(agent)).toContain('cannot be created again with them');
    },
  );

  test('are refused where the client sends another value to the provider', async () => {
    const server = await startModelServer({ script: [{ text: 'Hi.' }] });
    onTestFinished(server.close);
    const model = new ChatOpenAI({
      ...{ model: 'gpt-4o', apiKey: 'none', configuration: { baseURL: server.url } },
      modelKwargs: { temperature: 1 },
    });
    expect(await said(createHookedAgent({ model }, hooksWith({ temperature: 0 })))).toContain('cannot be');
    expect(server.requests).toEqual([]);
  });

  test.each<ModelSettings>([{ reasoningEffort: 'high' }, { reasoningVisible: true }])(
    '%j are refused for a model to which the client sends nothing about reasoning',
    async (settings) => {
      const server = await startModelServer({ script: [{ text: 'Hi.' }] });
      onTestFinished(server.close);
      const model = new ChatOpenAI({
        ...{ model: 'gpt-4o', apiKey: 'none', maxRetries: 0 },
        configuration: { baseURL: server.url },
      });
      expect(await said(createHookedAgent({ model }, hooksWith(settings)))).toContain('cannot be');
      expect(server.requests).toEqual([]);
      // It does not reason anyway.
      const off = createHookedAgent({ model }, hooksWith({ reasoningEffort: 'off' }));
      expect(await said(off)).toContain('Hi.');
    },
  );

  test('that no model has are refused', async () => {
    const server = await startModelServer({ script: [{ text: 'Hi.' }] });
    onTestFinished(server.close);
    const model = new ChatOpenAI({ ...fields, configuration: { baseURL: server.url } });
    const agent = createHookedAgent({ model }, hooksWith({ topP: 1 } as ModelSettings));
    expect(await said(agent)).toContain('the setting \\"topP\\" does not reach the model here');
    expect(server.requests).toEqual([]);
  });
});

/** A client with its own names for settings, as those of several providers. */
interface OwnFields extends BaseChatModelParams {
  readonly heat?: number;
  readonly most?: number;
}

class OwnClient extends BaseChatModel {
  readonly #fields: OwnFields;

  constructor(fields: OwnFields) {
    super(fields);
    this.#fields = fields;
  }

  _llmType(): string {
    return 'own';
  }

  async _generate() {
    const text = JSON.stringify(this.#fields);
    return { generations: [{ text, message: new AIMessage(text) }] };
  }
}

/** The answer, or the error. */
async function said(agent: ReturnType<typeof createHookedAgent>): Promise<string> {
  return JSON.stringify(await agent.invoke(user('hi')).catch((error: unknown) => String(error)));
}
