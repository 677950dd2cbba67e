import { copyFileSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { toolResults } from '@hooks/conformance';
import { HARNESSES } from '@hooks/testing/adapters';
import { sampled } from '@hooks/testing/random';
import { describe, expect, test } from 'vitest';
import { inAProcess, newRun, startProcess } from './in-a-process.ts';
import type { AgentTask } from './programs/agent.ts';

/** A run that pauses for a person. */
async function pausing(harness: string) {
  const read: string[] = [];
  /** Set while the model is to leave the agent without an answer. */
  let asked: (() => void) | undefined;
  const { task, paid } = await newRun(harness, (request) => {
    // A provider whose ids repeat: each run makes the same call.
    if (request.messages.at(-1)?.role === 'user')
      return { toolCalls: [{ id: 'c1', name: 'pay', arguments: { amount: 5 } }] };
    if (asked !== undefined) {
      asked();
      return new Promise(() => {});
    }
    read.push(...Object.values(toolResults(request)));
    return { text: 'Done.' };
  });
  return {
    task,
    read,
    paid,
    /** Resolves when the model is asked, which it then leaves without an answer. */
    untilAsked: () =>
      new Promise<void>((resolve) => {
        asked = () => {
          asked = undefined;
          resolve();
        };
      }),
  };
}

/** A run that paused for a person, in a process that is gone. */
async function paused(harness: string) {
  const { task, read, paid, untilAsked } = await pausing(harness);
  expect(await inAProcess(task)).toMatchObject({ pending: 1 });
  return {
    read,
    paid,
    resume: (dies?: Pick<AgentTask, 'dies' | 'diesAt'>) => inAProcess({ ...task, does: 'resume', ...dies }),
    /** Resumes it, and kills the process once the tool has answered and the model is asked. */
    dieAfterTheTool: () => inAProcess({ ...task, does: 'resume' }, untilAsked()),
  };
}

const killedInTheTool =
  (dies: AgentTask['dies'], paid: readonly string[]) =>
  async (harness: string): Promise<void> => {
    const run = await paused(harness);
    expect(await run.resume({ dies })).toBeUndefined();
    expect(run.paid()).toEqual(paid);
    expect(await run.resume()).toMatchObject({ text: 'Done.', pending: 0 });
    expect(run.paid()).toEqual(paid);
    expect(run.read.join()).toContain('may have taken effect');
  };

const cases: readonly { readonly name: string; readonly play: (harness: string) => Promise<void> }[] = [
  {
    name: 'answers a call that was over when its process died',
    async play(harness) {
      const run = await paused(harness);
      await run.dieAfterTheTool();
      expect(run.paid()).toEqual(['paid 5']);
      expect(await run.resume()).toMatchObject({ text: 'Done.', pending: 0 });
      expect(run.paid()).toEqual(['paid 5']);
      expect(run.read.join()).toContain('paid 5');
    },
  },
  {
    name: 'does not repeat a call whose process died in the tool, before its effect, and tells the model',
    play: killedInTheTool('before', []),
  },
  {
    name: 'does not repeat a call whose process died in the tool, after its effect, and tells the model',
    play: killedInTheTool('after', ['paid 5']),
  },
  {
    name: 'runs a call once whose approval arrives in two processes at once',
    async play(harness) {
      const run = await paused(harness);
      await Promise.allSettled([run.resume(), run.resume()]);
      expect(run.paid()).toEqual(['paid 5']);
    },
  },
];

/** Between the claim, which is the third write to the store, and the outcome, the fourth, nobody knows whether the tool ran. */
const deaths = [1, 2, 3, 4, 5].flatMap((write) => [
  { when: 'before', write, isUnknown: write === 4 } as const,
  { when: 'after', write, isUnknown: write === 3 } as const,
]);

// Each framework in one of them: in all with `HOOKS_RANDOM=1`.
describe.each(HARNESSES.map((one, offset) => ({ ...one, offset })))(
  'once, in $name',
  ({ harness, offset }) => {
    test.each(sampled(deaths, deaths.length, 2 * offset + 2))(
      'runs a call at most once whose process died $when write $write to the store, and tells the model what is known',
      { timeout: 120_000 },
      async ({ isUnknown, ...diesAt }) => {
        const run = await paused(harness);
        expect(await run.resume({ diesAt })).toBeUndefined();
        expect(await run.resume()).toMatchObject({ text: 'Done.', pending: 0 });
        const isBeforeTool = isUnknown && diesAt.when === 'after';
        expect(run.paid()).toEqual(isBeforeTool ? [] : ['paid 5']);
        expect(run.read.join()).toContain(isUnknown ? 'may have taken effect' : 'paid 5');
      },
    );
  },
);

// Each framework in one of the cases, and each case in one of the frameworks: in all with `HOOKS_RANDOM=1`.
describe.each(HARNESSES.map((one, offset) => ({ ...one, offset })))(
  'once, in $name',
  ({ harness, offset }) => {
    test.each(sampled(cases, HARNESSES.length, offset))('$name', { timeout: 120_000 }, ({ play }) =>
      play(harness),
    );
  },
);

test.each([
  ['the one that still waits', 'another one'],
  ['another one', 'the one that still waits'],
])(
  'once runs a call of the AI SDK once whose approval arrives in two processes: in %s and then in %s',
  {
    timeout: 120_000,
  },
  async (first) => {
    const harness = HARNESSES.find(({ name }) => name === 'ai-sdk')?.harness ?? '';
    const { task, paid } = await pausing(harness);
    const waiting = startProcess();
    expect(await waiting.play({ ...task, stays: true })).toMatchObject({ pending: 1 });
    // What a client posts twice does not tell what came of it the first time.
    copyFileSync(join(task.storage, 's1.json'), join(task.storage, 'posted.json'));
    const resume = { ...task, does: 'resume', pausedIn: 'posted' } as const;
    const answers = [() => waiting.play(resume), () => inAProcess(resume)];
    if (first === 'another one') answers.reverse();
    for (const answer of answers) expect(await answer()).toMatchObject({ text: 'Done.', pending: 0 });
    expect(paid()).toEqual(['paid 5']);
  },
);

/** A process with a paused run, and what was stored of that run when it paused. */
async function pausedAndSaved(harness: string) {
  const { task, read, paid } = await pausing(harness);
  const saved = `${task.storage}-saved`;
  const one = startProcess();
  const play = (does: AgentTask['does']) => one.play({ ...task, does, stays: true });
  expect(await play('run')).toMatchObject({ pending: 1 });
  cpSync(task.storage, saved, { recursive: true });
  /** Another process resumes the run, from what was stored when it paused. */
  const replay = (decision?: AgentTask['decision']) => {
    const storage = `${saved}-${crypto.randomUUID()}`;
    cpSync(saved, storage, { recursive: true });
    return inAProcess({ ...task, does: 'resume', storage, decision });
  };
  return { play, replay, read, paid };
}

describe.each(HARNESSES)('once, where ids repeat from run to run, in $name', ({ harness }) => {
  test('an approval whose call has run does not run an equal call that waits in a later run', {
    timeout: 120_000,
  }, async () => {
    const { play, replay, read, paid } = await pausedAndSaved(harness);
    expect(await play('resume')).toMatchObject({ text: 'Done.', pending: 0 });
    expect(await play('run')).toMatchObject({ pending: 1 });
    const told = read.length;
    expect(await replay()).toMatchObject({ text: 'Done.', pending: 0 });
    expect(paid()).toEqual(['paid 5']);
    expect(read.slice(told).join()).toContain('paid 5');
    // The later run has an approval of its own. OpenAI Agents then drops one of the two results with the same id.
    await play('resume');
    expect(paid()).toEqual(['paid 5', 'paid 5']);
  });
});

const contrary: readonly { readonly name: string; readonly play: (harness: string) => Promise<void> }[] = [
  {
    name: 'runs nothing on a yes after a no',
    async play(harness) {
      const { replay, read, paid } = await pausedAndSaved(harness);
      for (const decision of ['deny', 'allow'] as const)
        expect(await replay(decision)).toMatchObject({ text: 'Done.', pending: 0 });
      expect(paid()).toEqual([]);
      expect(read).toHaveLength(2);
      expect(read.join()).not.toContain('paid');
    },
  },
  {
    name: 'tells the model of a no that the call was approved before',
    async play(harness) {
      const { replay, read, paid } = await pausedAndSaved(harness);
      for (const decision of ['allow', 'deny'] as const)
        expect(await replay(decision)).toMatchObject({ text: 'Done.', pending: 0 });
      expect(paid()).toEqual(['paid 5']);
      // Mastra words a denial that arrives in another process, before hooks hear of it.
      if (!harness.includes('mastra')) expect(read.at(-1)).toContain('was approved before it was denied');
    },
  },
];

describe.each(HARNESSES.map((one, offset) => ({ ...one, offset })))(
  'once, where one process gets a no and another one a yes, in $name',
  ({ harness, offset }) => {
    test.each(sampled(contrary, 2, offset))('$name', { timeout: 120_000 }, ({ play }) => play(harness));
  },
);
