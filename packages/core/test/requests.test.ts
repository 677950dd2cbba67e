// What a hook may change in a request to a model.
import { BeforeModelCall, BeforeRun, createHooks, type Hooks, type ModelMessage, modify } from '@hooks/core';
import { type ModelRequest, openRun } from '@hooks/core/adapter';
import { describe, expect, test } from 'vitest';

const made = { role: 'assistant', text: '', calls: [{ toolName: 'pay', callId: 'c2' }] } as const;
const natives = { first: {}, second: {} };
const request: ModelRequest = {
  instructions: 'Be brief.',
  messages: [
    { role: 'user', text: 'Hi' },
    { role: 'assistant', text: '', calls: [{ toolName: 'weather', callId: 'c1' }] },
    { role: 'tool', text: 'sunny', toolName: 'weather', callId: 'c1', native: natives.first },
    { role: 'tool', text: 'old', toolName: 'news', callId: 'c0', native: natives.second },
    made,
  ],
  tools: [{ name: 'weather' }, { name: 'news' }],
};

/** What becomes of a request that a hook changes, and the problems that are reported. */
async function sent(patch: Parameters<typeof modify<object>>[0]) {
  const problems: string[] = [];
  const hooks = createHooks({ onError: ({ message }) => void problems.push(message) });
  hooks.on(BeforeModelCall, () => modify(patch));
  const prepared = await openRun(hooks)
    .modelCall({})
    .prepare(() => request);
  return { prepared, problems: problems.join('\n') };
}

describe('tools', () => {
  test('a hook removes tools and changes what they say', async () => {
    const tools = [{ name: 'news', description: 'Of today.' }];
    const { prepared, problems } = await sent({ tools });
    expect(prepared).toEqual({ kind: 'send', patch: { tools }, context: [] });
    expect(problems).toBe('');
  });

  test('a hook that adds a tool has failed: nobody could run it', async () => {
    const { prepared, problems } = await sent({ tools: [{ name: 'weather' }, { name: 'shell' }] });
    expect(prepared.kind).toBe('blocked');
    expect(problems).toContain('the agent has no tool "shell"; a hook can remove the tools of a request');
  });
});

describe('results', () => {
  /** The messages of the request, with this one in the place of the first result. */
  const withResult = (result: Partial<ModelMessage>): readonly ModelMessage[] =>
    request.messages.map((message) =>
      message.native === natives.first ? { ...message, ...result } : message,
    );

  test.each<[string, readonly ModelMessage[]]>([
    ['another text', withResult({ text: 'rainy' })],
    ['another text for a `native` that was made anew', withResult({ text: 'rainy', native: {} })],
    ['no results at all', [{ role: 'user', text: 'Hi' }]],
    ['results in another order', request.messages.toReversed()],
    [
      'a result for a call that has none',
      [...request.messages, { role: 'tool', text: 'no', toolName: 'pay', callId: 'c2' }],
    ],
  ])('a hook sends %s', async (_, messages) => {
    const { prepared, problems } = await sent({ messages });
    expect(problems).toBe('');
    expect(prepared).toEqual({ kind: 'send', patch: { messages }, context: [] });
  });

  test.each<[string, readonly ModelMessage[]]>([
    ['another tool', withResult({ toolName: 'news' })],
    ['another call', withResult({ callId: 'c9' })],
    ['the name of a tool alone', [{ role: 'tool', text: 'sunny', toolName: 'shell' }]],
    ['the id of a call alone', [{ role: 'tool', text: 'sunny', callId: 'c9' }]],
    ['another result’s call', withResult({ toolName: 'news', callId: 'c0' })],
    ['a call, in a message of the user', [{ role: 'user', text: 'Hi', toolName: 'weather', callId: 'c1' }]],
  ])('a hook that says a result is of %s has failed', async (_, messages) => {
    const { prepared, problems } = await sent({ messages });
    expect(prepared.kind).toBe('blocked');
    expect(problems).toMatch(
      /in the request, no (tool|user) message with this `native` has toolName .* and callId/,
    );
  });
});

describe('settings', () => {
  // A policy in JavaScript may write any setting.
  const settings: object = { temperature: 0, topK: 4, maxTokens: undefined };

  test.each<[string, (hooks: Hooks) => void]>([
    ['a hook of the request', (hooks) => hooks.on(BeforeModelCall, () => modify({ settings }))],
    ['a hook of the run', (hooks) => hooks.on(BeforeRun, () => modify({ settings }))],
  ])('%s that sets what no adapter sends has failed', async (_, register) => {
    const problems: string[] = [];
    const hooks = createHooks({ onError: ({ message }) => void problems.push(message) });
    register(hooks);
    const run = openRun(hooks);
    await run.submit([{ text: 'Hi' }]);
    if (run.stop === undefined) await run.modelCall({}).prepare(() => request);
    expect(run.stop).toBeDefined();
    expect(problems.join()).toContain(
      'the setting "topK" does not reach the model here; expected temperature, maxTokens, reasoningEffort, reasoningVisible',
    );
  });

  test('a setting that is undefined is none', async () => {
    const undefinedOne: object = { topK: undefined, temperature: 0 };
    const { prepared } = await sent({ settings: undefinedOne });
    expect(prepared.kind).toBe('send');
  });
});
