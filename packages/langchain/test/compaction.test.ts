import {
  AfterCompaction,
  addContext,
  BeforeCompaction,
  block,
  createHooks,
  type Hooks,
  modify,
} from '@hooks/core';
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { describe, expect, test } from 'vitest';
import { createHookedAgent, hookedSummarization, type SummarizationOptions } from '../src/index.ts';
import { scripted } from './fixtures.ts';

const history = Array.from({ length: 7 }, (_, n) =>
  n % 2 ? new AIMessage(`answer ${n}`) : new HumanMessage(`question ${n}`),
);

async function compact(hooks: Hooks, messages = history, more: Partial<SummarizationOptions> = {}) {
  await using writer = await scripted(() => ({ text: 'A summary.' }));
  await using at = await scripted(() => ({ text: 'Done.' }));
  const options = { model: writer.model, trigger: { messages: 5 }, keep: { messages: 2 }, ...more };
  const agent = createHookedAgent(
    { model: at.model, middleware: [hookedSummarization(options, hooks)] },
    hooks,
  );
  const { messages: after } = await agent.invoke({ messages });
  return { after: after.map(({ text }) => text), asked: writer.server.requests };
}

describe('hookedSummarization', () => {
  test('tells of a compaction before and after it', async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.observe(
      BeforeCompaction,
      ({ type, reason, inputTokens }) => void seen.push([type, reason, inputTokens > 0]),
    );
    hooks.observe(AfterCompaction, ({ type, summary }) => void seen.push([type, summary]));
    const { after } = await compact(hooks);
    expect(seen).toEqual([
      ['before_compaction', 'threshold', true],
      ['after_compaction', 'A summary.'],
    ]);
    expect(after).toHaveLength(4);
  });

  test('a Block leaves the history, and pays for no summary', async () => {
    const hooks = createHooks();
    let compacted = 0;
    hooks.on(BeforeCompaction, () => block('not now'));
    hooks.observe(AfterCompaction, () => void compacted++);
    const { after, asked } = await compact(hooks);
    expect(asked).toEqual([]);
    expect(compacted).toBe(0);
    expect(after).toEqual([...history.map(({ text }) => text), 'Done.']);
  });

  test('a summary of its own is used as it is', async () => {
    const hooks = createHooks();
    hooks.on(BeforeCompaction, () => modify({ summary: 'In short: fruit.' }));
    const { after, asked } = await compact(hooks);
    expect(asked).toEqual([]);
    expect(after[0]).toContain('In short: fruit.');
  });

  test('is asked where LangChain throws the history away without a summary, too', async () => {
    const vetoing = createHooks();
    vetoing.on(BeforeCompaction, () => block('not now'));
    const kept = await compact(vetoing, history, { trimTokensToSummarize: 1 });
    expect(kept).toEqual({ after: [...history.map(({ text }) => text), 'Done.'], asked: [] });
    const summing = createHooks();
    const seen: string[] = [];
    summing.observe(AfterCompaction, ({ summary }) => void seen.push(summary));
    expect((await compact(summing, history, { trimTokensToSummarize: 1 })).after[0]).toContain(seen[0]);
    summing.on(BeforeCompaction, () => modify({ summary: 'In short: fruit.' }));
    const { after, asked } = await compact(summing, history, { trimTokensToSummarize: 1 });
    expect(asked).toEqual([]);
    expect(after[0]).toMatch(/summary.*\n\nIn short: fruit\.$/);
    expect(seen).toEqual([expect.stringMatching(/./), 'In short: fruit.']);
  });

  test('context is guidance for whoever writes it', async () => {
    const hooks = createHooks();
    hooks.on(BeforeCompaction, () => addContext('Keep the names.'));
    const { asked } = await compact(hooks);
    expect(asked[0]?.messages.at(-1)?.content).toMatch(/Keep the names\.$/);
  });

  test('is silent where nothing is compacted', async () => {
    const hooks = createHooks();
    let asked = 0;
    hooks.observe(BeforeCompaction, () => void asked++);
    await compact(hooks, history.slice(0, 1));
    expect(asked).toBe(0);
  });

  test('a model by its name is refused', () => {
    expect(() => hookedSummarization({ model: 'openai:gpt-4o' as never }, createHooks())).toThrow(
      /must be a chat model/,
    );
  });
});
