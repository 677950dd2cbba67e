import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  AfterModelCall,
  BeforeRun,
  SessionEnd,
  Stop,
  TurnEnd,
  TurnStart,
  UserPromptSubmit,
} from '@hooks/core';
import { takeContext } from '@hooks/core/adapter';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DIALECTS, readHookFile, readStdin } from '../src/index.ts';
import { harness, prints } from './harness.ts';

/** Later additions to docker-agent: events, a hook type, fields and built-ins. */

const agent = (hooks: object): object => ({ agents: { root: { hooks } } });
const builtin = (command: string, ...args: readonly string[]): object => ({ type: 'builtin', command, args });
const rewrites = (cmd: string): object => prints({ hook_specific_output: { updated_input: { cmd } } });
const decides = (permission_decision: string): object =>
  prints({ hook_specific_output: { permission_decision } });

const catalogue = [
  ...['pre_tool_use', 'post_tool_use', 'permission_request', 'session_start', 'user_prompt_submit'],
  ...['user_steering_messages_submit', 'user_followup_submit', 'turn_start', 'turn_end', 'before_llm_call'],
  ...[
    'after_llm_call',
    'session_end',
    'pre_compact',
    'subagent_stop',
    'on_user_input',
    'stop',
    'notification',
  ],
  ...['on_error', 'on_max_iterations', 'on_agent_switch', 'on_session_resume', 'on_tool_approval_decision'],
  ...[
    'before_compaction',
    'after_compaction',
    'tool_response_transform',
    'tool_input_transform',
    'tool_guard',
  ],
  ...['worktree_create', 'before_agent_run'],
];

test('a file may name every event of the catalogue, and those that never fire give a notice', () => {
  const hooks = Object.fromEntries(catalogue.map((name) => [name, [prints({})]]));
  const { issues, notices } = readHookFile(JSON.stringify(agent(hooks)), 'agent.yaml');

  expect(issues).toEqual([]);
  expect(notices.map(({ path }) => path)).toEqual([
    'agents.root.hooks.on_session_resume',
    'agents.root.hooks.worktree_create',
  ]);
});

describe('messages of the user', () => {
  test.each([
    ['user_prompt_submit', undefined],
    ['user_prompt_submit', 'prompt'],
    ['user_steering_messages_submit', 'steering'],
    ['user_followup_submit', 'followup'],
  ] as const)('%s fires for a message of delivery %s alone', async (wireEvent, delivery) => {
    const { hooks, session } = await harness(
      agent({ [wireEvent]: [{ type: 'command', command: 'exit 2' }] }),
    );

    for (const other of [undefined, 'prompt', 'steering', 'followup'] as const) {
      const event = { session, prompt: 'x', ...(other && { delivery: other }) };
      const { kind } = await hooks.dispatch(UserPromptSubmit, event);
      const same = (other ?? 'prompt') === (delivery ?? 'prompt');
      expect([other, kind]).toEqual([other, same ? 'block' : 'proceed']);
    }
  });

  test('a hook receives a steering message as a list', async () => {
    const record = { type: 'command', command: 'cat > told' };
    const { hooks, session, dir } = await harness(agent({ user_steering_messages_submit: [record] }));

    await hooks.dispatch(UserPromptSubmit, { session, prompt: 'faster', delivery: 'steering' });

    expect(JSON.parse(readFileSync(join(dir, 'told'), 'utf8'))).toMatchObject({
      steering_messages: ['faster'],
    });
  });

  test('our own event fires for each message and tells how it was delivered', async () => {
    const hook = { type: 'command', command: 'cat > told; exit 2' };
    const { hooks, session, dir } = await harness({ hooks: { user_prompt_submit: [hook] } });

    const event = { session, prompt: 'faster', delivery: 'steering' } as const;
    expect(await hooks.dispatch(UserPromptSubmit, event)).toMatchObject({ kind: 'block' });
    expect(JSON.parse(readFileSync(join(dir, 'told'), 'utf8'))).toMatchObject({ delivery: 'steering' });
  });
});

