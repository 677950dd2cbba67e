import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  AfterModelCall,
  answer,
  BeforeCompaction,
  BeforeModelCall,
  BeforeRun,
  BeforeToolCall,
  modify,
  proceed,
  Stop,
  TransformToolResult,
  UserPromptSubmit,
} from '@hooks/core';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { describe, expect, test } from 'vitest';
import type { RouteCall } from '../src/index.ts';
import { harness, inPlace, prints } from './harness.ts';

/** What our own dialect has beyond docker-agent's. */

const on = (event: string, ...hooks: object[]) => ({ hooks: { [event]: hooks } });
const says = (fields: object) => prints({ hook_specific_output: fields });

describe('the answer of a hook', () => {
  test('a refusal with a blank reason refuses, even on an event where a failed hook would proceed', async () => {
    const deny = prints({ decision: 'block', reason: ' \n' });
    const { call, hooks, session } = await harness({
      hooks: { before_tool_call: [deny], before_compaction: [deny] },
    });
    expect(await call('shell', {})).toMatchObject({ status: 'blocked', reason: 'a hook refused' });
    const figures = {
      inputTokens: 1,
      outputTokens: 1,
      contextLimit: 1,
      reason: 'manual',
      source: 'manual',
    } as const;
    expect(await hooks.dispatch(BeforeCompaction, { session, ...figures })).toMatchObject({
      kind: 'block',
      reason: 'a hook refused',
    });
  });

  test('before_tool_call may call another tool', async () => {
    const { call } = await harness(
      on('before_tool_call', says({ updated_tool_name: 'safe_shell', updated_input: { line: 'ls' } })),
    );
    const outcome = await call('shell', { cmd: 'ls' }, () => 'unsafe', {
      rename: (name) => (name === 'safe_shell' ? inPlace(name, (input) => ['safe', input]) : undefined),
    });
    expect(outcome).toMatchObject({ status: 'ok', output: ['safe', { line: 'ls' }] });
  });

  test('before_tool_call may answer the call without running the tool', async () => {
    const { call, ran } = await harness(
      on('before_tool_call', says({ updated_tool_response: { cached: true } })),
    );
    expect(await call('shell', {})).toMatchObject({ status: 'ok', output: { cached: true } });
    expect(ran).toEqual([]);
  });

  test("before_tool_call may route the call, with the hook's command or the input's own", async () => {
    const routes: unknown[] = [];
    const route: RouteCall = (command) => {
      routes.push(command);
      return modify({ execute: (input) => ({ elsewhere: command ?? input }) });
    };
    const named = await harness(on('before_tool_call', prints({ decision: 'route', command: 'ls' })), {
      route,
    });
    expect(await named.call('shell', {})).toMatchObject({ output: { elsewhere: { command: 'ls' } } });
    const own = await harness(on('before_tool_call', prints({ decision: 'route' })), { route });
    expect(await own.call('shell', { cmd: 'id' })).toMatchObject({ output: { elsewhere: { cmd: 'id' } } });
    expect([...named.ran, ...own.ran]).toEqual([]);
    expect(routes).toEqual([{ command: 'ls' }, undefined]);
  });

  test('before_tool_call: a refusal beats a route, and a route without a destination is a failed hook', async () => {
    const route: RouteCall = () => answer('elsewhere');
    const both = await harness(
      {
        hooks: {
          before_tool_call: [prints({ decision: 'route' }), prints({ decision: 'block', reason: 'no' })],
        },
      },
      { route },
    );
    expect(await both.call('shell', {})).toMatchObject({ status: 'blocked', reason: 'no' });
    const nowhere = await harness(on('before_tool_call', prints({ decision: 'route' })));
    const outcome = await nowhere.call('shell', {});
    expect(outcome).toMatchObject({ status: 'blocked', ran: false });
    expect(outcome.reason).toContain('it routes the call, but loadHooks has no `route` option');
    expect([...both.ran, ...nowhere.ran]).toEqual([]);
  });

  test('after_tool_call may retry, a limited number of times', async () => {
    const { call, ran } = await harness(on('after_tool_call', says({ retry: 'flaky' })));
    expect(await call('shell', {})).toMatchObject({ attempts: 3, exhausted: true });
    expect(ran).toHaveLength(3);
  });

  test('after_tool_call may replace the output', async () => {
    const { call } = await harness(on('after_tool_call', says({ updated_tool_response: { n: 1 } })));
    expect(await call('shell', {})).toMatchObject({ output: { n: 1 } });
  });

  test('transform_tool_result may replace the error text', async () => {
    const { hooks, session } = await harness(
      on('transform_tool_result', says({ updated_tool_response: 'it failed' })),
    );
    const tool = { callId: '1', toolName: 't', nativeToolName: 't', input: {}, attempt: 1 };
    const failed = {
      session,
      ...tool,
      status: 'error',
      error: new Error('secret'),
      errorMessage: 'secret',
    } as const;
    expect(await hooks.dispatch(TransformToolResult, failed)).toMatchObject({
      patch: { errorMessage: 'it failed' },
    });
  });

  test('user_prompt_submit may replace the prompt and set metadata that before_run reads', async () => {
    const { hooks, session } = await harness({
      hooks: {
        user_prompt_submit: [says({ updated_prompt: 'think hard', metadata: { complex: true } })],
        before_run: [
          {
            type: 'command',
            command: `jq -c '{hook_specific_output: {model: "big", settings: {temperature: 0, reasoningEffort: (if .metadata.complex then "high" else "low" end)}}}'`,
          },
        ],
      },
    });
    expect(await hooks.dispatch(UserPromptSubmit, { session, run: 'r', prompt: 'think' })).toMatchObject({
      patch: { prompt: 'think hard' },
    });
    const { metadata } = session.run('r');
    expect(
      await hooks.dispatch(BeforeRun, { session, run: 'r', message: 'think hard', metadata }),
    ).toMatchObject({
      patch: { model: 'big', settings: { temperature: 0, reasoningEffort: 'high' } },
    });
  });

  test('before_model_call may block and add context', async () => {
    const { hooks, session } = await harness(on('before_model_call', says({ additional_context: 'note' })));
    const call = { session, iteration: 1, messages: [], tools: [] };
    expect(await hooks.dispatch(BeforeModelCall, call)).toMatchObject({ patch: { context: ['note'] } });
    const blocked = await harness(on('before_model_call', prints('over budget', 2)));
    expect(
      await blocked.hooks.dispatch(BeforeModelCall, { ...call, session: blocked.session }),
    ).toMatchObject({
      kind: 'block',
      reason: 'over budget',
    });
  });

  test('after_model_call may replace the text or retry', async () => {
    const response = { text: 'bad', toolCalls: [{ callId: '1', toolName: 't', input: {} }] };
    const rewrites = await harness(on('after_model_call', says({ updated_response: 'good' })));
    const event = { iteration: 1, attempt: 1, response };
    expect(
      await rewrites.hooks.dispatch(AfterModelCall, { session: rewrites.session, ...event }),
    ).toMatchObject({
      patch: { response: { ...response, text: 'good' } },
    });
    const again = await harness(on('after_model_call', says({ retry: 'be polite' })));
    expect(await again.hooks.dispatch(AfterModelCall, { session: again.session, ...event })).toMatchObject({
      kind: 'retry',
      reason: 'be polite',
    });
  });

  test('stop may keep the agent working', async () => {
    for (const hook of [
      prints({ decision: 'block', reason: 'test first' }),
      prints('test first', 2),
      says({ retry: 'test first' }),
    ]) {
      const { hooks, session } = await harness(on('stop', hook), { dialect: 'hooks' });
      expect(await hooks.dispatch(Stop, { session, response: 'done', continuations: 0 })).toMatchObject({
        kind: 'retry',
        reason: 'test first',
      });
    }
  });

  test('an unknown output field is a failed hook, because its author meant it to have an effect', async () => {
    const { call } = await harness(on('before_tool_call', prints({ descision: 'block' })));
    expect(await call('shell', {})).toMatchObject({
      status: 'blocked',
      reason: expect.stringContaining('descision'),
    });
  });
});

