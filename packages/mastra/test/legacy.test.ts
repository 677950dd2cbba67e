import {
  AfterModelCall,
  BeforeModelCall,
  BeforeRun,
  createHooks,
  HookEvent,
  proceed,
  UserPromptSubmit,
} from '@hooks/core';
import type { AgentConfig } from '@mastra/core/agent';
import { describe, expect, test } from 'vitest';
import { type HookedOptions, hookedAgent } from '../src/index.ts';
import { quiet } from './fixtures.ts';

/** A model of the AI SDK's first kind, which says one thing. */
function legacyModel(): { readonly asked: unknown[]; readonly model: AgentConfig['model'] } {
  const asked: unknown[] = [];
  const usage = { promptTokens: 1, completionTokens: 1 };
  const rawCall = { rawPrompt: null, rawSettings: {} };
  const end = { finishReason: 'stop', usage } as const;
  const model = {
    specificationVersion: 'v1',
    provider: 'scripted',
    modelId: 'gpt-5',
    defaultObjectGenerationMode: 'json',
    doGenerate: async ({ prompt }: { prompt: unknown }) => {
      asked.push(prompt);
      return { text: 'Hi.', rawCall, ...end };
    },
    doStream: async ({ prompt }: { prompt: unknown }) => {
      asked.push(prompt);
      const parts = [
        { type: 'text-delta', textDelta: 'Hi.' },
        { type: 'finish', ...end },
      ];
      return { stream: ReadableStream.from(parts), rawCall };
    },
  };
  return { asked, model: model as never };
}

describe.each(['generateLegacy', 'streamLegacy'] as const)(
  '%s, which asks about tool calls only',
  (method) => {
    const start = async (hooks = createHooks(), options: HookedOptions = {}) => {
      const { asked, model } = legacyModel();
      const agent = quiet(hookedAgent({ id: 'a', name: 'a', instructions: '', model }, hooks, options));
      const run = async () => {
        if (method === 'generateLegacy') return (await agent.generateLegacy('Go')).text;
        const parts: string[] = [];
        for await (const part of (await agent.streamLegacy('Go')).textStream) parts.push(part);
        return parts.join('');
      };
      return { asked, run };
    };

    test.each([UserPromptSubmit, BeforeRun, BeforeModelCall, AfterModelCall])(
      'is refused where a hook may refuse on $type, unless that is allowed',
      async (point) => {
        const hooks = createHooks();
        hooks.guard(point as typeof UserPromptSubmit, () => proceed());
        const { asked, run } = await start(hooks);
        await expect(run()).rejects.toMatchObject({ code: 'UNSUPPORTED_EVENT' });
        expect(asked).toEqual([]);
        const allowed = await start(hooks, { allowUnsupported: [point.type] });
        expect(await allowed.run()).toBe('Hi.');
      },
    );

    test('runs where hooks only look', async () => {
      const hooks = createHooks();
      hooks.observe(HookEvent, () => {});
      const { run } = await start(hooks);
      expect(await run()).toBe('Hi.');
    });
  },
);
