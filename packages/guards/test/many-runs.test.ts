import { BeforeModelCall, createHooks, type HookProvider, type Hooks, sessionKey } from '@hooks/core';
import { forgetRun, openRun } from '@hooks/core/adapter';
import { callTool } from '@hooks/core/tool-call';
import { describe, expect, test } from 'vitest';
import { limits } from '../src/index.ts';

const made = (...providers: readonly HookProvider[]): Hooks => {
  const hooks = createHooks({ onError: () => {} });
  for (const provider of providers) hooks.use(provider);
  return hooks;
};

const OTHERS = 1_000;

describe.each([
  ['that go on', (): void => {}],
  ['that have ended', forgetRun],
] as const)('with 1,000 other runs of its session %s', (_what, end) => {
  test('a run keeps its budgets', async () => {
    const hooks = made(limits({ perRun: { toolCalls: 1 } }));
    const session = hooks.session('s');
    const call = (run: string) => callTool(hooks, { session, run, toolName: 'search', input: {} }, () => 'ok');
    await call('long');
    for (let nth = 0; nth < OTHERS; nth++) {
      await call(`${nth}`);
      end(session, `${nth}`);
    }
    expect(await call('long')).toMatchObject({ status: 'blocked' });
  });

  test('a run that has landed lands only once', async () => {
    const hooks = made(limits({ perSession: { tokens: 0 }, atLimit: 'answer' }));
    const session = hooks.session('s');
    const ask = async (run: string, iteration: number) =>
      hooks.dispatch(BeforeModelCall, { session, run, iteration, messages: [], tools: [] });
    await ask('long', 1);
    expect(await ask('long', 2)).toMatchObject({ kind: 'modify' });
    for (let nth = 0; nth < OTHERS; nth++) {
      await ask(`${nth}`, 2);
      end(session, `${nth}`);
    }
    expect(await ask('long', 3)).toMatchObject({ kind: 'block' });
  });
});

test('a paused run keeps its budgets until it resumes, whatever ends meanwhile', async () => {
  const hooks = made(limits({ perRun: { toolCalls: 1 } }));
  const open = () => openRun(hooks, { sessionId: 's' });
  const paused = open();
  await paused.begin();
  await paused.callTool({ toolName: 'search', input: {} }, () => 'ok');
  await paused.pause([{ reason: 'Wait.' }]);
  for (let nth = 0; nth < OTHERS; nth++) {
    const other = open();
    await other.callTool({ toolName: 'search', input: {} }, () => 'ok');
    await other.end({ kind: 'done' });
  }
  paused.resume(undefined);
  expect(await paused.callTool({ toolName: 'search', input: {} }, () => 'ok')).toMatchObject({ ran: false });
});

test('a run that is over and whose id another process resumes goes on with its count', async () => {
  const hooks = made(limits({ perRun: { toolCalls: 1 } }));
  const open = (id: string) => openRun(hooks, { sessionId: 's', id });
  const call = (run: ReturnType<typeof open>) => run.callTool({ toolName: 'search', input: {} }, () => 'ok');
  const first = open('long');
  await call(first);
  await first.end({ kind: 'done' });
  const again = open('long');
  for (let nth = 0; nth < 200; nth++) {
    const other = open(`${nth}`);
    await call(other);
    await other.end({ kind: 'done' });
  }
  expect(await call(again)).toMatchObject({ ran: false });
});

test('a budget of runs refuses a session in which too many runs never end, and says what to do', async () => {
  const errors: string[] = [];
  const hooks = createHooks({ onError: ({ message }) => void errors.push(message) });
  hooks.use(limits({ perRun: { toolCalls: 1 } }));
  const session = hooks.session('s');
  const key = sessionKey<number>('test/runs');
  for (let nth = 0; nth < 10_000; nth++) session.run(`${nth}`).set(key, nth);
  const call = (run: string) => callTool(hooks, { session, run, toolName: 'search', input: {} }, () => 'ok');
  expect(await call('new')).toMatchObject({ status: 'blocked', ran: false });
  expect(errors.join()).toMatch(/10000 runs that have not ended.*forgetRun.*close the session/);
  // Those that go on are not affected, and room is made by each that ends.
  expect(session.run('0').get(key)).toBe(0);
  forgetRun(session, '0');
  expect(await call('new')).toMatchObject({ status: 'ok' });
});
