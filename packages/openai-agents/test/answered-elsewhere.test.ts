import { toolResults } from '@hooks/conformance';
import { BeforeToolCall, createHooks, proceed, requireApproval } from '@hooks/core';
import {
  Agent,
  type Model,
  Runner,
  setTraceProcessors,
  setTracingDisabled,
  tool,
  Usage,
} from '@openai/agents';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { hookedRunner } from '../src/index.ts';
import { call, restore, results, type Setup, setup } from './setup.ts';

const script = [{ toolCalls: [call('pay', { to: 'ann' })] }, { text: 'Done.' }];

/** What one process has: hooks of the inner registry pause calls of the tool; the outer one has no approver. */
function start({ runner }: Setup, needsApproval: (to: string) => boolean, outerRequires: boolean) {
  const ran: string[] = [];
  const pay = tool({
    name: 'pay',
    description: 'Pays.',
    parameters: z.object({ to: z.string() }),
    needsApproval: async (_context, { to }) => needsApproval(to),
    execute: async ({ to }) => {
      ran.push(to);
      return 'paid';
    },
  });
  const [inner, outer] = [createHooks(), createHooks()];
  inner.on(BeforeToolCall, () => requireApproval('It costs money.'));
  outer.on(BeforeToolCall, () => (outerRequires ? requireApproval('Nobody may.') : proceed()));
  const hooked = hookedRunner(hookedRunner(runner, inner, { approval: 'native' }), outer);
  return { runner: hooked, agent: new Agent({ name: 'clerk', tools: [pay] }), ran };
}

describe.each([false, true])('a tool whose own function says %s', (asks) => {
  test("a yes in another process to what one registry's hooks ask lifts nothing that those of a registry without an approver require", async () => {
    await using s = await setup(script);
    const first = start(s, () => asks, false);
    const paused = await first.runner.run(first.agent, 'go');
    expect([paused.interruptions.length, first.ran]).toEqual([1, []]);
    const second = start(s, () => asks, true);
    const state = await restore(second.agent, paused.state.toString());
    for (const item of state.getInterruptions()) state.approve(item);
    await second.runner.run(second.agent, state);
    expect(second.ran).toEqual(asks ? ['ann'] : []);
    expect(results(s)['call_pay']).toContain(asks ? 'paid' : 'Nobody may.');
  });
});

test('a yes for good to what a tool asks about some calls is none to what hooks require of others', async () => {
  await using s = await setup([
    { toolCalls: [call('pay', { to: 'ann' }, 'c1')] },
    { toolCalls: [call('pay', { to: 'bob' }, 'c2')] },
    { text: 'Done.' },
  ]);
  const ran: string[] = [];
  const pay = tool({
    name: 'pay',
    description: 'Pays.',
    parameters: z.object({ to: z.string() }),
    needsApproval: async (_context, { to }) => to === 'ann',
    execute: async ({ to }) => {
      ran.push(to);
      return 'paid';
    },
  });
  const hooks = createHooks();
  hooks.on(BeforeToolCall, ({ input }) =>
    Object(input).to === 'bob' ? requireApproval('Nobody may.') : proceed(),
  );
  const agent = new Agent({ name: 'clerk', tools: [pay] });
  const runner = hookedRunner(s.runner, hooks);
  const { state } = await runner.run(agent, 'go');
  for (const item of state.getInterruptions()) state.approve(item, { alwaysApprove: true });
  await runner.run(agent, state);
  expect(ran).toEqual(['ann']);
  expect(results(s)['c2']).toContain('Nobody may.');
});

describe.each([false, true])(
  'a saved state that resumes twice in a process, if the tool itself asks: %s',
  (asks) => {
    async function saved(s: Setup) {
      const first = start(s, () => asks, false);
      const { state } = await first.runner.run(first.agent, 'go');
      const { runner, agent, ran } = start(s, () => asks, false);
      const resume = async (answer: 'approve' | 'reject' = 'approve') => {
        const restored = await restore(agent, state.toString());
        for (const item of restored.getInterruptions()) restored[answer](item);
        return (await runner.run(agent, restored)).finalOutput;
      };
      return { resume, ran };
    }

    test.each([
      ['one after the other', async (resume: () => Promise<unknown>) => [await resume(), await resume()]],
      ['at once', async (resume: () => Promise<unknown>) => Promise.all([resume(), resume()])],
    ])('runs its approved call once, %s', async (_when, twice) => {
      await using s = await setup(({ messages }) =>
        messages.at(-1)?.role === 'tool' ? { text: 'Done.' } : { toolCalls: [call('pay', { to: 'ann' })] },
      );
      const { resume, ran } = await saved(s);
      expect(await twice(resume)).toEqual(['Done.', 'Done.']);
      expect(ran).toEqual(['ann']);
      expect(s.server.requests.slice(1).map((request) => toolResults(request)['call_pay'])).toEqual(
        expect.arrayContaining(['paid', expect.stringContaining('was used before')]),
      );
    });

    test.each([
      ['a yes after a no', ['reject', 'approve'], []],
      ['a no after a yes', ['approve', 'reject'], ['ann']],
    ] as const)('counts its first answer only: %s', async (_order, answers, expected) => {
      await using s = await setup(({ messages }) =>
        messages.at(-1)?.role === 'tool' ? { text: 'Done.' } : { toolCalls: [call('pay', { to: 'ann' })] },
      );
      const { resume, ran } = await saved(s);
      for (const answer of answers) await resume(answer);
      expect(ran).toEqual(expected);
      expect(results(s)['call_pay']).toContain('was used before');
    });
  },
);

