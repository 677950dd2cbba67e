import { createHooks, type ToolCallOutcome } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { classifyError, type RetryTransientOptions, retryTransient } from '../src/index.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const failure = (fields: object): Error => Object.assign(new Error('failed'), fields);

/** Runs a tool that fails with each error in turn, with fake time. Returns the outcome and the delays. */
async function run(
  errors: readonly unknown[],
  options?: RetryTransientOptions,
): Promise<{ outcome: ToolCallOutcome; waits: number[] }> {
  const hooks = createHooks();
  hooks.use(retryTransient(options));
  const at: number[] = [];
  const started = callTool(hooks, { session: hooks.session('s'), toolName: 'fetch', input: {} }, () => {
    const error = errors[at.length];
    at.push(Date.now());
    if (error !== undefined) throw error;
    return 'ok';
  });
  await vi.runAllTimersAsync();
  const outcome = await started;
  return { outcome, waits: at.slice(1).map((time, i) => time - (at[i] ?? 0)) };
}

test('a transient error is retried after a growing delay, half of which is random', async () => {
  const { outcome, waits } = await run([failure({ code: 'ECONNRESET' }), failure({ code: 'ECONNRESET' })]);
  expect(outcome).toMatchObject({ status: 'ok', output: 'ok', attempts: 3 });
  expect(waits[0]).toBeGreaterThanOrEqual(125);
  expect(waits[0]).toBeLessThanOrEqual(250);
  expect(waits[1]).toBeGreaterThanOrEqual(250);
  expect(waits[1]).toBeLessThanOrEqual(500);
});

test('the last error stands after the maximum number of attempts', async () => {
  const { outcome } = await run(Array.from({ length: 5 }, () => failure({ status: 503 })));
  expect(outcome).toMatchObject({ status: 'error', attempts: 3, exhausted: true });
});

test('other errors are not retried', async () => {
  const { outcome } = await run([failure({ status: 404 })]);
  expect(outcome).toMatchObject({ status: 'error', attempts: 1 });
});

test('Retry-After sets the delay, unless it is longer than the class allows', async () => {
  const limited = (seconds: number): Error =>
    failure({ status: 429, headers: { 'retry-after': String(seconds) } });
  const { outcome, waits } = await run([limited(30)]);
  expect(outcome).toMatchObject({ status: 'ok' });
  expect(waits[0]).toBe(30_000);
  expect((await run([limited(3600)])).outcome).toMatchObject({ status: 'error', attempts: 1 });
});

test('a class can have its own backoff, or none', async () => {
  const { waits } = await run([failure({ status: 500 })], { classes: { server: { baseMs: 10, maxMs: 10 } } });
  expect(waits[0]).toBeLessThanOrEqual(10);
  const { outcome } = await run([failure({ status: 500 })], { classes: { server: false } });
  expect(outcome).toMatchObject({ status: 'error', attempts: 1 });
});

test('only the listed tools are retried', async () => {
  const { outcome } = await run([failure({ status: 500 })], { tools: 'web_.*' });
  expect(outcome).toMatchObject({ status: 'error', attempts: 1 });
});

describe('classifyError', () => {
  test.each([
    ['a status', failure({ status: 429 }), 'rate-limit'],
    ['a response', failure({ response: { status: 502 } }), 'server'],
    ['a cause', new Error('fetch failed', { cause: failure({ code: 'UND_ERR_SOCKET' }) }), 'network'],
    ['AbortSignal.timeout', new DOMException('late', 'TimeoutError'), 'timeout'],
    ['an abort', new DOMException('stop', 'AbortError'), undefined],
    ['a text that only mentions it', new Error('429 ECONNRESET'), undefined],
    ['nothing', undefined, undefined],
  ])('%s', (_, error, expected) => {
    expect(classifyError(error)).toBe(expected);
  });

  test('handles a cause that refers to itself', () => {
    const error = new Error('a');
    error.cause = error;
    expect(classifyError(error)).toBeUndefined();
  });
});
