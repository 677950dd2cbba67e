import { existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startModelServer } from '@hooks/conformance';
import { HARNESSES } from '@hooks/testing/adapters';
import { sampled } from '@hooks/testing/random';
import { describe, expect, onTestFinished, test } from 'vitest';
import { inAProcess } from './in-a-process.ts';
import type { AgentTask } from './programs/agent.ts';

/** A run whose model makes a payment each time it is called, `c1`, `c2`, …; each process ends when the run pauses. */
async function payingRun({ harness, perRun }: Pick<AgentTask, 'harness' | 'perRun'>) {
  const folder = mkdtempSync(join(tmpdir(), 'budget-'));
  mkdirSync(join(folder, 'storage'));
  let modelCalls = 0;
  const server = await startModelServer({
    script: () => {
      modelCalls++;
      return { toolCalls: [{ id: `c${modelCalls}`, name: 'pay', arguments: { amount: modelCalls } }] };
    },
  });
  onTestFinished(server.close);
  const marks = join(folder, 'marks');
  const task = {
    harness,
    modelUrl: server.url,
    storage: join(folder, 'storage'),
    store: join(folder, 'state.db'),
    marks,
    perRun,
  };
  return {
    begin: () => inAProcess({ ...task, does: 'run' }),
    answer: (callId: string, decision: AgentTask['decision']) =>
      inAProcess({ ...task, does: 'resume', callId, decision }),
    modelCalls: () => modelCalls,
    paid: () => (existsSync(marks) ? readFileSync(marks, 'utf8').trimEnd().split('\n') : []),
  };
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
