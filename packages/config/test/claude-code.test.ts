import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  AfterCompaction,
  BeforeCompaction,
  type Hooks,
  PermissionRequest,
  type Session,
  SessionStart,
  Stop,
  SubagentStart,
  UserPromptSubmit,
} from '@hooks/core';
import { takeContext } from '@hooks/core/adapter';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { describe, expect, test, vi } from 'vitest';
import { harness, prints } from './harness.ts';

/** Claude Code's protocol as documented. */

const on = (event: string, hooks: object[], matcher?: string) => ({
  hooks: { [event]: [{ ...(matcher !== undefined && { matcher }), hooks }] },
});
const specific = (fields: object, hookEventName = 'PreToolUse') =>
  prints({ hookSpecificOutput: { hookEventName, ...fields } });

const compaction = {
  inputTokens: 1,
  outputTokens: 1,
  contextLimit: 0,
  reason: 'threshold',
  source: 'auto',
} as const;

describe('PreToolUse', () => {
  test.each([
    ['deny', { status: 'blocked', reason: 'why' }],
    ['allow', { status: 'ok' }],
    ['ask', { status: 'denied' }],
    ['defer', { status: 'denied' }],
  ])('permissionDecision: %s', async (permissionDecision, expected) => {
    const { call } = await harness(
      on('PreToolUse', [specific({ permissionDecision, permissionDecisionReason: 'why' })]),
    );
    expect(await call('Bash', { command: 'ls' })).toMatchObject(expected);
  });

  test('the deprecated top-level decisions still work', async () => {
    const blocks = await harness(on('PreToolUse', [prints({ decision: 'block', reason: 'old' })]));
    expect(await blocks.call('Bash', {})).toMatchObject({ status: 'blocked', reason: 'old' });
    const approves = await harness(on('PreToolUse', [prints({ decision: 'approve' })]));
    expect(await approves.call('Bash', {})).toMatchObject({ status: 'ok' });
  });

  test('updatedInput replaces the whole input, and is ignored with defer', async () => {
    const { call, ran } = await harness(on('PreToolUse', [specific({ updatedInput: { command: 'pwd' } })]));
    await call('Bash', { command: 'ls', timeout: 5 });
    expect(ran).toEqual([{ command: 'pwd' }]);
    const defers = await harness(
      on('PreToolUse', [specific({ permissionDecision: 'defer', updatedInput: { command: 'pwd' } })]),
    );
    await defers.call('Bash', { command: 'ls' }, () => '', { approval: () => ({ decision: 'allow' }) });
    expect(defers.ran).toEqual([{ command: 'ls' }]);
  });

  test('additionalContext is in the next model call', async () => {
    const { call, session, hooks } = await harness(
      on('PreToolUse', [specific({ additionalContext: 'note' })]),
    );
    await call('Bash', {});
    expect(takeContext(hooks, session)).toEqual(['note']);
  });

  test('continue: false beats an allow', async () => {
    const { call } = await harness(
      on('PreToolUse', [
        prints({
          continue: false,
          stopReason: 'enough',
          hookSpecificOutput: { permissionDecision: 'allow' },
        }),
      ]),
    );
    expect(await call('Bash', {})).toMatchObject({ status: 'blocked', reason: 'enough', stop: true });
  });

  test('systemMessage reaches the user', async () => {
    const { call, told } = await harness(on('PreToolUse', [prints({ systemMessage: 'careful' })]));
    await call('Bash', {});
    expect(told).toEqual(['careful']);
  });
});