test("docker-agent's stdin for a steering or follow-up message is read back", () => {
  const read = (hook_event_name: string, fields: object) =>
    readStdin(DIALECTS['docker-agent'], { hook_event_name, session_id: 'a', ...fields }).event.fields;

  expect(read('user_steering_messages_submit', { steering_messages: ['a', 'b'] })).toEqual({
    prompt: 'a\nb',
    delivery: 'steering',
  });
  expect(read('user_followup_submit', { prompt: 'a' })).toEqual({ prompt: 'a', delivery: 'followup' });
});

describe('the phases of a tool call', () => {
  test('tool_guard sees the call as tool_input_transform and pre_tool_use changed it', async () => {
    const seen = (name: string): object => ({ type: 'command', command: `cat >> ${name}; echo >> ${name}` });
    const { call, dir, ran } = await harness(
      agent({
        tool_guard: [seen('guard')],
        pre_tool_use: [{ matcher: 'shell', hooks: [seen('pre'), rewrites('third')] }],
        tool_input_transform: [seen('transform'), rewrites('second')],
      }),
    );

    await call('shell', { cmd: 'first' });

    const cmds = ['transform', 'pre', 'guard'].map(
      (name) => JSON.parse(readFileSync(join(dir, name), 'utf8').split('\n')[0] ?? '').tool_input.cmd,
    );
    expect(cmds).toEqual(['first', 'second', 'third']);
    expect(ran).toEqual([{ cmd: 'third' }]);
  });

  test('tool_guard can deny and ask, but not grant', async () => {
    const status = async (permission: string, ask?: object): Promise<string> => {
      const { call } = await harness(
        agent({ pre_tool_use: ask ? [ask] : [], tool_guard: [decides(permission)] }),
      );
      return (await call('shell', { cmd: 'x' }, undefined, { needsApproval: 'the framework asks' })).status;
    };

    expect(await status('deny')).toBe('blocked');
    expect(await status('ask', decides('allow'))).toBe('denied');
    // The framework's own approval is still required, and nobody gives it here.
    expect(await status('allow')).toBe('denied');
  });

  test('tool_guard cannot rewrite', async () => {
    const { call, ran } = await harness(agent({ tool_guard: [rewrites('other')] }));

    await call('shell', { cmd: 'x' });

    expect(ran).toEqual([{ cmd: 'x' }]);
  });

  test.each(['tool_guard', 'tool_input_transform'])('a failed hook on %s blocks the call', async (event) => {
    const hook = { type: 'command', command: 'exit 1', on_error: 'ignore' };
    const { call } = await harness(agent({ [event]: [hook] }));

    expect(await call('shell', {})).toMatchObject({ status: 'blocked' });
  });

  test('preempt_yolo and a single hook instead of a list are accepted', async () => {
    const { call } = await harness(
      agent({
        pre_tool_use: { matcher: '*', preempt_yolo: true, hooks: [{ type: 'command', command: 'exit 2' }] },
        stop: { type: 'command', command: 'true' },
      }),
    );

    expect(await call('shell', {})).toMatchObject({ status: 'blocked' });
  });
});

test('before_agent_run may refuse a run', async () => {
  const { hooks, session } = await harness(
    agent({ before_agent_run: [{ type: 'command', command: 'exit 2' }] }),
  );

  expect(await hooks.dispatch(BeforeRun, { session, message: 'x', metadata: {} })).toMatchObject({
    kind: 'block',
  });
});

describe('a hook of type evaluator', () => {
  const evaluator = {
    type: 'evaluator',
    evaluator: 'safety',
    evaluator_policy: { decisions: { true: 'allow' }, min_probability: 0.9, fallback: 'deny' },
  };

  test('closes tool_guard and gives a notice', async () => {
    const { call, warnings } = await harness(
      agent({ tool_guard: [{ matcher: 'shell', hooks: [evaluator] }] }),
    );

    expect(await call('shell', {})).toMatchObject({ status: 'blocked' });
    expect(await call('read_file', {})).toMatchObject({ status: 'ok' });
    expect(warnings.join()).toContain('runs only in docker-agent');
  });

  test('routes no run, and the run continues', async () => {
    const routing = { type: 'evaluator', evaluator: 'route', routing_policy: { routes: {} } };
    const { hooks, session, told } = await harness(agent({ before_agent_run: [routing] }));

    const run = { session, message: 'x', metadata: {} };
    expect(await hooks.dispatch(BeforeRun, run)).toMatchObject({ kind: 'proceed' });
    expect(told.join()).toContain('runs only in docker-agent');
  });
});

