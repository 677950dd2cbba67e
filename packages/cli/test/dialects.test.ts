import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { SELF, workspace } from './program.ts';

const core = import.meta.resolve('@hooks/core');

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A policy in the files of one agent refuses in the protocol of another. */
describe('a policy in a dialect of its own', () => {
  const files = {
    gemini: JSON.stringify({
      hooks: {
        BeforeTool: [
          {
            matcher: 'run_shell_command',
            hooks: [{ type: 'command', command: 'echo "not here" >&2; exit 2' }],
          },
        ],
      },
    }),
    codex: `[[hooks.PreToolUse]]
matcher = "Bash"
[[hooks.PreToolUse.hooks]]
type = "command"
command = "echo 'not here' >&2; exit 2"
`,
  };
  const names = { gemini: 'policy.json', codex: 'policy.toml' } as const;

  test.each([
    ['gemini', 'gemini', 0, { decision: 'deny', reason: 'not here' }],
    [
      'gemini',
      'codex',
      2,
      { hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'not here' } },
    ],
    ['codex', 'gemini', 0, { decision: 'deny', reason: 'not here' }],
    ['codex', 'codex', 2, { hookSpecificOutput: { permissionDecision: 'deny' } }],
  ] as const)('of %s refuses a call of %s', async (dialect, as, code, answer) => {
    const { asHook, trust } = workspace({ [names[dialect]]: files[dialect] });
    await trust(names[dialect], files[dialect]);
    const event =
      as === 'gemini'
        ? { hook_event_name: 'BeforeTool', tool_name: 'run_shell_command', tool_input: { command: 'ls' } }
        : {
            hook_event_name: 'PreToolUse',
            tool_name: 'Bash',
            tool_use_id: 't',
            tool_input: { command: 'ls' },
          };
    const ran = await asHook(
      { session_id: 's', cwd: '/', ...event },
      ...['--as', as, '--file', names[dialect]],
    );
    expect(ran.code).toBe(code);
    expect(JSON.parse(ran.stdout)).toMatchObject(answer);
  });
});

test('two policies of the same name both decide, as files and as modules', async () => {
  const event = {
    ...{ session_id: 's', cwd: '/', hook_event_name: 'PreToolUse', tool_name: 'Bash' },
    ...{ tool_use_id: 't', tool_input: { command: 'ls' } },
  };
  const file = (command: string) => `hooks: {before_tool_call: [{type: command, command: '${command}'}]}`;
  const module = (answer: string) => `import { BeforeToolCall, block, proceed } from '${core}';
export default { name: 'p', register: (hooks) => hooks.on(BeforeToolCall, () => ${answer}) };`;
  const { asHook, dir, trust } = workspace({ 'a.mjs': module('proceed()'), 'b.mjs': module('block("no")') });
  for (const [name, text] of Object.entries({
    'hooks.yaml': file('exit 0'),
    'team/hooks.yaml': file('exit 2'),
  })) {
    mkdirSync(join(dir, 'team'), { recursive: true });
    writeFileSync(join(dir, name), text);
    await trust(name, text);
  }
  const files = ['--file', 'hooks.yaml', '--file', 'team/hooks.yaml'];
  for (const args of [files, ['--policy', 'a.mjs', '--policy', 'b.mjs']]) {
    const ran = await asHook(event, '--as', 'claude-code', ...args);
    expect(ran).toMatchObject({ code: 2, stdout: expect.stringContaining('"deny"') });
    expect(ran.stderr).not.toContain('failed');
  }
});