describe('output and exit codes', () => {
  const deny = { hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'json' } };

  test('JSON decides on every exit code except 2', async () => {
    const denies = await harness(on('PreToolUse', [prints(deny, 1)]));
    expect(await denies.call('Bash', {})).toMatchObject({ status: 'blocked', reason: 'json' });
    const allows = await harness(
      on('PreToolUse', [prints({ hookSpecificOutput: { permissionDecision: 'allow' } }, 1)]),
    );
    expect(await allows.call('Bash', {})).toMatchObject({ status: 'ok' });
  });

  test('exit 2 blocks whatever the JSON says, even invalid JSON', async () => {
    for (const output of [{ hookSpecificOutput: { permissionDecision: 'allow' } }, { continue: 'maybe' }]) {
      const { call } = await harness(on('PreToolUse', [prints(output, 2)]));
      expect(await call('Bash', {})).toMatchObject({ status: 'blocked' });
    }
  });

  test('exit 0 with an object of the wrong shape is a failed hook', async () => {
    const source = on('PreToolUse', [prints({ hookSpecificOutput: { permissionDecision: 'perhaps' } })]);
    const { call, errors } = await harness(source);
    expect(await call('Bash', {})).toMatchObject({ status: 'blocked' });
    expect(errors[0]?.message).toContain('hookSpecificOutput.permissionDecision');
    expect(await (await harness(source, { failures: 'as-original' })).call('Bash', {})).toMatchObject({
      status: 'ok',
    });
  });

  test.each(['chatter', '["an array"]', '"a string"'])('%s is plain text and has no effect', async (text) => {
    const { call } = await harness(on('PreToolUse', [prints(text)]));
    expect(await call('Bash', {})).toMatchObject({ status: 'ok' });
  });

  test('texts are truncated to 10,000 characters', async () => {
    const long = 'x'.repeat(12_000);
    const cut = `${'x'.repeat(10_000)}… (2000 characters left out)`;
    const told = await harness(
      on('SessionStart', [prints(long), specific({ additionalContext: `${long} ` })]),
    );
    await told.session.open();
    expect(takeContext(told.hooks, told.session)).toEqual([cut, cut.replace('2000', '2001')]);
    const denies = await harness(
      on('PreToolUse', [{ type: 'command', command: `printf '%s' ${long} >&2; exit 2` }]),
    );
    expect(await denies.call('Bash', {})).toMatchObject({ status: 'blocked', reason: cut });
    const rewrites = await harness(on('PreToolUse', [specific({ updatedInput: { command: long } })]));
    await rewrites.call('Bash', { command: 'ls' });
    expect(rewrites.ran).toEqual([{ command: long }]);
  });

  test('unknown output fields are ignored', async () => {
    const { call } = await harness(on('PreToolUse', [prints({ terminalSequence: 'x', novel: 1 })]));
    expect(await call('Bash', {})).toMatchObject({ status: 'ok' });
  });

  test('onFailure sets the effect of a failure', async () => {
    const failing = (onFailure: string) => ({ type: 'command', command: 'exit 1', onFailure });
    const options = { failures: 'as-original' } as const;
    const blocks = await harness(on('PreToolUse', [failing('block')]), options);
    expect(await blocks.call('Bash', {})).toMatchObject({ status: 'blocked' });
    const goesOn = await harness(on('PreToolUse', [failing('continue')]));
    expect(await goesOn.call('Bash', {})).toMatchObject({ status: 'ok' });
  });
});

describe('PostToolUse', () => {
  test('a block undoes nothing, and the model reads its reason beside the result', async () => {
    const { call, session, hooks } = await harness(
      on('PostToolUse', [prints({ decision: 'block', reason: 'lint failed' })]),
    );
    expect(await call('Edit', {}, () => 'edited')).toMatchObject({ status: 'ok', output: 'edited' });
    expect(takeContext(hooks, session)).toEqual(['lint failed']);
  });

  test('additionalContext adds context, and updatedToolOutput replaces the result', async () => {
    const { call } = await harness(
      on('PostToolUse', [specific({ additionalContext: 'note', updatedToolOutput: { text: 'scrubbed' } })]),
    );
    expect(await call('Read', {}, () => ({ text: 'secret' }))).toMatchObject({
      output: { text: 'scrubbed' },
      context: ['note'],
    });
  });

  test('PostToolUseFailure fires instead if the tool failed', async () => {
    const note = (name: string) => [{ hooks: [{ type: 'command', command: `cat > ${name}.json` }] }];
    const { call, dir } = await harness({
      hooks: { PostToolUse: note('ok'), PostToolUseFailure: note('failed') },
    });
    await call('Bash', {}, () => {
      throw new Error('no such file');
    });
    expect(JSON.parse(readFileSync(join(dir, 'failed.json'), 'utf8'))).toMatchObject({
      error: 'no such file',
    });
    expect(() => readFileSync(join(dir, 'ok.json'))).toThrow('ENOENT');
  });
});

