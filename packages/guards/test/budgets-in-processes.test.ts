import type { Script } from '@hooks/conformance';
import { HARNESSES } from '@hooks/testing/adapters';
import { sampled } from '@hooks/testing/random';
import { describe, expect, test } from 'vitest';
import { inAProcess, newRun } from './in-a-process.ts';
import type { AgentTask } from './programs/agent.ts';

/** A run with a budget; each process ends when the run pauses. */
async function runWith(about: Pick<AgentTask, 'harness' | 'perRun' | 'inside'>, script: Script) {
  const { task, paid } = await newRun(about.harness, script);
  return {
    begin: () => inAProcess({ ...task, ...about }),
    answer: (callId: string, decision: AgentTask['decision'] = 'allow') =>
      inAProcess({ ...task, ...about, does: 'resume', callId, decision }),
    paid,
  };
}

/** A run whose model makes a payment each time it is called, `c1`, `c2`, …. */
async function payingRun(about: Pick<AgentTask, 'harness' | 'perRun'>) {
  let modelCalls = 0;
  const run = await runWith(about, () => {
    modelCalls++;
    return { toolCalls: [{ id: `c${modelCalls}`, name: 'pay', arguments: { amount: modelCalls } }] };
  });
  return { ...run, modelCalls: () => modelCalls };
}

type Case = readonly [name: string, play: (harness: string) => Promise<void>];

const cases: readonly Case[] = [
  ...(['allow', 'deny'] as const).map(
    (decision): Case => [
      `model calls of all processes count for the run, after each "${decision}"`,
      async (harness) => {
        const run = await payingRun({ harness, perRun: { modelCalls: 2 } });
        expect(await run.begin()).toMatchObject({ pending: 1 });
        expect(await run.answer('c1', decision)).toMatchObject({ pending: 1 });
        expect(await run.answer('c2', decision)).toMatchObject({ pending: 0 });
        expect(run.modelCalls()).toBe(2);
        expect(run.paid()).toEqual(decision === 'allow' ? ['paid 1', 'paid 2'] : []);
      },
    ],
  ),
  [
    'tool calls of all processes count for the run, and nobody is asked about one over the limit',
    async (harness) => {
      const run = await payingRun({ harness, perRun: { toolCalls: 2, modelCalls: 4 } });
      expect(await run.begin()).toMatchObject({ pending: 1 });
      expect(await run.answer('c1', 'allow')).toMatchObject({ pending: 1 });
      expect(await run.answer('c2', 'allow')).toMatchObject({ pending: 0 });
      expect(run.modelCalls()).toBe(4);
      expect(run.paid()).toEqual(['paid 1', 'paid 2']);
    },
  ],
];

// Each framework in one of the cases, and each case in one of the frameworks: in all with `HOOKS_RANDOM=1`.
describe.each(HARNESSES.map((one, offset) => ({ ...one, offset })))(
  'a budget of a run that goes on in other processes, in $name:',
  ({ harness, offset }) => {
    test.each(sampled(cases, cases.length, offset))('%s', { timeout: 120_000 }, (_name, play) =>
      play(harness),
    );
  },
);

// A run of the AI SDK does not wait for the approvals of its sub-agents. Mastra is answered by the id of the sub-agent's own call.
const withSubagents = HARNESSES.filter(({ name }) => name !== 'ai-sdk').map((one) => ({
  ...one,
  answered: one.name === 'mastra' ? 'd' : 'c',
}));

test.each(sampled(withSubagents, withSubagents.length, 0))(
  'a budget of a run whose sub-agent pauses, in $name: model calls of all processes count for it',
  {
    timeout: 120_000,
  },
  async ({ harness, answered }) => {
    const asked = { assistant: 0, clerk: 0 };
    const about = { harness, perRun: { modelCalls: 2 }, inside: true };
    const run = await runWith(about, ({ messages, tools, system }) => {
      if (!system.includes('You are the clerk.')) {
        const id = `d${++asked.assistant}`;
        const { name = '', parameters } = tools.find((tool) => tool.name.includes('clerk')) ?? {};
        const { required = [] }: { readonly required?: readonly string[] } = Object(parameters);
        const input = Object.fromEntries(required.map((field) => [field, `Pay. (${id})`]));
        return { toolCalls: [{ id, name, arguments: input }] };
      }
      if (messages.at(-1)?.role === 'tool') return { text: 'Paid.' };
      const id = `c${++asked.clerk}`;
      return { toolCalls: [{ id, name: 'pay', arguments: { amount: asked.clerk } }] };
    });
    expect(await run.begin()).toMatchObject({ pending: 1 });
    expect(await run.answer(`${answered}1`)).toMatchObject({ pending: 1 });
    expect(await run.answer(`${answered}2`)).toMatchObject({ pending: 0 });
    // Each of the two runs of the clerk has a budget of its own.
    expect(asked).toEqual({ assistant: 2, clerk: 2 });
  },
);