describe('a gate under an event that the agent never reports', () => {
  const text = 'hooks:\n  before_model_call:\n    - {type: command, command: exit 2}\n';
  const event = (hook_event_name: string, tool_name: string) => ({
    ...{ session_id: 's', cwd: '/', hook_event_name, tool_name },
    ...{ tool_use_id: 't', tool_input: { command: 'ls' } },
  });

  test.each([
    ['claude-code', event('PreToolUse', 'Bash')],
    ['codex', event('PreToolUse', 'Bash')],
    ['gemini', event('BeforeTool', 'run_shell_command')],
  ])('closes every gate of %s', async (as, stdin) => {
    const { asHook, trust } = workspace({ 'hooks.yaml': text });
    await trust('hooks.yaml', text);
    const { code, stdout, stderr } = await asHook(stdin, '--as', as, '--file', 'hooks.yaml');
    expect(`${code} ${stdout}`).toMatch(/deny/);
    expect(stderr).toContain('hooks.yaml:3: ');
    expect(stderr).toContain('never reports before_model_call');
  });

  test('is named as the file names the built-in', async () => {
    const policy = 'hooks:\n  before_model_call:\n    - { type: builtin, command: pii }\n';
    const { asHook, trust } = workspace({ 'hooks.yaml': policy });
    await trust('hooks.yaml', policy);
    const stdin = event('PreToolUse', 'Bash');
    const { stderr } = await asHook(stdin, '--as', 'claude-code', '--file', 'hooks.yaml');
    expect(stderr).toContain('so its hook "pii" would never refuse anything');
  });

  const policyOn = (event: string, options = '{}') => `import { ${event}, block } from '${core}';
export default { name: 'p', register: (hooks) => hooks.use({ name: 'q', register: (inner) => inner.guard(${event}, () => block('no'), ${options}) }) };`;

  test.each([
    ['BeforeModelCall', 'before_model_call'],
    ['AfterModelCall', 'after_model_call'],
  ])('closes it where a TypeScript policy has it, too: %s', async (token, type) => {
    const { asHook } = workspace({ 'policy.mjs': policyOn(token) });
    const ran = await asHook(event('PreToolUse', 'Bash'), '--as', 'claude-code', '--policy', 'policy.mjs');
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(
      `policy "q": Claude Code never reports ${type}, so its hook there would never decide`,
    );
  });

  test('is not a guard of the call that is about to run, which is asked before each call', async () => {
    const { asHook } = workspace({ 'policy.mjs': policyOn('BeforeExecute') });
    const ran = await asHook(event('PreToolUse', 'Bash'), '--as', 'claude-code', '--policy', 'policy.mjs');
    expect(ran).toMatchObject({ code: 2, stderr: 'no\n' });
  });

  test('passes where the hook of a TypeScript policy is optional, or only observes', async () => {
    for (const text of [
      policyOn('BeforeModelCall', '{ optional: true }'),
      policyOn('BeforeModelCall').replace('guard', 'observe'),
    ]) {
      const { asHook } = workspace({ 'policy.mjs': text });
      expect(
        await asHook(event('PreToolUse', 'Bash'), '--as', 'claude-code', '--policy', 'policy.mjs'),
      ).toMatchObject({ code: 0, stderr: '' });
    }
  });

  test('docker-agent reports it', async () => {
    const { asHook, trust } = workspace({ 'hooks.yaml': text });
    await trust('hooks.yaml', text);
    const ran = await asHook(event('pre_tool_use', 'shell'), '--as', 'docker-agent', '--file', 'hooks.yaml');
    expect(ran.code).toBe(0);
  });
});

test('hooks validate finds the file that Gemini CLI reads, and its commands', async () => {
  const { dir, cli } = workspace();
  const hook = { type: 'command', command: './check.sh' };
  mkdirSync(join(dir, '.gemini'));
  writeFileSync(join(dir, 'check.sh'), '#!/bin/sh\n');
  chmodSync(join(dir, 'check.sh'), 0o755);
  writeFileSync(
    join(dir, '.gemini', 'settings.json'),
    JSON.stringify({ hooks: { BeforeTool: [{ hooks: [hook] }] } }),
  );
  expect(await cli('validate', '.gemini/settings.json')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 hook, no errors (gemini)'),
  });
});

test('--as names the agents whose hooks cannot run it', async () => {
  const { asHook } = workspace();
  expect(await asHook({}, '--as', 'windsurf')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Factory, Grok and Windsurf'),
  });
});

test('--as ai4j accepts a change of the arguments that repeats the name of the tool', async () => {
  const answer = JSON.stringify({ decision: 'modify', name: 'bash', arguments: '{"command":"ls -l"}' });
  const text = JSON.stringify({ hooks: { preToolUse: [{ command: `echo '${answer}'`, match: 'bash' }] } });
  const { asHook, trust } = workspace({ 'policy.json': text });
  await trust('policy.json', text);
  const call = { callId: 'c', name: 'bash', arguments: '{"command":"ls"}' };
  const { code, stdout } = await asHook(call, '--as', 'ai4j', '--file', 'policy.json');
  expect({ code, said: JSON.parse(stdout) }).toEqual({ code: 0, said: JSON.parse(answer) });
});