describe('exit 2 on an event that cannot be blocked', () => {
  const loud = { type: 'command', command: 'echo look here >&2; exit 2' };

  test('PostToolUseFailure: the model reads stderr, and the failure stays', async () => {
    const { call } = await harness(on('PostToolUseFailure', [loud]));
    const fails = () => {
      throw new Error('no such file');
    };
    expect(await call('Bash', {}, fails)).toMatchObject({
      status: 'error',
      error: new Error('no such file'),
      context: ['look here'],
    });
  });

  test.each<[string, (hooks: Hooks, session: Session) => unknown]>([
    ['SessionStart', (_, session) => session.open()],
    ['SubagentStart', (hooks, session) => hooks.dispatch(SubagentStart, { session, subagent: 'clerk' })],
    [
      'PostCompact',
      (hooks, session) => hooks.dispatch(AfterCompaction, { session, ...compaction, summary: 's' }),
    ],
  ])('%s: the user sees stderr', async (event, dispatch) => {
    const { hooks, session, told, errors } = await harness(on(event, [loud]));
    await dispatch(hooks, session);
    await expect.poll(() => told).toEqual(['look here']);
    expect({ errors, context: takeContext(hooks, session) }).toEqual({ errors: [], context: [] });
  });
});

describe('the default timeout', () => {
  test.each([
    ['UserPromptSubmit', 30],
    ['SessionEnd', 1.5],
    ['PreToolUse', 600],
  ])('%s: %d s', async (event, seconds) => {
    const hooks = [prints(''), { ...prints(' '), timeout: 7 }, { type: 'http', url: 'http://127.0.0.1:1/' }];
    const { loaded } = await harness(on(event, hooks), { dialect: 'claude-code' });
    const timeouts = loaded.entries.map(({ handler }) => handler.timeoutMs);
    expect(timeouts).toEqual([seconds * 1000, 7000, seconds * 1000]);
  });
});

