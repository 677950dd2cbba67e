import type { Readable } from 'node:stream';
import { BeforeModelCall, BeforeToolCall, createHooks, proceed, retry, Stop, TurnEnd } from '@hooks/core';
import { Agent, tool } from '@openai/agents';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { hookedRunner } from '../src/index.ts';
import { call, setup } from './setup.ts';

interface Streamed {
  toStream(): unknown;
  toTextStream(options?: { compatibleWithNodeStreams: true }): unknown;
}

/** The SDK's own type of its streams leaves out what they are. */
const web = (stream: unknown) => stream as ReadableStream<unknown>;

function agentWith(execute: () => unknown) {
  const look = tool({ name: 'look', description: '', parameters: z.object({}), execute });
  return new Agent({ name: 'A', tools: [look] });
}

test.each<[string, (result: Streamed) => unknown]>([
  ['events', (result) => web(result.toStream()).cancel()],
  ['text', (result) => web(result.toTextStream()).cancel()],
  [
    'text for Node',
    (result) => (result.toTextStream({ compatibleWithNodeStreams: true }) as Readable).destroy(),
  ],
])('A stream of %s that is left before it is read cancels the run: no tool runs', async (_of, leave) => {
  await using s = await setup([{ toolCalls: [call('look', {})] }, { text: 'Done.' }]);
  const hooks = createHooks();
  const ends: string[] = [];
  hooks.observe(TurnEnd, ({ reason }) => void ends.push(reason));
  hooks.on(BeforeToolCall, () => proceed());
  const looked = vi.fn(() => 'seen');
  const result = await hookedRunner(s.runner, hooks).run(agentWith(looked), 'go', { stream: true });
  await leave(result);
  await result.completed.catch(() => {});
  await hooks.settled();
  expect(result.cancelled).toBe(true);
  expect(looked).not.toHaveBeenCalled();
  expect(ends).not.toContain('normal');
});

test('A stream that is left while its reader waits cancels the run at once', async () => {
  const asked = Promise.withResolvers<void>();
  await using s = await setup(() => {
    asked.resolve();
    return new Promise<never>(() => {});
  });
  const hooks = createHooks();
  hooks.on(BeforeModelCall, () => proceed());
  const agent = agentWith(() => 'seen');
  const result = await hookedRunner(s.runner, hooks).run(agent, 'go', { stream: true });
  const reader = web(result.toStream()).getReader();
  const waiting = reader.read();
  await asked.promise;
  await reader.cancel();
  expect(await waiting).toMatchObject({ done: true });
  await result.completed.catch(() => {});
  expect(result.cancelled).toBe(true);
});

test('A stream that is left while a Stop hook is asked cancels the run that would go on', async () => {
  await using s = await setup(({ turn }) => ({ text: `Answer ${turn + 1}.` }));
  const hooks = createHooks();
  const asked = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  hooks.on(Stop, async () => {
    asked.resolve();
    await left.promise;
    return retry('more');
  });
  const agent = agentWith(() => 'seen');
  const result = await hookedRunner(s.runner, hooks).run(agent, 'go', { stream: true });
  const reader = web(result.toStream()).getReader();
  const reading = (async () => {
    while (!(await reader.read()).done);
  })();
  await asked.promise;
  await reader.cancel();
  left.resolve();
  await reading;
  await result.completed.catch(() => {});
  expect(result.cancelled).toBe(true);
});