test('an approval of another pause counts, also with the same prompt, id and input', async () => {
  await using s = await setup(({ messages }) =>
    messages.at(-1)?.role === 'tool' ? { text: 'Done.' } : { toolCalls: [call('pay', { to: 'ann' })] },
  );
  const { runner, agent, ran } = start(s, () => true, false);
  for (const _ of [1, 2]) {
    const { state } = await runner.run(agent, 'go');
    const restored = await restore(agent, state.toString());
    for (const item of restored.getInterruptions()) restored.approve(item);
    await runner.run(agent, restored);
  }
  expect(ran).toEqual(['ann', 'ann']);
});

describe('a pause of a model that gives its answers no ids', () => {
  /** A model that pays on request, and whose answers are the same in each run. */
  const model: Model = {
    async getResponse({ input }) {
      const isPaid = Array.isArray(input) && input.some(({ type }) => type === 'function_call_result');
      return {
        usage: new Usage({ requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2 }),
        output: isPaid
          ? [message('Done.')]
          : ['ann', 'bob'].map((to) => ({
              ...{ type: 'function_call', name: 'pay', callId: `pay-${to}`, status: 'completed' },
              arguments: JSON.stringify({ to }),
            })),
      } as Awaited<ReturnType<Model['getResponse']>>;
    },
    getStreamedResponse: () => expect.unreachable(),
  };
  const message = (text: string) => ({
    ...{ type: 'message', role: 'assistant', status: 'completed' },
    content: [{ type: 'output_text', text }],
  });
  const startWithout = () =>
    start({ runner: new Runner({ modelProvider: { getModel: () => model } }) } as Setup, () => true, false);
  /** Resumes a saved state with a yes to the payments to these people. Resolves to the new state. */
  async function approve(
    { runner, agent }: ReturnType<typeof start>,
    saved: string,
    people: readonly string[],
    prepare: (state: Awaited<ReturnType<typeof restore>>) => void = () => {},
  ) {
    const state = await restore(agent, saved);
    prepare(state);
    for (const item of state.getInterruptions())
      if (people.some((to) => item.arguments?.includes(to))) state.approve(item);
    return (await runner.run(agent, state)).state.toString();
  }

  test('is not that of an equal run of somebody else', async () => {
    const started = startWithout();
    const states = [];
    for (const _ of [1, 2]) states.push((await started.runner.run(started.agent, 'go')).state.toString());
    for (const state of states) await approve(started, state, ['ann', 'bob']);
    expect(started.ran.sort()).toEqual(['ann', 'ann', 'bob', 'bob']);
  });

  test('has no name in the state where hooks only look on', async () => {
    const hooks = createHooks();
    hooks.observe(BeforeToolCall, () => {});
    const { agent } = startWithout();
    const { state } = await hookedRunner(new Runner({ modelProvider: { getModel: () => model } }), hooks).run(
      agent,
      'go',
    );
    expect(state.getInterruptions()).toHaveLength(2);
    expect(state.toString()).not.toContain('@hooks');
  });

  test('stays the same while one of its calls runs and another one waits', async () => {
    const started = startWithout();
    const first = (await started.runner.run(started.agent, 'go')).state.toString();
    const second = await approve(started, first, ['ann']);
    for (const state of [first, second, first]) await approve(started, state, ['ann', 'bob']);
    expect(started.ran.sort()).toEqual(['ann', 'bob']);
  });

  test('stays the same if somebody clears the trace of the saved run', async () => {
    setTracingDisabled(false);
    setTraceProcessors([]);
    onTestFinished(() => setTracingDisabled(true));
    const started = startWithout();
    const saved = (await started.runner.run(started.agent, 'go')).state.toString();
    expect(JSON.parse(saved).trace.id).toEqual(expect.any(String));
    await approve(started, saved, ['ann', 'bob']);
    await approve(started, saved, ['ann', 'bob'], (state) => state.clearTrace());
    expect(started.ran.sort()).toEqual(['ann', 'bob']);
  });
});
