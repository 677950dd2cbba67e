import { existsSync, readFileSync } from 'node:fs';
import {
  AfterToolCall,
  BeforeCompaction,
  BeforeModelCall,
  BeforeToolCall,
  SessionStart,
  Stop,
  TurnStart,
  UserPromptSubmit,
} from '@hooks/core';
import { takeContext } from '@hooks/core/adapter';
import { describe, expect, test } from 'vitest';
import { DIALECTS, dispatchEvent } from '../src/index.ts';
import { harness, prints } from './harness.ts';

/** The effect of every documented output field and exit code of docker-agent. */

const before = (...hooks: object[]) => ({ hooks: { pre_tool_use: [{ matcher: '*', hooks }] } });
const compaction = {
  inputTokens: 90,
  outputTokens: 10,
  contextLimit: 0,
  reason: 'threshold',
  source: 'auto',
} as const;

describe('common fields', () => {
  test('no output and {} decide nothing', async () => {
    const { call } = await harness(before(prints(''), prints({})));
    expect(await call('shell', { cmd: 'ls' })).toMatchObject({ status: 'ok' });
  });

  test('a null field counts as missing', async () => {
    const { call } = await harness(
      before(
        prints({ continue: null, decision: null, reason: null, hook_specific_output: null }),
        prints({ hook_specific_output: { permission_decision: null, updated_input: null } }),
      ),
    );
    expect(await call('shell', { cmd: 'ls' })).toMatchObject({ status: 'ok' });
  });

  test('continue: false ends the run with stop_reason as the reason', async () => {
    const { call } = await harness(before(prints({ continue: false, stop_reason: 'enough' })));
    expect(await call('shell', { cmd: 'ls' })).toMatchObject({
      status: 'blocked',
      reason: 'enough',
      stop: true,
    });
  });

  test('decision: block blocks with its reason', async () => {
    const { call } = await harness(before(prints({ decision: 'block', reason: 'no' })));
    expect(await call('shell', { cmd: 'ls' })).toMatchObject({
      status: 'blocked',
      reason: 'no',
      stop: false,
    });
  });

  test('system_message reaches the user as a warning', async () => {
    const { call, told } = await harness(before(prints({ system_message: 'careful' })));
    expect(await call('shell', { cmd: 'ls' })).toMatchObject({ status: 'ok' });
    expect(told).toEqual(['careful']);
  });

  test.each(Object.entries(DIALECTS['docker-agent'].events).filter(([name]) => name !== 'notification'))(
    'system_message of %s reaches the user without delaying the event',
    async (wireEvent, { event }) => {
      const { hooks, told } = await harness(
        { hooks: { [wireEvent]: [prints({ system_message: 'careful' })] } },
        { dialect: 'docker-agent' },
      );
      const [, delivery] = /^user_(steering|followup)/.exec(wireEvent) ?? [];
      const call = { toolName: 'shell', callId: 'c', input: {}, ran: true, status: 'ok', reason: 'other' };
      const fields = { ...call, ...(delivery && { delivery }) };
      await dispatchEvent(hooks, { type: event, sessionId: 's', cwd: '/', fields });
      await hooks.settled();
      await expect.poll(() => told).toEqual(['careful']);
    },
  );

  test("suppress_output keeps the hook's output out of the trace", async () => {
    const { call, hooks } = await harness(before(prints({ suppress_output: true, reason: 'secret words' })));
    const traced: string[] = [];
    hooks.trace((trace) => traced.push(JSON.stringify(trace)));
    await call('shell', { cmd: 'ls' });
    expect(traced.join()).not.toContain('secret words');
  });
});