describe('strict_output', () => {
  test.each([
    ['text', 'fine', 'it printed no JSON object'],
    ['nothing', '', 'it printed no JSON object'],
    ['a field of another event', { hook_specific_output: { summary: 'x' } }, 'summary'],
  ])('makes %s a failure', async (_, output, says) => {
    const { call } = await harness(agent({ pre_tool_use: [{ ...prints(output), strict_output: true }] }));

    const outcome = await call('shell', {});

    expect(outcome).toMatchObject({ status: 'blocked' });
    expect(outcome.reason).toContain(says);
  });

  test('accepts an answer that the event permits, and a refusal by exit code', async () => {
    const strict = (hook: object): object => agent({ pre_tool_use: [{ ...hook, strict_output: true }] });

    expect(await (await harness(strict(prints({})))).call('shell', {})).toMatchObject({ status: 'ok' });
    expect(await (await harness(strict(rewrites('b')))).call('shell', {})).toMatchObject({ status: 'ok' });
    expect((await (await harness(strict(prints('no', 2)))).call('shell', {})).reason).toBe('no');
  });
});

describe('built-ins', () => {
  test('add_context adds its rendered templates to the context', async () => {
    const { hooks, session } = await harness(
      agent({ user_prompt_submit: [builtin('add_context', 'The user said: {{ .Prompt }}', ' ')] }),
    );

    await hooks.dispatch(UserPromptSubmit, { session, prompt: 'hello' });

    expect(takeContext(hooks, session)).toEqual(['The user said: hello']);
    expect(await hooks.dispatch(UserPromptSubmit, { session, prompt: 'hello' })).toMatchObject({
      patch: { context: ['The user said: hello'] },
    });
  });

  test('add_context refuses an invalid template', async () => {
    await expect(harness(agent({ turn_start: [builtin('add_context', '{{ .Nope }}')] }))).rejects.toThrow(
      'it names an unknown field',
    );
  });

  test.each([
    ['shell', 3000, 'line 3000', 'line 1\n'],
    ['read_file', 3000, 'line 1\n', 'line 3000'],
  ])(
    'limit_large_tool_results shows a part of the result of %s, and keeps all of it in a file until the session ends',
    async (tool, count, kept, dropped) => {
      const { hooks, session, call, loaded } = await harness(
        agent({
          tool_response_transform: [builtin('limit_large_tool_results')],
          session_end: [builtin('limit_large_tool_results')],
        }),
      );
      const lines = Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

      const { output } = await call(tool, {}, () => lines);

      expect(loaded.entries).toHaveLength(2);
      expect(output).toContain(kept);
      expect(output).not.toContain(`\n${dropped}`);
      const [, path = ''] = /(\/\S+\.txt)/.exec(String(output)) ?? [];
      expect(readFileSync(path, 'utf8')).toBe(lines);
      await hooks.dispatch(SessionEnd, { session, reason: 'other' });
      expect(existsSync(path)).toBe(false);
    },
  );

  test('limit_large_tool_results leaves small results unchanged', async () => {
    const { call } = await harness(agent({ tool_response_transform: [builtin('limit_large_tool_results')] }));

    expect(await call('shell', {}, () => 'small')).toMatchObject({ output: 'small' });
  });

  test('http_post posts its text, and the response has no effect', async () => {
    const posted: string[] = [];
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      posted.push(`${request.headers['content-type']} ${body}`);
      response.writeHead(500).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const { call } = await harness(agent({ pre_tool_use: [builtin('http_post', url, '{"a":1}')] }));

    expect(await call('shell', {})).toMatchObject({ status: 'ok' });
    expect(posted).toEqual(['application/json {"a":1}']);
    await expect(harness(agent({ stop: [builtin('http_post', 'ftp://x')] }))).rejects.toThrow(
      'http or https',
    );
  });

  test('a built-in runs in its working_dir', async () => {
    const hook = { ...builtin('add_prompt_files', 'A.md'), working_dir: 'sub' };
    const { hooks, session, dir } = await harness(agent({ turn_start: [hook] }));
    expect(readdirSync(dir)).toEqual([]);
    mkdirSync(join(dir, 'sub'));
    writeFileSync(join(dir, 'sub', 'A.md'), 'Be kind.');

    expect(JSON.stringify(await hooks.dispatch(TurnStart, { session, iteration: 1 }))).toContain('Be kind.');
  });
});