describe('agents', () => {
  const source = {
    hooks: { before_tool_call: [{ agents: ['coder'], hooks: [prints('no', 2)] }] },
  };
  test.each([
    ['coder', 'blocked'],
    ['reviewer', 'ok'],
    [undefined, 'blocked'],
  ])('%s: %s', async (agent, status) => {
    const { call } = await harness(source, agent === undefined ? {} : { agent });
    expect(await call('shell', {})).toMatchObject({ status });
  });

  test('each docker-agent agent has its own hooks, and an unknown agent has all of them', async () => {
    const refuse = (reason: string) => ({
      hooks: { pre_tool_use: [{ matcher: '*', hooks: [prints(reason, 2)] }] },
    });
    const source = { agents: { root: refuse('root'), coder: refuse('coder') } };
    const reasons: unknown[] = [];
    for (const agent of ['root', 'coder', 'stranger']) {
      reasons.push((await (await harness(source, { agent })).call('shell', {})).reason);
    }
    expect(reasons).toEqual(['root', 'coder', 'root']);
  });
});

describe('when a later interceptor changes the call', () => {
  const noRm = {
    name: 'no rm',
    type: 'command',
    command: `grep -q 'rm -rf' && { echo 'no rm' >&2; exit 2; }; exit 0`,
  };
  const rewrites = {
    name: 'rewrites',
    type: 'command',
    command: `echo asked >> rewriter.log; echo '{"hook_specific_output":{"updated_input":{"cmd":"ls -l"}}}'`,
  };
  const later = (toolInput: object) => modify({ input: toolInput });

  test('hooks that did not rewrite it run again, as guards', async () => {
    const { call, hooks, ran } = await harness(on('before_tool_call', noRm));
    hooks.on(BeforeToolCall, () => later({ cmd: 'rm -rf /' }));
    expect(await call('shell', { cmd: 'ls' })).toMatchObject({ status: 'blocked', reason: 'no rm' });
    expect(ran).toEqual([]);
  });

  test('hooks of a tool that one of them selected run as well', async () => {
    const { call, ran } = await harness({
      hooks: {
        before_tool_call: [
          { matcher: 'exec', hooks: [says({ updated_tool_name: 'shell' })] },
          { matcher: 'shell', hooks: [noRm] },
        ],
      },
    });
    const options = { rename: (name: string) => inPlace(name, (input) => ['shell', input]) };
    expect(await call('exec', { cmd: 'rm -rf /' }, () => '', options)).toMatchObject({
      status: 'blocked',
      reason: 'no rm',
    });
    expect(await call('exec', { cmd: 'ls' }, () => '', options)).toMatchObject({
      output: ['shell', { cmd: 'ls' }],
    });
    expect(ran).toEqual([]);
  });

  test('hooks that rewrote it do not run again', async () => {
    const { call, hooks, ran, dir } = await harness(on('before_tool_call', noRm, rewrites));
    hooks.on(BeforeToolCall, () => later({ cmd: 'pwd' }));
    expect(await call('shell', { cmd: 'ls' })).toMatchObject({ status: 'ok' });
    expect(ran).toEqual([{ cmd: 'pwd' }]);
    expect(readFileSync(join(dir, 'rewriter.log'), 'utf8')).toBe('asked\n');
  });

  test('no hook runs again if nothing changed', async () => {
    const counts = { type: 'command', command: 'echo asked >> count.log' };
    const { call, hooks, dir } = await harness(on('before_tool_call', counts));
    hooks.on(BeforeToolCall, ({ input }) => later({ ...(input as object) }));
    hooks.guard(BeforeToolCall, () => proceed());
    await call('shell', { cmd: 'ls' });
    expect(readFileSync(join(dir, 'count.log'), 'utf8')).toBe('asked\n');
  });

  test('a hook that would now rewrite closes the gate', async () => {
    const picky = {
      name: 'picky',
      type: 'command',
      command: `grep -q make && echo '{"hook_specific_output":{"updated_input":{"cmd":"make -n"}}}'; exit 0`,
    };
    const { call, hooks } = await harness(on('before_tool_call', picky));
    hooks.on(BeforeToolCall, () => later({ cmd: 'make' }));
    const outcome = await call('shell', { cmd: 'ls' });
    expect(outcome).toMatchObject({ status: 'blocked' });
    expect(outcome.reason).toContain(
      'hook "picky" failed: it would change a call that other hooks have already allowed',
    );
  });

  test('an input that a person entered is checked again', async () => {
    const asks = prints({ hook_specific_output: { permission_decision: 'ask' } });
    const { call } = await harness(on('before_tool_call', noRm, asks));
    const approval = () => ({ decision: 'allow', input: { cmd: 'rm -rf /' } }) as const;
    expect(await call('shell', { cmd: 'ls' }, () => '', { approval })).toMatchObject({
      status: 'blocked',
      reason: 'no rm',
    });
  });
});