describe('pre_tool_use', () => {
  const says = (permission_decision: string, more: object = {}) =>
    prints({
      hook_specific_output: {
        permission_decision,
        permission_decision_reason: `because ${permission_decision}`,
        ...more,
      },
    });

  test('permission_decision: deny blocks with its reason', async () => {
    const { call } = await harness(before(says('deny')));
    expect(await call('shell', {})).toMatchObject({ status: 'blocked', reason: 'because deny' });
  });

  test('permission_decision: ask asks a person, who reads its reason', async () => {
    const { call } = await harness(before(says('ask')));
    const reasons: string[] = [];
    const approval = ({ reason }: { reason: string }) => {
      reasons.push(reason);
      return { decision: 'deny' as const, reason: 'not now' };
    };
    expect(await call('shell', {}, () => '', { approval })).toMatchObject({
      status: 'denied',
      reason: 'not now',
    });
    expect(reasons).toEqual(['because ask']);
  });

  test('permission_decision: allow needs no person', async () => {
    const { hooks, session } = await harness(before(says('allow')));
    const decision = await hooks.dispatch(BeforeToolCall, {
      session,
      callId: '1',
      toolName: 'shell',
      nativeToolName: 'shell',
      input: {},
    });
    expect(decision).toMatchObject({ patch: { approval: { kind: 'granted', reason: 'because allow' } } });
  });

  test('updated_input replaces the input', async () => {
    const { call, ran } = await harness(
      before(says('allow', { updated_input: { cmd: 'ls --color=never' } })),
    );
    await call('shell', { cmd: 'ls', cwd: '.' });
    expect(ran).toEqual([{ cmd: 'ls --color=never' }]);
  });

  test("updated_input is translated back for another agent's shell", async () => {
    const { call, ran } = await harness(
      before(prints({ hook_specific_output: { updated_input: { cmd: 'pwd' } } })),
    );
    await call('Bash', { command: 'ls' });
    expect(ran).toEqual([{ command: 'pwd' }]);
  });

  test('additional_context is ignored', async () => {
    const { call, session, hooks } = await harness(
      before(prints({ hook_specific_output: { additional_context: 'psst' } })),
    );
    await call('shell', {});
    expect(takeContext(hooks, session)).toEqual([]);
  });

  test('deny beats ask, and ask beats allow, whatever the order', async () => {
    const all = await harness(before(says('allow'), says('ask'), says('deny')));
    expect(await all.call('shell', {})).toMatchObject({ status: 'blocked', reason: 'because deny' });
    const two = await harness(before(says('allow'), says('ask')));
    expect(await two.call('shell', {})).toMatchObject({ status: 'denied' });
  });

  test('the last rewrite in the file wins, whichever hook ends first', async () => {
    const slow = {
      type: 'command',
      command: `sleep 0.3; echo '{"hook_specific_output":{"updated_input":{"cmd":"slow"}}}'`,
    };
    const fast = prints({ hook_specific_output: { updated_input: { cmd: 'fast' } } });
    const { call, ran } = await harness(before(slow, fast));
    await call('shell', { cmd: 'ls' });
    expect(ran).toEqual([{ cmd: 'fast' }]);
  });

  test('hooks run in parallel', async () => {
    // Each waits until all have started.
    const wait = 'until [ -e 1 ] && [ -e 2 ] && [ -e 3 ]; do sleep 0.05; done';
    const { call } = await harness(
      before(...[1, 2, 3].map((n) => ({ type: 'command', command: `touch ${n}; ${wait}`, timeout: 30 }))),
    );
    expect(await call('shell', {})).toMatchObject({ status: 'ok' });
  });

  test('the same command in two groups runs once', async () => {
    const hook = { type: 'command', command: 'echo x >> runs.log' };
    const { call, dir } = await harness({
      hooks: {
        pre_tool_use: [
          { matcher: '*', hooks: [hook] },
          { matcher: 'shell', hooks: [hook] },
        ],
      },
    });
    await call('shell', {});
    expect(readFileSync(`${dir}/runs.log`, 'utf8')).toBe('x\n');
  });
});

describe('post_tool_use', () => {
  test('a block withholds the result and ends the run', async () => {
    const { call } = await harness({
      hooks: { post_tool_use: [{ hooks: [prints({ decision: 'block', reason: 'leak' })] }] },
    });
    expect(await call('shell', {})).toMatchObject({
      status: 'blocked',
      ran: true,
      reason: 'leak',
      stop: true,
    });
  });
});

describe('context as additional_context or plain text', () => {
  const forms = [
    ['additional_context', prints({ hook_specific_output: { additional_context: 'note' } })],
    ['plain text', prints('note')],
  ] as const;

  test.each(forms)('session_start: %s is in every model call of the session', async (_, hook) => {
    const { hooks, session } = await harness({ hooks: { session_start: [hook] } });
    await hooks.dispatch(SessionStart, { session, source: 'startup' });
    expect([takeContext(hooks, session), takeContext(hooks, session)]).toEqual([['note'], ['note']]);
  });

  test.each(forms)('user_prompt_submit: %s is in every model call of the run', async (_, hook) => {
    const { hooks, session } = await harness({ hooks: { user_prompt_submit: [hook] } });
    await hooks.dispatch(UserPromptSubmit, { session, run: 'r', prompt: 'hi' });
    expect([takeContext(hooks, session, 'r'), takeContext(hooks, session, 'r')]).toEqual([
      ['note'],
      ['note'],
    ]);
  });

  test.each(forms)('turn_start: %s is in this model call only', async (_, hook) => {
    const { hooks, session } = await harness({ hooks: { turn_start: [hook] } });
    await hooks.dispatch(TurnStart, { session, run: 'r', iteration: 1 });
    expect([takeContext(hooks, session, 'r'), takeContext(hooks, session, 'r')]).toEqual([['note'], []]);
  });

  test.each(forms)('post_tool_use: %s is in the next model call', async (_, hook) => {
    const { call } = await harness({ hooks: { post_tool_use: [{ matcher: '*', hooks: [hook] }] } });
    expect(await call('shell', {})).toMatchObject({ status: 'ok', context: ['note'] });
  });

  test.each(forms)('pre_compact: %s guides the summary', async (_, hook) => {
    const { hooks, session } = await harness({ hooks: { pre_compact: [hook] } });
    expect(await hooks.dispatch(BeforeCompaction, { session, ...compaction })).toMatchObject({
      patch: { context: ['note'] },
    });
  });

  test.each(forms)('stop: %s is in the next model call', async (_, hook) => {
    const { hooks, session } = await harness({ hooks: { stop: [hook], pre_tool_use: [] } });
    const decision = await hooks.dispatch(Stop, { session, response: 'done', continuations: 0 });
    expect(decision.kind).toBe('proceed');
    expect([takeContext(hooks, session), takeContext(hooks, session)]).toEqual([['note'], []]);
  });

  test.each([
    ...forms,
    ['add_context', { type: 'builtin', command: 'add_context', args: ['note'] }] as const,
  ])('stop: %s reaches the next run of the session, once', async (_, hook) => {
    const { hooks, session } = await harness({ hooks: { stop: [hook], pre_tool_use: [] } });
    await hooks.dispatch(Stop, { session, run: 'first', response: 'done', continuations: 0 });
    const taken = [takeContext(hooks, session, 'second'), takeContext(hooks, session, 'third')];
    expect(taken).toEqual([['note'], []]);
  });

  test('before_llm_call ignores it', async () => {
    const { hooks, session } = await harness({ hooks: { before_llm_call: [forms[0][1], forms[1][1]] } });
    const decision = await hooks.dispatch(BeforeModelCall, {
      session,
      iteration: 1,
      messages: [],
      tools: [],
    });
    expect(decision.kind).toBe('proceed');
  });
});