describe('other events', () => {
  test('Stop: continue: false beats a block, even one of another hook', async () => {
    const block = { decision: 'block', reason: 'work on' };
    const { hooks, session } = await harness(on('Stop', [prints(block), prints({ continue: false })]));
    expect(await hooks.dispatch(Stop, { session, response: 'done', continuations: 0 })).toMatchObject({
      kind: 'proceed',
    });
  });

  test('UserPromptSubmit takes a block, and context as JSON or plain text', async () => {
    const blocked = await harness(on('UserPromptSubmit', [prints({ decision: 'block', reason: 'no' })]));
    expect(
      await blocked.hooks.dispatch(UserPromptSubmit, { session: blocked.session, prompt: 'p' }),
    ).toMatchObject({
      kind: 'block',
      reason: 'no',
    });
    const told = await harness(
      on('UserPromptSubmit', [specific({ additionalContext: 'json' }), prints('plain')]),
    );
    expect(await told.hooks.dispatch(UserPromptSubmit, { session: told.session, prompt: 'p' })).toMatchObject(
      {
        patch: { context: ['json', 'plain'] },
      },
    );
  });

  test.each([
    [prints({ decision: 'block', reason: 'test first' })],
    [specific({ additionalContext: 'test first' })],
    [{ type: 'command', command: 'echo test first >&2; exit 2' }],
  ])('Stop: %j keeps the agent working', async (hook) => {
    const { hooks, session } = await harness(on('Stop', [hook]));
    expect(await hooks.dispatch(Stop, { session, response: 'done', continuations: 0 })).toMatchObject({
      kind: 'retry',
      reason: 'test first',
    });
  });

  test('SessionStart: plain text is context, and the matcher selects the source', async () => {
    const source = on('SessionStart', [prints('branch main')], 'startup|resume');
    const { hooks, session } = await harness(source);
    await hooks.dispatch(SessionStart, { session, source: 'startup' });
    expect(takeContext(hooks, session)).toEqual(['branch main']);
    const other = await harness(on('SessionStart', [prints('branch main')], 'clear'));
    await other.hooks.dispatch(SessionStart, { session: other.session, source: 'startup' });
    expect(takeContext(other.hooks, other.session)).toEqual([]);
  });

  test('PreCompact: a block vetoes', async () => {
    const { hooks, session } = await harness(
      on('PreCompact', [prints({ decision: 'block', reason: 'not now' })], 'auto'),
    );
    expect(await hooks.dispatch(BeforeCompaction, { session, ...compaction })).toMatchObject({
      kind: 'block',
    });
  });

  const request = { callId: '1', toolName: 'Bash', nativeToolName: 'Bash', input: {}, reason: 'r' };
  test.each([
    [{ behavior: 'allow' }, { kind: 'modify' }],
    [
      { behavior: 'deny', message: 'no' },
      { kind: 'block', reason: 'no' },
    ],
    [
      { behavior: 'deny', interrupt: true },
      { kind: 'block', stop: true },
    ],
    [{ behavior: 'allow', updatedInput: { command: 'pwd' } }, { patch: { input: { command: 'pwd' } } }],
  ])('PermissionRequest: %j', async (decision, expected) => {
    const { hooks, session } = await harness(on('PermissionRequest', [specific({ decision })]));
    expect(await hooks.dispatch(PermissionRequest, { session, ...request })).toMatchObject(expected);
  });

  test('PermissionRequest ignores exit 2, and the person is asked', async () => {
    const { hooks, session } = await harness(on('PermissionRequest', [prints('no', 2)]));
    expect(await hooks.dispatch(PermissionRequest, { session, ...request })).toMatchObject({
      kind: 'proceed',
    });
  });
});

test.each([
  ['Bash', 'mastra_workspace_execute_command'],
  ['Read', 'mastra_workspace_read_file'],
  ['Read', 'view_file'],
  ['Write', 'write_to_file'],
  ['Edit', 'mastra_workspace_edit_file'],
  ['LS', 'list_dir'],
])('a hook on %s guards %s', async (matcher, tool) => {
  const { call } = await harness(on('PreToolUse', [prints('no', 2)], matcher));
  expect(await call(tool, { path: 'a' })).toMatchObject({ status: 'blocked' });
});

test.each([
  ['Task', 'Agent', true],
  ['Edit|Task', 'Agent', true],
  ['^Task$', 'Agent', true],
  ['Agent', 'Task', true],
  ['KillShell', 'TaskStop', true],
  ['KillBash', 'KillShell', true],
  ['Tas', 'Agent', false],
  ['constructor', 'Agent', false],
])('a matcher %s meets the tool %s, which has had other names: %s', async (matcher, tool, meets) => {
  const { call } = await harness(on('PreToolUse', [prints('no', 2)], matcher));
  expect((await call(tool, {})).status).toBe(meets ? 'blocked' : 'ok');
  // A rule under `if` names one tool.
  if (!/^\w+$/.test(matcher)) return;
  const conditional = await harness(on('PreToolUse', [{ ...prints('no', 2), if: matcher }]));
  expect((await conditional.call(tool, {})).status).toBe(meets ? 'blocked' : 'ok');
});