describe('module', () => {
  const policy = `
    let calls = 0;
    export default {
      name: 'policy',
      register(hooks) {
        hooks.guard({ spec: SPEC }, (call) => ({ kind: 'block', reason: 'policy says no to ' + call.toolName + ' ' + ++calls }));
      },
    };
    export const nothing = 1;`;

  function write(dir: string): void {
    const spec = JSON.stringify(BeforeToolCall.spec);
    writeFileSync(
      join(dir, 'policy.ts'),
      policy.replace('SPEC', spec).replace('call)', 'call: { toolName: string })'),
    );
  }

  test("a provider's hooks run for the event and matcher of its entry", async () => {
    const dir = temporaryFolder();
    write(dir);
    const yaml =
      'hooks:\n  before_tool_call:\n    - matcher: shell\n      hooks:\n        - {type: module, path: ./policy.ts}\n';
    writeFileSync(join(dir, 'hooks.yaml'), yaml);
    const { call } = await harness('hooks.yaml', { cwd: dir });
    expect(await call('shell', {})).toMatchObject({ status: 'blocked', reason: 'policy says no to shell 1' });
    expect(await call('other', {})).toMatchObject({ status: 'ok' });
  });

  test.each([
    [{ path: './nowhere.ts' }, /module "\.\/nowhere\.ts" could not be loaded/],
    [{ path: './policy.ts', export: 'nothing' }, /its export "nothing" is not a provider/],
  ])('loading %j fails', async (fields, message) => {
    const dir = temporaryFolder();
    write(dir);
    const hook = { type: 'module', ...fields };
    await expect(harness(on('before_tool_call', hook), { cwd: dir })).rejects.toThrow(message);
  });
});