describe('compaction', () => {
  test.each(['pre_compact', 'before_compaction'])('%s: a block vetoes it', async (event) => {
    for (const hook of [prints({ decision: 'block', reason: 'later' }), prints('later', 2)]) {
      const { hooks, session } = await harness({ hooks: { [event]: [hook] } }, { dialect: 'docker-agent' });
      expect(await hooks.dispatch(BeforeCompaction, { session, ...compaction })).toMatchObject({
        kind: 'block',
        reason: 'later',
      });
    }
  });
});

describe('exit codes', () => {
  test('exit code 2 blocks with stderr as the reason, else stdout, else JSON', async () => {
    const reasons: unknown[] = [];
    for (const command of [
      'echo err >&2; exit 2',
      'echo out; exit 2',
      `echo '{"reason":"json"}'; echo err >&2; exit 2`,
    ]) {
      const { call } = await harness(before({ type: 'command', command }));
      reasons.push((await call('shell', {})).reason);
    }
    expect(reasons).toEqual(['err', 'out', 'json']);
  });

  test('exit code 2 blocks even with an allow, whose reason is ignored', async () => {
    const said = { permission_decision: 'allow', permission_decision_reason: 'it is safe' };
    const { command } = prints({ hook_specific_output: said }, 2);
    const { call } = await harness(before({ type: 'command', command: `echo err >&2; ${command}` }));
    expect(await call('shell', {})).toMatchObject({ status: 'blocked', reason: 'err' });
  });

  test.each([
    ['user_prompt_submit', UserPromptSubmit, { prompt: 'hi' }],
    ['before_llm_call', BeforeModelCall, { iteration: 1, messages: [], tools: [] }],
  ] as const)('2 blocks %s', async (event, token, fields) => {
    const { hooks, session } = await harness({ hooks: { [event]: [prints('no', 2)] } });
    const point = token as typeof UserPromptSubmit;
    expect(await hooks.dispatch(point, { session, ...(fields as { prompt: string }) })).toMatchObject({
      kind: 'block',
      reason: 'no',
    });
  });

  test('any other exit code is a failed hook, which closes a gate and does not affect other events', async () => {
    const gate = await harness({ hooks: { user_prompt_submit: [prints('', 1)], pre_tool_use: [] } });
    expect(
      await gate.hooks.dispatch(UserPromptSubmit, { session: gate.session, prompt: 'hi' }),
    ).toMatchObject({ kind: 'block' });
    const start = await harness({ hooks: { turn_start: [prints('', 1)] } });
    expect(await start.hooks.dispatch(TurnStart, { session: start.session, iteration: 1 })).toMatchObject({
      kind: 'proceed',
    });
    expect(start.errors).toMatchObject([
      { code: 'HOOK_FAILED', message: expect.stringContaining('exit code 1') },
    ]);
  });

  test("failures: 'as-original' has the effect that docker-agent documents", async () => {
    const { hooks, session, call } = await harness(
      {
        hooks: {
          user_prompt_submit: [prints('', 1)],
          pre_tool_use: [{ matcher: '*', hooks: [prints('', 1)] }],
        },
      },
      { failures: 'as-original' },
    );
    expect(await hooks.dispatch(UserPromptSubmit, { session, prompt: 'hi' })).toMatchObject({
      kind: 'proceed',
    });
    expect(await call('shell', {})).toMatchObject({ status: 'blocked' });
  });
});

test('a blocked call fires no post_tool_use', async () => {
  const { call, dir, hooks } = await harness({
    hooks: {
      pre_tool_use: [{ matcher: '*', hooks: [prints('no', 2)] }],
      post_tool_use: [{ matcher: '*', hooks: [{ type: 'command', command: 'touch ran' }] }],
    },
  });
  const seen: string[] = [];
  hooks.observe(AfterToolCall, ({ status }) => {
    seen.push(status);
  });
  await call('shell', {});
  expect([existsSync(`${dir}/ran`), seen]).toEqual([false, ['blocked']]);
});