describe('what a docker-agent file says besides its hooks', () => {
  test('settings.snapshot takes snapshots for every agent, and false takes none', async () => {
    const entriesOf = async (snapshot: boolean) =>
      (await harness({ settings: { snapshot } })).loaded.entries.map(({ wireEvent, handler }) => [
        wireEvent,
        handler.type === 'builtin' && handler.name,
      ]);
    expect(await entriesOf(true)).toEqual([
      ['session_start', 'snapshot'],
      ['turn_start', 'snapshot'],
      ['pre_tool_use', 'snapshot'],
      ['post_tool_use', 'snapshot'],
      ['turn_end', 'snapshot'],
      ['session_end', 'snapshot'],
    ]);
    expect(await entriesOf(false)).toEqual([]);
  });

  test('redact_secrets of an agent scrubs the arguments of its calls', async () => {
    const { call, ran } = await harness({ agents: { root: { redact_secrets: true } } }, { agent: 'root' });
    await call('shell', { cmd: 'curl -H "X-Key: AKIAIOSFODNN7EXAMPLF" example.test' });
    expect(ran).toHaveLength(1);
    expect(JSON.stringify(ran)).not.toContain('AKIAIOSFODNN7EXAMPLF');
  });

  test('a hook of after_llm_call only watches: its failure withholds no answer', async () => {
    const answer = async (hook: object) => {
      const { hooks, session } = await harness(
        { hooks: { after_llm_call: [{ type: 'command', command: 'exit 1', ...hook }] } },
        { dialect: 'docker-agent' },
      );
      const response = { text: 'Done.', toolCalls: [] };
      const event = { session, iteration: 1, attempt: 1, response, lastUserMessage: 'x' };
      return (await hooks.dispatch(AfterModelCall, event)).kind;
    };
    expect(await answer({})).toBe('proceed');
    expect(await answer({ on_error: 'block' })).toBe('block');
  });

  test.each([
    ['after_llm_call', { decision: 'block', reason: 'no' }, 'decision'],
    ['after_llm_call', { continue: false }, 'continue'],
    ['stop', { decision: 'block', reason: 'no' }, 'decision'],
    ['turn_end', { decision: 'block', reason: 'no' }, 'decision'],
  ])('a refusal on %s, which takes none, is told: %j', async (event, answer, field) => {
    const { hooks, session, told } = await harness(
      { hooks: { [event]: [{ type: 'command', command: `echo '${JSON.stringify(answer)}'` }] } },
      { dialect: 'docker-agent' },
    );
    const response = { text: 'Done.', toolCalls: [] };
    const turn = { session, iteration: 1 };
    const decisions = [
      await hooks.dispatch(AfterModelCall, { ...turn, attempt: 1, response, lastUserMessage: 'x' }),
      await hooks.dispatch(Stop, { session, response: 'Done.', continuations: 0, last: false }),
      await hooks.dispatch(TurnEnd, { ...turn, reason: 'normal' }),
    ];
    await hooks.settled();
    expect(decisions.map((decision) => decision?.kind ?? 'proceed')).toEqual([
      'proceed',
      'proceed',
      'proceed',
    ]);
    expect(told).toEqual([`A ${event} hook answered ${field}, which has no effect here.`]);
  });
});