describe('builtin', () => {
  test('command_safety checks the command that a hook rewrote', async () => {
    const rewrites = says({ updated_input: { command: 'rm -rf /' } });
    const { call, ran } = await harness(
      on('before_tool_call', { type: 'builtin', command: 'command_safety' }, rewrites),
    );
    expect(await call('bash', { command: 'ls' })).toMatchObject({ status: 'blocked' });
    expect(ran).toEqual([]);
  });

  test('sensitive_paths takes named arguments', async () => {
    const builtin = { type: 'builtin', command: 'sensitive_paths', args: { allow: ['\\.env$'] } };
    const { call } = await harness(on('before_tool_call', builtin));
    expect(await call('read_file', { path: '.env' })).toMatchObject({ status: 'ok' });
    expect(await call('read_file', { path: '~/.ssh/id_rsa' })).toMatchObject({ status: 'blocked' });
  });

  test('redact_secrets scrubs the texts of its events', async () => {
    const key = `sk-proj-${'aB3dE5gH7jK9'.repeat(4)}`;
    const { call } = await harness(
      on('transform_tool_result', { type: 'builtin', command: 'redact_secrets' }),
    );
    const { output } = await call('bash', {}, () => `OPENAI_API_KEY=${key}`);
    expect(output).not.toContain(key);
  });

  test.each([
    [{ command: 'no_such' }, 'unknown builtin "no_such"; expected one of: command_safety'],
    [{ command: 'command_safety', args: ['x'] }, 'expected names and values, such as'],
    [{ command: 'command_safety', args: { alow: 1 } }, 'alow'],
  ])('loading %j fails', async (fields, message) => {
    await expect(harness(on('before_tool_call', { type: 'builtin', ...fields }))).rejects.toThrow(message);
  });
});