test('--as ai4j: two programs share no budget, and the calls of one do', async () => {
  const text =
    'hooks:\n  before_tool_call:\n    - { type: builtin, command: limits, args: { per_session: { tool_calls: 1 } } }\n';
  const { dir, trust } = workspace({ 'hooks.yaml': text });
  await trust('hooks.yaml', text);
  const call = JSON.stringify({ callId: 'c', name: 'bash', arguments: '{"command":"ls"}' });
  const run = [...SELF, 'run', '--as', 'ai4j', '--file', 'hooks.yaml'];
  // The shell is the program: the hooks that it starts are in its process group.
  const program = `for i in 1 2; do echo '${call}' | "$@" 2>/dev/null; echo $?; done`;
  const codes = async (): Promise<string> => {
    const child = spawn('sh', ['-c', program, 'sh', ...run], {
      cwd: dir,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return (await textOf(child.stdout)).trim();
  };
  expect([await codes(), await codes()]).toEqual(['0\n2', '0\n2']);
});

test('a policy may repeat the values that it does not change', async () => {
  const register = `(hooks) => {
    hooks.on(BeforeToolCall, ({ toolName }) => modify({ toolName, input: { command: 'ls -l' } }));
    hooks.on(UserPromptSubmit, ({ prompt }) => modify({ prompt }));
  }`;
  const text = `import { BeforeToolCall, modify, UserPromptSubmit } from '${import.meta.resolve('@hooks/core')}';
export default { name: 'p', register: ${register} };`;
  const { asHook } = workspace({ 'policy.mjs': text });
  const ask = async (as: string, event: object) => {
    const place = { session_id: 's', cwd: '/there', tool_use_id: 't' };
    const { code, stdout } = await asHook({ ...place, ...event }, '--as', as, '--policy', 'policy.mjs');
    return { code, said: stdout === '' ? {} : JSON.parse(stdout) };
  };
  const call = { tool_name: 'Bash', tool_input: { command: 'ls' } };
  expect(await ask('ai4j', { name: 'bash', arguments: '{"command":"ls"}' })).toEqual({
    code: 0,
    said: { decision: 'modify', name: 'bash', arguments: '{"command":"ls -l"}' },
  });
  expect(await ask('claude-code', { hook_event_name: 'PreToolUse', ...call })).toMatchObject({
    code: 0,
    said: { hookSpecificOutput: { updatedInput: { command: 'ls -l' } } },
  });
  // Claude Code takes no other prompt.
  expect(await ask('claude-code', { hook_event_name: 'UserPromptSubmit', prompt: 'hi' })).toEqual({
    code: 0,
    said: {},
  });
});

describe('docker-agent reports a compaction twice', () => {
  const log = (name: string) => ({
    type: 'command',
    command: `jq -r '.hook_event_name + " " + .cwd' >> ${name}`,
  });
  const text = JSON.stringify({ hooks: { pre_compact: [log('log')], before_compaction: [log('log')] } });

  test('and each hook of its file runs once, with the folder of the event', async () => {
    const { dir, asHook, trust } = workspace({ 'policy.json': text });
    await trust('policy.json', text);
    for (const more of [
      { hook_event_name: 'pre_compact', source: 'auto' },
      { hook_event_name: 'before_compaction', compaction_reason: 'threshold' },
    ])
      await asHook(
        { session_id: 's', cwd: '/there', ...more },
        '--as',
        'docker-agent',
        '--file',
        'policy.json',
      );
    expect(readFileSync(join(dir, 'log'), 'utf8')).toBe('pre_compact /there\nbefore_compaction /there\n');
  });
});

test.each([
  ['claude-code', 'PreToolUse'],
  ['codex', 'PreToolUse'],
  ['gemini', 'BeforeTool'],
  ['docker-agent', 'pre_tool_use'],
])('a hook gets the folder that %s reports', async (as, hook_event_name) => {
  const text = 'hooks: { before_tool_call: [{ type: command, command: "jq -r .cwd > log" }] }';
  const { dir, asHook, trust } = workspace({ 'hooks.yaml': text });
  await trust('hooks.yaml', text);
  const call = { tool_name: 'shell', tool_use_id: 't', tool_input: {} };
  await asHook(
    { session_id: 's', cwd: '/there', hook_event_name, ...call },
    '--as',
    as,
    '--file',
    'hooks.yaml',
  );
  expect(readFileSync(join(dir, 'log'), 'utf8')).toBe('/there\n');
});

test('CLAUDE_PROJECT_DIR of a hook is not the folder that an agent reports, which its model may have chosen', async () => {
  const hook = { type: 'command', command: 'echo "$CLAUDE_PROJECT_DIR" > log' };
  const text = JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] } });
  const { dir, asHook, trust } = workspace({ 'policy.json': text });
  await trust('policy.json', text);
  const call = {
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_use_id: 't',
    tool_input: { command: 'ls' },
  };
  await asHook(
    { session_id: 's', cwd: join(dir, 'sub'), ...call },
    '--as',
    'claude-code',
    '--file',
    'policy.json',
  );
  expect(readFileSync(join(dir, 'log'), 'utf8')).toBe(`${dir}\n`);
});
