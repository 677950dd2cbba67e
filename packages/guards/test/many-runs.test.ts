import { type AdapterHarness, Stage } from '@hooks/conformance';
import {
  BeforeModelCall,
  BeforeToolCall,
  block,
  createHooks,
  type HookProvider,
  type Hooks,
  modify,
  proceed,
  sessionKey,
  UserPromptSubmit,
} from '@hooks/core';
import { forgetRun, openRun } from '@hooks/core/adapter';
import { callTool } from '@hooks/core/tool-call';
import { HARNESSES_OF_ENDPOINTS } from '@hooks/testing/adapters';
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
    const call = (run: string) =>
      callTool(hooks, { session, run, toolName: 'search', input: {} }, () => 'ok');
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

test.each(['the only one', 'inside another'])(
  'a run that is over and is opened again goes on with its count, in a registry that is %s',
  async (where) => {
    const hooks = made(limits({ perRun: { toolCalls: 1 } }));
    const registries = where === 'the only one' ? [{ hooks }] : [{ hooks: createHooks() }, { hooks }];
    const open = (id: string) => openRun(registries, { sessionId: 's', id });
    const call = (run: ReturnType<typeof open>) =>
      run.callTool({ toolName: 'search', input: {} }, () => 'ok');
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
  },
);

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

describe.each(HARNESSES_OF_ENDPOINTS)('in $name', ({ harness: url }) => {
  test.each([false, true])('a run ends, however it does (streamed: %s)', async (stream) => {
    const { harness }: { readonly harness: AdapterHarness } = await import(url);
    await using stage = new Stage(harness, stream);
    const abort = new AbortController();
    const seen = new Map<string, string>();
    let place: Parameters<typeof forgetRun> | undefined;
    stage.hooks.on(UserPromptSubmit, ({ session, run = '', prompt }) => {
      place = [session, run];
      seen.set(prompt, run);
      return prompt === 'Refused.' ? block('No.') : modify({ metadata: { prompt } });
    });
    stage.hooks.guard(BeforeModelCall, ({ session, run = '' }) => {
      const { prompt } = session.run(run).metadata;
      if (prompt === 'Aborted.') abort.abort();
      return prompt === 'Refused at the model.' ? block('No.') : proceed();
    });
    stage.hooks.guard(BeforeToolCall, () => block('Stop.', { stop: true }));
    const actor = await stage.agent(
      ({ messages }) => {
        const prompt = messages.findLast(({ role }) => role === 'user')?.content ?? '';
        if (prompt.includes('Failed.')) return { status: 400, error: 'Broken.' };
        if (!prompt.includes('Stopped.')) return { text: 'Done.' };
        return { toolCalls: [{ id: 'c1', name: 'weather', arguments: { city: 'Rome' } }] };
      },
      { tools: [stage.tool('weather')] },
    );
    for (const prompt of ['Done.', 'Refused at the model.', 'Stopped.', 'Failed.', 'Aborted.', 'Refused.'])
      await actor
        .run({ session: 's1', prompt, ...(prompt === 'Aborted.' && { signal: abort.signal }) })
        .catch(() => {});
    // LangChain keeps the last run of a thread, since it may go on.
    await actor.run({ session: 's1', prompt: 'And now?' });
    await stage.hooks.settled();
    const [session] = place ?? [];
    seen.delete('And now?');
    expect([...seen].map(([prompt, run]) => ({ prompt, left: session?.run(run).metadata }))).toEqual(
      ['Done.', 'Refused at the model.', 'Stopped.', 'Failed.', 'Aborted.', 'Refused.'].map((prompt) => ({
        prompt,
        left: {},
      })),
    );
  });
});