describe('matchers', () => {
  const tools = ['Bash', 'BashOutput', 'Edit', 'NotebookEdit', 'mcp__memory__read', 'mcp__memory'];
  test.each([
    [undefined, tools],
    ['', tools],
    ['*', tools],
    ['Bash', ['Bash']],
    ['Edit|Bash', ['Bash', 'Edit']],
    ['Edit, Bash', ['Bash', 'Edit']],
    ['^Bash', ['Bash', 'BashOutput']],
    ['.*Edit', ['Edit', 'NotebookEdit']],
    ['mcp__memory', ['mcp__memory']],
    ['mcp__memory__.*', ['mcp__memory__read']],
  ])('%s', async (matcher, expected) => {
    const { call } = await harness(on('PreToolUse', [prints('no', 2)], matcher));
    const blocked: string[] = [];
    for (const tool of tools) if ((await call(tool, {})).status === 'blocked') blocked.push(tool);
    expect(blocked).toEqual(expected);
  });

  test.each([
    ['Bash(git push *)', 'git push origin', true],
    ['Bash(git push *)', 'git push', true],
    ['Bash(git push *)', 'git pushy', false],
    ['Bash(git push *)', 'cd x && FOO=1 git push origin', true],
    ['Bash(rm:*)', 'echo $(rm -rf x)', true],
    ['Bash(rm:*)', 'ls', false],
    ['Bash(rm:*)', 'echo "unbalanced', true],
    ['Bash', 'ls', true],
    ['Edit', 'ls', false],
    ['Bash(git push *)', '{ git push origin; }', true],
    ['Bash(git push *)', 'if true; then ! git push origin; fi', true],
    ['Bash(git push *)', 'while FOO=1 time git push origin; do :; done', true],
    ['Bash(git push *)', 'git \\\n  push origin', true],
    ['Bash(git push *)', '"git" pu\\sh origin', true],
    ['Bash(git push *)', 'git  push origin', true],
    ['Bash(git push *)', 'echo then git', false],
  ])('if: %s on %s', async (condition, command, runs) => {
    const { call } = await harness(on('PreToolUse', [{ ...prints('no', 2), if: condition }]));
    expect((await call('Bash', { command })).status).toBe(runs ? 'blocked' : 'ok');
  });

  test.each([
    { type: 'http', url: 'http://127.0.0.1:1/' },
    { type: 'prompt', prompt: 'Is it safe?' },
  ])('a hook of type $type honours if', async (hook) => {
    const { call } = await harness(on('PreToolUse', [{ ...hook, if: 'Bash(rm *)' }]));
    expect((await call('Bash', { command: 'ls' })).status).toBe('ok');
    expect((await call('Bash', { command: 'rm -r x' })).status).toBe('blocked');
  });

  test('a hook with if never runs on an event without a tool', async () => {
    const { hooks, session } = await harness(
      on('UserPromptSubmit', [{ ...prints('no', 2), if: 'Bash(rm *)' }]),
    );
    expect(await hooks.dispatch(UserPromptSubmit, { session, prompt: 'p' })).toMatchObject({
      kind: 'proceed',
    });
  });
});

