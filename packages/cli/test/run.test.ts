import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { trustModules, workspace } from './program.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const plain = `hooks:
  before_tool_call:
    - {type: command, name: no rm, command: "if grep -q 'rm -rf'; then echo no rm >&2; exit 2; fi"}
`;

test.each([
  ['claude-code', { hook_event_name: 'PreToolUse', tool_input: { command: 'rm -rf /' } }],
  ['codex', { hook_event_name: 'PreToolUse', tool_name: 7 }],
  ['gemini', { hook_event_name: 'BeforeTool', tool_input: { command: 'rm -rf /' } }],
  ['docker-agent', { hook_event_name: 'pre_tool_use', tool_name: null }],
  ['ai4j', { arguments: '{"command":"rm -rf /"}' }],
])('a call of %s without a tool name is refused, because no hook could match it', async (as, event) => {
  const { asHook } = workspace();
  const { code, stderr } = await asHook(event, '--as', as, '--policy', policyPath.pathname);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('has no tool_name') });
});

describe('the command by which doctor sees that an agent asks its hooks', () => {
  const canary = 'echo hooks-doctor-0b6a1f0e-1111-4222-8333-444455556666';
  const call = (input: object, as = 'claude-code') => {
    const { asHook } = workspace();
    const hook_event_name = as === 'gemini' ? 'BeforeTool' : 'PreToolUse';
    const event = { hook_event_name, session_id: 's', cwd: '/', tool_name: 'shell', tool_input: input };
    return asHook(event, '--as', as, '--policy', new URL('./policy.ts', import.meta.url).pathname);
  };

  test.each([
    ['claude-code', { command: canary }],
    ['codex', { cmd: canary }],
    ['codex', { command: ['bash', '-c', canary] }],
    ['gemini', { command: canary }],
  ])('%s: is refused though the policy allows it: %j', async (as, input) => {
    const { stdout, stderr } = await call(input, as);
    expect(stdout + stderr).toContain('hooks doctor had this command asked for');
  });

  test.each([`${canary}; ls`, `ls; ${canary}`, 'echo hooks-doctor-', canary.toUpperCase()])(
    'is no other command: %s',
    async (command) => {
      expect(await call({ command })).toMatchObject({ code: 0, stderr: '' });
    },
  );
});

describe('an event that the agent does not have', () => {
  const policy = ['--policy', new URL('./policy.ts', import.meta.url).pathname];

  test.each([
    ['claude-code', 'preToolUse'],
    ['claude-code', 'beforeShellExecution'],
    ['codex', 'pre_tool_use'],
    ['gemini', 'PreToolUse'],
    ['docker-agent', 'PermissionRequest'],
    ['docker-agent', 'UserPromptSubmit'],
  ])('%s: %s is refused, because its name looks like a gate', async (as, hook_event_name) => {
    const { asHook } = workspace();

    const { code, stderr } = await asHook({ hook_event_name, tool_name: 'x' }, '--as', as, ...policy);

    expect(code).toBe(2);
    expect(stderr).toContain(`has no event "${hook_event_name}", so no hook can check it`);
  });

  test.each([
    ['claude-code', 'afterFileEdit'],
    ['gemini', 'Setup'],
    ['docker-agent', 'heartbeat\u001b[2J'],
  ])('%s: %j is ignored, with a warning on stderr', async (as, hook_event_name) => {
    const { asHook } = workspace();

    const { code, stdout, stderr } = await asHook({ hook_event_name }, '--as', as, ...policy);

    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(/^hooks run: .* has no event ".*"; the event is ignored\n$/);
    expect(stderr).not.toContain('\u001b');
  });
});

test('a call of ai4j whose arguments are not text is checked as well', async () => {
  const { asHook } = workspace();
  const event = { name: 'Bash', arguments: { command: 'rm -rf /' } };
  const { code } = await asHook(event, '--as', 'ai4j', '--policy', policyPath.pathname);
  expect(code).toBe(2);
});

const policyPath = new URL('./policy.ts', import.meta.url);

describe('a TypeScript policy, run inside a command-line agent', () => {
  const common = { session_id: 's', transcript_path: '', cwd: '/', permission_mode: 'default' };
  const tool = (command: string) => ({
    ...common,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_use_id: 't',
    tool_input: { command },
  });
  const run = async (event: object, as = 'claude-code') => {
    const { asHook } = workspace();
    const { code, stdout, stderr } = await asHook(event, '--as', as, '--policy', policyPath.pathname);
    return { code, stderr, stdout: stdout === '' ? undefined : JSON.parse(stdout) };
  };

  test('a refused call gives deny, and exit code 2 in case the JSON is not read', async () => {
    expect(await run(tool('rm -rf /'))).toEqual({
      code: 2,
      stderr: 'rm is not allowed\n',
      stdout: {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'deny',
          permissionDecisionReason: 'rm is not allowed',
        },
      },
    });
  });

  test('a stopped run gives continue: false', async () => {
    expect(await run(tool('shutdown'))).toMatchObject({
      code: 2,
      stdout: { continue: false, stopReason: 'that ends it' },
    });
  });

  test('a call that needs approval gives ask', async () => {
    expect(await run(tool('deploy'))).toMatchObject({
      code: 0,
      stdout: {
        hookSpecificOutput: { permissionDecision: 'ask', permissionDecisionReason: 'a person has to agree' },
      },
    });
  });

  test.each<[string, object | undefined]>([
    ['git status', { behavior: 'allow' }],
    ['rm -rf /', { behavior: 'deny', message: 'rm is not allowed' }],
    ['make', undefined],
  ])('an approval of %s is granted, refused, or left to the person', async (command, decision) => {
    const hookEventName = 'PermissionRequest';
    expect(await run({ ...tool(command), hook_event_name: hookEventName })).toEqual({
      code: 0,
      stderr: '',
      stdout: decision && { hookSpecificOutput: { hookEventName, decision } },
    });
  });

  test('a rewritten call gives the whole updatedInput', async () => {
    expect((await run(tool('ls'))).stdout).toEqual({
      hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: 'ls --color=never' } },
    });
  });

  test('a decision that the agent cannot carry out is refused', async () => {
    expect(await run(tool('rename'))).toMatchObject({
      code: 2,
      stderr: 'a hook changed toolName here, which Claude Code cannot carry out\n',
    });
  });

  test('any other call gives no output', async () => {
    expect(await run(tool('make'))).toEqual({ code: 0, stderr: '', stdout: undefined });
  });

  test('a prompt can be refused or get context', async () => {
    const prompt = (text: string) => ({ ...common, hook_event_name: 'UserPromptSubmit', prompt: text });
    expect(await run(prompt('a secret'))).toMatchObject({
      code: 2,
      stdout: { decision: 'block', reason: 'no secrets' },
    });
    expect((await run(prompt('hi'))).stdout).toEqual({
      hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'noted' },
    });
  });

  test('a result can be replaced or refused', async () => {
    const result = (tool_response: unknown) => ({
      ...tool('x'),
      hook_event_name: 'PostToolUse',
      tool_response,
    });
    expect((await run(result('sk-123'))).stdout).toMatchObject({
      hookSpecificOutput: { updatedToolOutput: 'scrubbed' },
    });
    expect(await run(result('leak'))).toMatchObject({
      code: 0,
      stdout: { decision: 'block', reason: 'that leaks' },
    });
  });

  test('a stop can be refused once', async () => {
    const stop = (stop_hook_active: boolean) => ({
      ...common,
      hook_event_name: 'Stop',
      stop_hook_active,
      last_assistant_message: 'done',
    });
    expect(await run(stop(false))).toMatchObject({
      code: 2,
      stdout: { decision: 'block', reason: 'run the tests' },
    });
    expect(await run(stop(true))).toEqual({ code: 0, stderr: '', stdout: undefined });
  });

  test('a block of a stop ends the run', async () => {
    const stop = { ...common, hook_event_name: 'Stop', stop_hook_active: false };
    expect(await run({ ...stop, last_assistant_message: 'the end' })).toEqual({
      code: 0,
      stderr: '',
      stdout: { continue: false, stopReason: 'that ends it' },
    });
    // A message without text.
    expect(await run({ ...stop, last_assistant_message: null })).toMatchObject({
      code: 2,
      stdout: { decision: 'block', reason: 'run the tests' },
    });
  });

  test('a session start gives context, and no other event fires session_start', async () => {
    expect(
      (await run({ ...common, hook_event_name: 'SessionStart', source: 'startup' })).stdout,
    ).toMatchObject({
      hookSpecificOutput: { additionalContext: 'be careful' },
    });
    expect((await run(tool('make'))).stdout).toBeUndefined();
  });

  test('an event that no policy handles gives no output', async () => {
    expect(await run({ ...common, hook_event_name: 'FileChanged' })).toEqual({
      code: 0,
      stderr: '',
      stdout: undefined,
    });
  });

  test('codex gets a rewrite together with an allow, and a required approval is refused', async () => {
    expect((await run(tool('ls'), 'codex')).stdout).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'allow', updatedInput: { command: 'ls --color=never' } },
    });
    expect(await run(tool('deploy'), 'codex')).toMatchObject({ code: 2, stderr: 'a person has to agree\n' });
  });

  test('gemini gets the decisions in its format', async () => {
    const before = (command: string) => ({
      hook_event_name: 'BeforeTool',
      session_id: 's',
      cwd: '/',
      tool_name: 'run_shell_command',
      tool_input: { command },
    });
    expect(await run(before('rm -rf /'), 'gemini')).toMatchObject({
      code: 0,
      stdout: { decision: 'deny', reason: 'rm is not allowed' },
    });
    expect((await run(before('ls'), 'gemini')).stdout).toEqual({
      hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: { command: 'ls --color=never' } },
    });
    expect((await run(before('deploy'), 'gemini')).stdout).toMatchObject({
      decision: 'deny',
      reason: 'a person has to agree',
    });
    expect((await run(before('make'), 'gemini')).stdout).toEqual({});
    const after = {
      hook_event_name: 'AfterAgent',
      session_id: 's',
      prompt_response: 'done',
      stop_hook_active: false,
    };
    expect((await run(after, 'gemini')).stdout).toMatchObject({ decision: 'deny', reason: 'run the tests' });
  });

  test.each<[object, object]>([
    [
      { hook_event_name: 'AfterTool', tool_name: 'read_file', tool_input: {}, tool_response: 'a leak' },
      { decision: 'deny', reason: 'that leaks' },
    ],
    [
      { hook_event_name: 'AfterTool', tool_name: 'read_file', tool_input: {}, tool_response: 'sk-123' },
      { decision: 'deny', reason: 'scrubbed' },
    ],
    [
      { hook_event_name: 'BeforeAgent', prompt: 'a secret' },
      { decision: 'deny', reason: 'no secrets' },
    ],
    [
      { hook_event_name: 'BeforeAgent', prompt: 'hello' },
      { hookSpecificOutput: { hookEventName: 'BeforeAgent', additionalContext: 'noted' } },
    ],
    [
      { hook_event_name: 'SessionStart', source: 'startup' },
      { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'be careful' } },
    ],
    [{ hook_event_name: 'SessionEnd', reason: 'exit' }, {}],
    [{ hook_event_name: 'Notification', message: 'look' }, {}],
    [{ hook_event_name: 'PreCompress', trigger: 'manual' }, {}],
    [
      { hook_event_name: 'BeforeTool', tool_name: 'x', tool_input: { command: 'shutdown' } },
      { decision: 'deny', reason: 'that ends it', continue: false, stopReason: 'that ends it' },
    ],
    [
      { hook_event_name: 'BeforeTool', tool_name: 'x', tool_input: { command: 'ls', drop: 1 } },
      {
        decision: 'deny',
        reason: 'a hook removed drop from the input, which Gemini CLI cannot carry out',
      },
    ],
  ])('gemini: %j', async (event, stdout) => {
    expect(await run({ session_id: 's', cwd: '/', ...event }, 'gemini')).toEqual({
      code: 0,
      stderr: '',
      stdout,
    });
  });

  test.each([
    ['gemini', 'BeforeModel'],
    ['gemini', 'AfterModel'],
    ['gemini', 'BeforeToolSelection'],
    ['claude-code', 'PostToolBatch'],
    ['claude-code', 'Elicitation'],
  ])('%s: a gate that no policy handles is closed, and says so: %s', async (as, hook_event_name) => {
    const { code, stderr } = await run({ hook_event_name }, as);
    expect(code).toBe(2);
    expect(stderr).toMatch(/no policy handles .*, so nothing is checked there; remove "hooks run" from it/);
  });

  test('claude-code: an event on which nothing is decided, and that no policy handles, gives no output', async () => {
    expect(await run({ hook_event_name: 'CwdChanged' }, 'claude-code')).toMatchObject({
      code: 0,
      stderr: '',
    });
  });

  test('docker-agent gets the decisions in its format', async () => {
    const before = (cmd: string) => ({
      hook_event_name: 'pre_tool_use',
      session_id: 's',
      cwd: '/',
      tool_name: 'shell',
      tool_use_id: 't',
      tool_input: { cmd },
    });
    expect(await run(before('rm -rf /'), 'docker-agent')).toMatchObject({
      code: 2,
      stdout: { decision: 'block', reason: 'rm is not allowed' },
    });
    expect((await run(before('deploy'), 'docker-agent')).stdout).toMatchObject({
      hook_specific_output: { permission_decision: 'ask' },
    });
    const transform = { ...before('x'), hook_event_name: 'tool_response_transform', tool_response: 'sk-123' };
    expect((await run(transform, 'docker-agent')).stdout).toMatchObject({
      hook_specific_output: { updated_tool_response: 'scrubbed' },
    });
  });

  test('ai4j gets the decisions in its format', async () => {
    const call = (command: string) => ({ callId: '1', name: 'bash', arguments: JSON.stringify({ command }) });
    expect(await run(call('rm -rf /'), 'ai4j')).toEqual({
      code: 2,
      stderr: 'rm is not allowed\n',
      stdout: undefined,
    });
    expect((await run(call('ls'), 'ai4j')).stdout).toEqual({
      decision: 'modify',
      name: 'bash',
      arguments: '{"command":"ls --color=never"}',
    });
    expect(await run(call('deploy'), 'ai4j')).toMatchObject({ code: 2 });
    expect(await run({ call: call('x'), output: 'leak' }, 'ai4j')).toMatchObject({
      code: 2,
      stderr: 'that leaks\n',
    });
    expect(await run({ input: 'a secret' }, 'ai4j')).toMatchObject({ code: 2, stderr: 'no secrets\n' });
  });
});

describe('a hook file', () => {
  const event = (command: string) => ({
    hook_event_name: 'PreToolUse',
    session_id: 's',
    tool_name: 'Bash',
    tool_input: { command },
  });

  test('decides once it is trusted', async () => {
    const { asHook, trust } = workspace({ 'hooks.yaml': plain });
    const args = ['--as', 'claude-code', '--file', 'hooks.yaml'];
    expect(await asHook(event('ls'), ...args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not trusted'),
    });
    await trust('hooks.yaml', plain);
    expect(await asHook(event('ls'), ...args)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await asHook(event('rm -rf /'), ...args)).toMatchObject({ code: 2, stderr: 'no rm\n' });
  });
});

test('the error about stdin that is not JSON does not repeat its text', async () => {
  const { asHook } = workspace();
  expect(await asHook('sk-secret {', '--as', 'claude-code')).toEqual({
    code: 2,
    stdout: '',
    stderr: 'hooks run failed: stdin is not JSON\n',
  });
  const call = { callId: '1', name: 'bash', arguments: 'sk-secret {' };
  expect(await asHook(call, '--as', 'ai4j')).toEqual({
    code: 2,
    stdout: '',
    stderr: 'hooks run failed: arguments: expected a JSON object as text\n',
  });
});

describe('whatever goes wrong, a gate stays closed', () => {
  const gate = { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Bash', tool_input: {} };
  const observed = { hook_event_name: 'Notification', session_id: 's', message: 'm' };

  test.each<[string, object | string, string[], number]>([
    ['invalid JSON on stdin', 'half a {', ['--as', 'claude-code'], 2],
    ['nothing on stdin', '', ['--as', 'claude-code'], 2],
    ['an event without a name', {}, ['--as', 'claude-code'], 2],
    ['an event without a name', {}, ['--as', 'gemini'], 2],
    ['an event without a name', {}, ['--as', 'docker-agent'], 2],
    ['an unknown agent', gate, ['--as', 'nobody'], 2],
    ['no agent', gate, [], 2],
    ['an unknown option', gate, ['--as', 'claude-code', '--fil', 'x'], 2],
    ['no file', gate, ['--as', 'claude-code'], 2],
    ['a missing file', gate, ['--as', 'claude-code', '--file', 'gone.yaml'], 2],
    ['an invalid file', gate, ['--as', 'claude-code', '--file', 'wrong.yaml'], 2],
    ['a missing policy', gate, ['--as', 'claude-code', '--policy', './gone.ts'], 2],
    ['a policy that is not a provider', gate, ['--as', 'claude-code', '--policy', './none.ts'], 2],
    ['a policy that throws', gate, ['--as', 'claude-code', '--policy', './throws.ts'], 2],
    [
      'the same on an event that is only observed',
      observed,
      ['--as', 'claude-code', '--file', 'gone.yaml'],
      1,
    ],
  ])('%s', async (_, stdin, args, code) => {
    const { asHook, trust } = workspace({
      'wrong.yaml': 'hooks: 1',
      'throws.ts': 'throw new Error("boom")',
      'none.ts': 'export default {}',
    });
    await trust('wrong.yaml', 'hooks: 1');
    expect(await asHook(stdin, ...args)).toMatchObject({
      code,
      stderr: expect.stringMatching(/^hooks run failed: /),
    });
  });

  test('a policy that throws after a tool refuses with JSON, because exit code 2 would only show the reason', async () => {
    const { asHook, dir } = workspace({ 'throws.ts': 'throw new Error("boom")' });
    const result = { ...gate, hook_event_name: 'PostToolUse', tool_response: 'secret' };
    const { code, stdout } = await asHook(result, '--as', 'claude-code', '--policy', './throws.ts');
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({
      code: 0,
      decision: 'block',
      reason: `hooks run failed: ${dir}/throws.ts: boom`,
    });
  });
});

test('a module runs only if it is trusted, and a changed one asks again', async () => {
  const policy = "export default { name: 'empty', register() {} };";
  const { dir, cli } = workspace({ 'policy.mjs': policy });
  const main = new URL('../src/main.ts', import.meta.url).pathname;
  const run = () =>
    spawnSync(
      process.execPath,
      ['--conditions=@hooks/source', main, 'run', '--as', 'claude-code', '--policy', 'policy.mjs'],
      {
        cwd: dir,
        input: JSON.stringify({
          hook_event_name: 'PreToolUse',
          session_id: 's',
          tool_name: 'Bash',
          tool_input: {},
        }),
        encoding: 'utf8',
      },
    );
  expect(run()).toMatchObject({ status: 2, stderr: expect.stringContaining('policy.mjs is not trusted') });
  expect(await cli('trust', '--yes', 'policy.mjs')).toMatchObject({ code: 0 });
  expect(run()).toMatchObject({ status: 0, stderr: '' });
  writeFileSync(join(dir, 'policy.mjs'), `${policy}\n`);
  expect(run()).toMatchObject({ status: 2 });
});

test('hooks run works as a process', async () => {
  const { dir } = workspace();
  const main = new URL('../src/main.ts', import.meta.url).pathname;
  const args = [
    '--conditions=@hooks/source',
    main,
    'run',
    '--as',
    'claude-code',
    '--policy',
    policyPath.pathname,
  ];
  const event = {
    hook_event_name: 'PreToolUse',
    session_id: 's',
    tool_name: 'Bash',
    tool_input: { command: 'rm -rf /' },
  };
  await trustModules(dir, args);
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: dir,
    input: JSON.stringify(event),
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([2, 'rm is not allowed\n']);
});

describe('a rule on shell applies to the shell of each agent', () => {
  const agents: Readonly<Record<string, readonly [event: string, tools: readonly string[]]>> = {
    'claude-code': ['PreToolUse', ['Bash']],
    codex: ['PreToolUse', ['Bash', 'shell', 'exec_command']],
    gemini: ['BeforeTool', ['run_shell_command']],
  };
  const calls = Object.entries(agents).flatMap(([agent, [hook_event_name, tools]]) =>
    tools.map((tool_name) => ({ agent, hook_event_name, tool_name })),
  );
  const core = JSON.stringify(new URL('../../core/src/index.ts', import.meta.url).href);
  const policy = `import { BeforeToolCall, block, proceed } from ${core};
    export default { name: 'policy', register: (hooks) => {
      hooks.on(BeforeToolCall.matching('shell'), ({ input }) =>
        input.command.includes('--force') ? block('push without it') : proceed());
    } };`;

  test.each(calls)('of $agent ($tool_name), in the file of init', async ({ agent, ...call }) => {
    const { asHook, cli, dir, trust } = workspace();
    await cli('init');
    await trust('hooks.yaml', readFileSync(join(dir, 'hooks.yaml'), 'utf8'));
    const run = async (command: string) =>
      (await asHook({ ...call, tool_input: { command } }, '--as', agent)).stdout;
    expect(await run('git push --force')).toContain('push without it');
    expect(await run('git push')).not.toContain('push without it');
  });

  test.each(calls)('of $agent ($tool_name), in a policy', async ({ agent, ...call }) => {
    const { asHook } = workspace({ 'policy.ts': policy });
    const event = { ...call, tool_input: { command: 'git push --force' } };
    expect((await asHook(event, '--as', agent, '--policy', './policy.ts')).stdout).toContain(
      'push without it',
    );
  });
});
