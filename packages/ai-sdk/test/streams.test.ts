import {
  AfterModelCall,
  AfterToolCall,
  BeforeModelCall,
  BeforeRun,
  BeforeToolCall,
  type Hooks,
  requireApproval,
  Stop,
  TransformToolResult,
  TurnStart,
  UserPromptSubmit,
} from '@hooks/core';
import { isStepCount, streamText } from 'ai';
import { describe, expect, test } from 'vitest';
import { blockReason, hookedAgent, hookedCall } from '../src/index.ts';
import { pays, payTool, read, serve, typesOf, watched } from './fixtures.ts';

function broken(): never {
  throw new Error('out of order');
}

/** Hooks that throw, by what the run then comes to. */
const before: readonly (readonly [string, (hooks: Hooks) => void])[] = [
  ['UserPromptSubmit', (hooks) => hooks.on(UserPromptSubmit, broken)],
  ['BeforeRun', (hooks) => hooks.on(BeforeRun, broken)],
];
const during: readonly (readonly [string, (hooks: Hooks) => void])[] = [
  ['TurnStart', (hooks) => hooks.on(TurnStart, broken)],
  ['BeforeModelCall', (hooks) => hooks.on(BeforeModelCall, broken)],
  ['AfterModelCall', (hooks) => hooks.on(AfterModelCall, broken)],
  ['BeforeToolCall', (hooks) => hooks.on(BeforeToolCall, broken)],
  ['TransformToolResult', (hooks) => hooks.on(TransformToolResult, broken)],
  ['AfterToolCall', (hooks) => hooks.on(AfterToolCall, broken)],
  ['Stop', (hooks) => hooks.on(Stop, broken)],
];

describe('a hook that throws while a run is streamed', () => {
  test.each(before)('on %s: the stream is the reason', async (_event, register) => {
    await using served = await serve(pays);
    const { hooks } = watched();
    register(hooks);
    const settings = { model: served.model, tools: { pay: payTool([]) } };
    const results = [
      await hookedAgent(settings, hooks).stream({ prompt: 'Pay.' }),
      streamText(hookedCall({ ...settings, prompt: 'Pay.' }, hooks)),
    ];
    for (const result of results) {
      let text = '';
      for await (const part of result.textStream) text += part;
      expect(text).toContain('threw an error');
      expect(blockReason(await result.steps)).toBe(text);
    }
    expect(served.server.requests).toEqual([]);
  });

  test.each(before)(
    'on %s, with refused: throw: the agent rejects before there is a stream; streamText has an error part',
    async (_event, register) => {
      await using served = await serve(pays);
      const refused = 'throw';
      const { hooks, events } = watched();
      register(hooks);
      const settings = { model: served.model, tools: { pay: payTool([]) } };
      const error = await hookedAgent(settings, hooks, { refused })
        .stream({ prompt: 'Pay.' })
        .catch((cause) => cause);
      expect(blockReason(error)).toContain('threw an error');
      const result = streamText(
        hookedCall({ ...settings, prompt: 'Pay.', onError: () => {} }, hooks, { refused }),
      );
      const parts: { readonly type: string; readonly error?: unknown }[] = [];
      for await (const part of result.stream) parts.push(part);
      const failed = parts.filter(({ type }) => type === 'error');
      expect(failed.map((part) => blockReason(part.error))).toEqual([
        expect.stringContaining('threw an error'),
      ]);
      expect(served.server.requests).toEqual([]);
      await hooks.settled();
      expect(typesOf(events).filter((type) => type === 'session_end')).toHaveLength(2);
    },
  );

  test.each(during)(
    'on %s: the stream comes to its end, and so does the session',
    async (_event, register) => {
      await using served = await serve(pays);
      const { hooks, events } = watched();
      register(hooks);
      const settings = { model: served.model, tools: { pay: payTool([]) }, stopWhen: isStepCount(4) };
      const results = [
        await hookedAgent(settings, hooks).stream({ prompt: 'Pay.' }),
        streamText(hookedCall({ ...settings, prompt: 'Pay.' }, hooks)),
      ];
      for (const result of results) {
        const types: string[] = [];
        for await (const { type } of result.stream) types.push(type);
        expect(types.at(-1)).toBe('finish');
      }
      await hooks.settled();
      expect(typesOf(events).filter((type) => type === 'session_end')).toHaveLength(2);
    },
  );

  test('an approver that throws: the call is denied, and the stream goes on', async () => {
    await using served = await serve(pays);
    const ran: unknown[] = [];
    const { hooks } = watched();
    hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
    const agent = hookedAgent({ model: served.model, tools: { pay: payTool(ran) } }, hooks, {
      approval: broken,
    });
    expect(await (await agent.stream({ prompt: 'Pay.' })).text).toBe('Paid.');
    expect(ran).toEqual([]);
    expect(read(served.server)['c1']).toContain('the approver failed');
  });
});

test('a stream whose model fails has the error of the model, and the run ends with it', async () => {
  await using served = await serve([{ status: 400, error: 'No credit.' }]);
  const { hooks, events } = watched();
  const result = streamText(
    hookedCall({ model: served.model, prompt: 'Hi.', maxRetries: 0, onError: () => {} }, hooks),
  );
  const types: string[] = [];
  for await (const { type } of result.stream) types.push(type);
  expect(types).toContain('error');
  await hooks.settled();
  expect(typesOf(events)).toEqual(expect.arrayContaining(['agent_error', 'turn_end', 'session_end']));
});

test('a stream that is aborted ends the turn as canceled, and the session', async () => {
  await using served = await serve([{ text: 'A long answer, of which nobody reads the end. '.repeat(50) }]);
  const { hooks, events } = watched();
  const abort = new AbortController();
  const agent = hookedAgent({ model: served.model }, hooks);
  const result = await agent.stream({ prompt: 'Hi.', abortSignal: abort.signal });
  for await (const { type } of result.stream) if (type === 'text-delta') abort.abort();
  await hooks.settled();
  expect(events.filter(({ type }) => type === 'turn_end')).toMatchObject([{ reason: 'canceled' }]);
  expect(typesOf(events).at(-1)).toBe('session_end');
});
