import { describe, expect, it } from 'vitest';
import { AfterToolCall, createHooks, modify, retry, TransformToolResult } from '../src/index.ts';
import { beginToolCall, finishToolCall } from '../src/tool-call/index.ts';
import { call } from './support/call.ts';

class Odd extends Error {
  // As plain JavaScript may have it.
  override readonly message = { code: 7 } as unknown as string;
}

/** What plain JavaScript may throw, and the text of it. */
const thrown: readonly (readonly [name: string, error: unknown, errorMessage: string])[] = [
  ['nothing', undefined, 'undefined'],
  ['null', null, 'null'],
  ['no text', '', ''],
  ['a symbol', Symbol('why'), 'Symbol(why)'],
  ['what has no text', Object.create(null), 'The tool threw a value without a text form.'],
  ['an error whose message is none', new Odd(), '[object Object]'],
];

/** Hooks see a copy of an error, which is known by its class. */
const kindOf = (error: unknown) => (error instanceof Error ? error.constructor : error);

describe.each(thrown)('a tool that throws %s', (_name, error, errorMessage) => {
  const execute = () => {
    throw error;
  };

  it('has failed: each event of it says so with an error message, and the outcome has what was thrown', async () => {
    const hooks = createHooks();
    const told: unknown[] = [];
    hooks.observe(TransformToolResult, (event) =>
      told.push([event.status, kindOf(event.error), event.errorMessage, 'output' in event]),
    );
    hooks.observe(AfterToolCall, (event) =>
      told.push([event.status, kindOf(event.error), event.errorMessage, 'output' in event]),
    );
    const outcome = await call(hooks, { execute });
    expect(told).toEqual([
      ['error', kindOf(error), errorMessage, false],
      ['error', kindOf(error), errorMessage, false],
    ]);
    expect(outcome).toMatchObject({ status: 'error', ran: true, attempts: 1 });
    expect(outcome).toHaveProperty('error', error);
    expect(outcome).not.toHaveProperty('output');
    expect(hooks.session('s').history).toMatchObject([{ status: 'error', ran: true }]);
  });

  it('may be given another message, and run again', async () => {
    const hooks = createHooks();
    hooks.on(TransformToolResult, () => modify({ errorMessage: 'hidden' }));
    const told: unknown[] = [];
    hooks.on(AfterToolCall, (event) => (told.push([event.attempt, event.errorMessage]), retry('again')));
    expect(await call(hooks, { execute })).toMatchObject({
      status: 'error',
      error: new Error('hidden'),
      attempts: 3,
      exhausted: true,
    });
    expect(told).toEqual([
      [1, 'hidden'],
      [2, 'hidden'],
      [3, 'hidden'],
    ]);
  });

  it('has failed in the split form, too', async () => {
    const hooks = createHooks();
    const told: unknown[] = [];
    hooks.observe(AfterToolCall, (event) => told.push(event.errorMessage));
    const begun = await beginToolCall(hooks, { session: hooks.session('s'), toolName: 'exec', input: 'ls' });
    if (begun.kind !== 'run') throw new Error('not run');
    expect(await finishToolCall(hooks, begun.token, { error })).toMatchObject({
      kind: 'done',
      outcome: { status: 'error', error },
    });
    expect(told).toEqual([errorMessage]);
  });
});

it('a run that is aborted for a reason that is none has its calls end with an error message', async () => {
  const hooks = createHooks();
  const told: unknown[] = [];
  hooks.observe(AfterToolCall, (event) => told.push([event.ran, event.errorMessage]));
  const signal = AbortSignal.abort(null);
  expect(await call(hooks, { signal })).toMatchObject({ status: 'error', aborted: true, error: null });
  expect(told).toEqual([[false, 'null']]);
});
