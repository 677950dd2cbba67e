import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AdapterHarness } from '@hooks/conformance';
import { BeforeToolCall, createHooks, HookEvent, type HookProvider, type Hooks, proceed } from '@hooks/core';
import { HARNESSES } from '@hooks/testing/adapters';
import { type Contestant, measure, processorClock, report } from '@hooks/testing/bench';
import { z } from 'zod';
import { journal } from '../src/index.ts';

/*
 * What a journal adds to a run with two model calls, over HTTP on loopback, and one tool call. The model answers at once; with MODEL_MS
 * after so many milliseconds, and the wall clock is read.
 */

const answersAtOnce = process.env['MODEL_MS'] === undefined;

const folder = mkdtempSync(join(tmpdir(), 'journal-bench-'));

function hooksWith(...providers: readonly HookProvider[]): Hooks {
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, () => proceed(), { id: 'guard' });
  for (const provider of providers) hooks.use(provider);
  return hooks;
}

const observer: HookProvider = {
  name: 'observer',
  register: (hooks) => void hooks.observe(HookEvent, () => {}),
};

async function runs(
  harness: AdapterHarness,
  modelUrl: string,
  name: string,
  hooks: Hooks,
): Promise<Contestant> {
  const agent = await harness.agent({
    name: 'assistant',
    instructions: 'Be brief.',
    modelUrl,
    tools: [
      {
        name: 'add',
        description: 'Adds.',
        schema: z.object({ a: z.number(), b: z.number() }),
        execute: ({ a, b }: { readonly a: number; readonly b: number }) => String(a + b),
      },
    ],
    hooks: [hooks],
    attach: {},
  });
  return {
    name,
    run: async (times) => {
      for (let time = 0; time < times; time++) {
        const { text, error } = await agent.run('Add.', { stream: false });
        if (text !== 'Done.') throw new Error(`${name}: ${text}`, { cause: error });
      }
    },
  };
}

for (const { name, harness: url } of HARNESSES) {
  if (process.argv[2] !== undefined && process.argv[2] !== name) continue;
  const { harness }: { readonly harness: AdapterHarness } = await import(url);
  const model = fork(new URL('model.ts', import.meta.url), {
    execArgv: ['--conditions=@hooks/source'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [modelUrl] = (await once(model, 'message')) as [string];
  const logs = {
    'with a journal': journal({ sink: join(folder, name) }),
    'with one that is required': journal({ sink: join(folder, `${name}-required`), required: true }),
  };
  const contestants = [
    await runs(harness, modelUrl, 'a guard', hooksWith()),
    await runs(harness, modelUrl, 'every event observed', hooksWith(observer)),
  ];
  for (const [with_, log] of Object.entries(logs))
    contestants.push(await runs(harness, modelUrl, with_, hooksWith(log)));
  for (const { run } of contestants) await run(answersAtOnce ? 100 : 10);
  const rounds = Number(process.env['ROUNDS'] ?? 15);
  if (answersAtOnce)
    report(
      `A run of ${name} with one tool call, processor time`,
      await measure(contestants, 20, rounds, processorClock),
      { 'with a journal': 1.25 },
    );
  else
    report(
      `A run of ${name} with one tool call, ${process.env['MODEL_MS']} ms for each answer of the model`,
      await measure(contestants, 4, rounds),
      { 'with a journal': 1.05 },
    );
  for (const log of Object.values(logs)) await log.close();
  model.disconnect();
}
rmSync(folder, { recursive: true });
process.exit();
