import {
  AfterCompaction,
  BeforeCompaction,
  block,
  createHooks,
  type Hooks,
  modify,
  proceed,
} from '@hooks/core';
import { Agent } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import { InMemoryStore } from '@mastra/core/storage';
import { Memory } from '@mastra/memory';
import { describe, expect, test } from 'vitest';
import { hookedAgent } from '../src/index.ts';
import { modelOf, quiet, runAgent, serve } from './fixtures.ts';

interface Observational {
  readonly scope?: 'thread' | 'resource';
  /** After so many tokens observations are written ahead of time. */
  readonly bufferTokens?: number;
}

function remember(model: MastraModelConfig, { scope = 'thread', bufferTokens }: Observational = {}): Memory {
  const observation = { model, messageTokens: 60, bufferTokens: bufferTokens ?? (false as const) };
  const observationalMemory = { scope, observation, reflection: { model } };
  return new Memory({ storage: new InMemoryStore(), options: { observationalMemory } });
}

/** A conversation that is too long for the memory; gives what the model of the agent was asked last. */
async function talk(hooks: readonly Hooks[], options: Observational = {}) {
  const server = await serve(({ messages }) => ({
    text: messages.at(-1)?.content.startsWith('Question') ? `Answer: ${'word '.repeat(12)}` : '* Observed.',
  }));
  await using _ = server;
  const model = modelOf(server);
  const memory = remember(model, options);
  const config = { id: 'a', name: 'a', instructions: 'Be brief.', model, memory };
  const agent = hooks.reduce<Agent>((inner, one) => hookedAgent(inner, one), quiet(new Agent(config)));
  for (let n = 1; n <= 6; n++) {
    await runAgent(agent, `Question ${n}: ${'why '.repeat(12)}`, false, {
      memory: { thread: 't', resource: 'r' },
    });
    await memory.settled();
  }
  const last = server.requests.findLast(({ messages }) => messages.at(-1)?.content.startsWith('Question 6'));
  return { asked: server.requests, read: JSON.stringify(last), memory, agent };
}

function isObserving({ messages }: { readonly messages: readonly { readonly content: string }[] }): boolean {
  return !messages.at(-1)?.content.startsWith('Question');
}

describe.each<readonly [string, Observational]>([
  ['when there is too much', {}],
  ['ahead of time', { bufferTokens: 25 }],
])('observations that are written %s', (_, options) => {
  test('are written without a veto, which is told before and after', async () => {
    const hooks = createHooks();
    const events: object[] = [];
    hooks.on(BeforeCompaction, ({ session, agent, reason, inputTokens, native }) => {
      events.push({ at: 'before', id: session.id, agent, reason, tokens: inputTokens > 0, native });
      return proceed();
    });
    hooks.observe(AfterCompaction, ({ summary, outputTokens }) => {
      events.push({ at: 'after', summary, tokens: outputTokens > 0 });
    });
    const { read } = await talk([hooks], options);
    await hooks.settled();
    expect(read).toContain('Observed.');
    expect(read).not.toContain('Question 1');
    expect(events[0]).toMatchObject({ at: 'before', id: 't', agent: 'a', reason: 'threshold', tokens: true });
    const after = { at: 'after', summary: expect.stringContaining('Observed.'), tokens: true };
    expect(events).toContainEqual(after);
  });

  test('are not written where a hook blocks, and the history stays', async () => {
    const hooks = createHooks();
    let compacted = 0;
    hooks.on(BeforeCompaction, () => block('Keep it all.'));
    hooks.observe(AfterCompaction, () => void compacted++);
    const { asked, read } = await talk([hooks], options);
    expect(asked.filter(isObserving)).toEqual([]);
    expect(read).toContain('Question 1');
    expect(compacted).toBe(0);
  });

  test('are those of a hook where it has a summary, and no model is asked', async () => {
    const hooks = createHooks();
    hooks.on(BeforeCompaction, () => modify({ summary: 'They asked why.' }));
    const { asked, read } = await talk([hooks], options);
    expect(asked.filter(isObserving)).toEqual([]);
    expect(read).toContain('They asked why.');
    expect(read).not.toContain('Question 1');
  });
});

test('two registries: both are asked, and either can veto', async () => {
  const [inner, outer] = [createHooks(), createHooks()];
  let asked = 0;
  inner.on(BeforeCompaction, () => block('Keep it all.'));
  outer.on(BeforeCompaction, () => {
    asked++;
    return proceed();
  });
  const { read } = await talk([inner, outer]);
  expect(asked).toBeGreaterThan(0);
  expect(read).toContain('Question 1');
});

test('a summary where one observation stands for several threads is a failure of the hook; the model writes it', async () => {
  const errors: string[] = [];
  const hooks = createHooks({ onError: ({ message }) => void errors.push(message) });
  hooks.on(BeforeCompaction, () => modify({ summary: 'They asked why.' }));
  const { asked } = await talk([hooks], { scope: 'resource' });
  expect(errors[0]).toContain('several threads');
  expect(asked.some(isObserving)).toBe(true);
});

test('the memory of the user stays as it is, and is the agent’s own where no hook wants to know', async () => {
  const hooks = createHooks();
  const { memory, agent } = await talk([hooks]);
  expect(await agent.getMemory()).toBe(memory);
  hooks.on(BeforeCompaction, () => block('Keep it all.'));
  const engine = await memory.omEngine;
  expect(await agent.getMemory()).not.toBe(memory);
  expect(Object.hasOwn(Object(engine), 'observe')).toBe(false);
});