describe('hook types and settings', () => {
  test('args run without a shell', async () => {
    const { call } = await harness(
      on('PreToolUse', [{ type: 'command', command: 'sh', args: ['-c', 'exit 2'] }]),
    );
    expect(await call('Bash', {})).toMatchObject({ status: 'blocked' });
  });

  test('an async hook starts, and its answer is ignored', async () => {
    const { call, dir } = await harness(
      on('PreToolUse', [{ type: 'command', command: 'touch began; exit 2', async: true }]),
    );
    expect(await call('Bash', {})).toMatchObject({ status: 'ok' });
    await expect.poll(() => readFileSync(join(dir, 'began'), 'utf8')).toBe('');
  });

  test.each(['prompt', 'agent', 'mcp_tool'])(
    'a hook of type %s cannot run here and closes its gate',
    async (type) => {
      const { call } = await harness(on('PreToolUse', [{ type, prompt: 'Is it safe? $ARGUMENTS' }]));
      expect(await call('Bash', {})).toMatchObject({
        status: 'blocked',
        reason: expect.stringContaining(`a hook of type "${type}" runs only in Claude Code`),
      });
    },
  );

  test('CLAUDE_PROJECT_DIR is set', async () => {
    const { call, dir } = await harness(
      on('PreToolUse', [{ type: 'command', command: 'echo "$CLAUDE_PROJECT_DIR" > dir' }]),
    );
    await call('Bash', {});
    expect(readFileSync(join(dir, 'dir'), 'utf8').trim()).toBe(dir);
  });

  test('commands do not inherit OTEL_* variables', async () => {
    const { call, dir } = await harness(on('PreToolUse', [{ type: 'command', command: 'env > all' }]), {
      env: { ...process.env, OTEL_EXPORTER_OTLP_HEADERS: 'authorization=secret', OTELLO: 'stays' },
    });
    await call('Bash', {});
    const names = readFileSync(join(dir, 'all'), 'utf8')
      .split('\n')
      .map((line) => line.split('=')[0]);
    expect(names).toContain('OTELLO');
    expect(names).not.toContain('OTEL_EXPORTER_OTLP_HEADERS');
  });

  test('an event of shell commands in skills, which "hooks install" adds, gives a notice', async () => {
    const { loaded } = await harness({
      hooks: {
        PreToolUse: [{ hooks: [prints('')] }],
        PreSkillShellCommand: [{ hooks: [prints('')] }],
      },
    });
    expect(loaded.entries.map(({ wireEvent }) => wireEvent)).toEqual(['PreToolUse']);
    expect(loaded.notices.map(({ message }) => message)).toEqual([
      'no other agent reports it; "hooks run" has the hooks of PreToolUse check these commands',
    ]);
  });

  test('events that never fire here give a notice, and unknown ones are ignored', async () => {
    const file = {
      hooks: {
        WorktreeCreate: [{ hooks: [prints('')] }],
        SesionStart: [{ hooks: [prints('')] }],
        Stop: [{ hooks: [prints('')] }],
      },
    };
    const { loaded } = await harness(file, { dialect: 'claude-code' });
    expect(loaded.entries).toHaveLength(1);
    expect(loaded.notices.map(({ message }) => message)).toEqual([
      expect.stringContaining('never fire'),
      expect.stringContaining('did you mean "SessionStart"?'),
    ]);
  });

  test('user, project and local settings add up, and an identical hook runs once', async () => {
    const home = temporaryFolder();
    const dir = temporaryFolder();
    for (const base of [home, dir]) mkdirSync(join(base, '.claude'));
    const same = { type: 'command', command: 'echo same >> log' };
    const settings = (name: string) =>
      JSON.stringify(on('PreToolUse', [same, { type: 'command', command: `echo ${name} >> log` }]));
    writeFileSync(join(home, '.claude', 'settings.json'), settings('user'));
    writeFileSync(join(dir, '.claude', 'settings.json'), settings('project'));
    writeFileSync(join(dir, '.claude', 'settings.local.json'), settings('local'));
    vi.stubEnv('HOME', home);
    const { call } = await harness('.', { cwd: dir, dialect: 'claude-code' });
    await call('Bash', {});
    const lines = readFileSync(join(dir, 'log'), 'utf8').trim().split('\n').sort();
    expect(lines).toEqual(['local', 'project', 'same', 'user']);
    vi.unstubAllEnvs();
  });

  test('disableAllHooks disables them', async () => {
    const { loaded } = await harness(
      { ...on('PreToolUse', [prints('no', 2)]), disableAllHooks: true },
      { dialect: 'claude-code' },
    );
    expect(loaded.entries).toEqual([]);
  });
});
