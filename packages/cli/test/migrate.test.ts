import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readHookFile } from '@hooks/config';
import { afterEach, expect, test, vi } from 'vitest';
import { workspace } from './program.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const everything = `hooks:
  before_tool_call:
    - matcher: shell
      agents: [root]
      hooks:
        - {type: command, name: all fields, command: ./x, env: {A: "1"}, working_dir: sub, timeout: 5, on_error: warn}
        - {type: command, command: [node, x.js]}
    - type: http
      url: http://127.0.0.1:1/hook
      headers: {authorization: Bearer $TOKEN}
      allowed_env_vars: [TOKEN]
    - type: model
      model: openai/small
      prompt: 'Is {{.ToolName}} fine?'
      schema: pre_tool_use_decision
      base_url: http://127.0.0.1:1/v1
      api_key_env: KEY
      redact_secrets: true
    - {type: builtin, command: limit_calls, args: ['3']}
    - {type: module, path: ./policy.ts, export: strict}
  stop:
    - {type: http, url: http://127.0.0.1:1/hook}
    - {type: model, model: openai/small, prompt: 'Done?'}
    - {type: builtin, command: http_post, args: ['http://127.0.0.1:1']}
    - {type: module, path: ./policy.ts}
`;

test('migrate keeps all fields of each hook type', async () => {
  const { cli } = workspace({ 'hooks.yaml': everything });
  const { code, stdout, stderr } = await cli('config', 'migrate', 'hooks.yaml');
  expect([code, stderr]).toEqual([0, '']);
  const told = (text: string) => {
    const { issues, entries } = readHookFile(text, 'hooks.yaml');
    return { issues, entries: entries.map(({ origin: _, ...entry }) => entry) };
  };
  expect(told(stdout)).toEqual(told(everything));
  expect(told(stdout).entries).toHaveLength(10);
});

test('a Cursor hook on shell commands runs before every tool, and a comment says so', async () => {
  const hooks = {
    beforeShellExecution: [{ command: './x', matcher: 'curl' }],
    preToolUse: [{ command: './y', matcher: 'Sh' }],
  };
  const { cli } = workspace({ 'hooks.json': JSON.stringify({ version: 1, hooks }) });

  const { stdout } = await cli('config', 'migrate', 'hooks.json');

  const { entries } = readHookFile(stdout, 'hooks.yaml');
  expect(entries.map(({ event, matcher }) => [event, matcher])).toEqual([
    ['before_tool_call', undefined],
    ['before_tool_call', '.*(?:Sh).*'],
  ]);
  expect(stdout).toContain('# ./x: on every tool, not only those of beforeShellExecution');
});

test('permissions of a docker-agent file become built-ins with the same rules', async () => {
  const permissions = { allow: ['read_*'], deny: ['shell:cmd=x*'] };
  const { cli } = workspace({ 'agent.yaml': JSON.stringify({ agents: {}, permissions }) });

  const { stdout } = await cli('config', 'migrate', 'agent.yaml');

  expect(readHookFile(stdout, 'hooks.yaml').entries).toMatchObject([
    { handler: { name: 'docker_agent_safety', args: ['ask'] } },
    { handler: { name: 'docker_agent_permissions', args: { deny: permissions.deny } } },
    { handler: { name: 'docker_agent_permissions', args: { allow: permissions.allow } } },
  ]);
});

test.each([
  ['', '*'],
  ['Edit|Write', 'Edit|Write'],
  ['Edit, Write', 'Edit|Write'],
  ['mcp__.*', '.*(?:mcp__.*).*'],
])(
  'the matcher "%s" of Claude Code becomes "%s", because ours match the whole name',
  async (theirs, ours) => {
    const hooks = { PreToolUse: [{ matcher: theirs, hooks: [{ type: 'command', command: './x' }] }] };
    const { cli } = workspace({ 'settings.json': JSON.stringify({ hooks }) });
    const { stdout } = await cli('config', 'migrate', 'settings.json', '--dialect', 'claude-code');
    expect(readHookFile(stdout, 'hooks.yaml').entries).toMatchObject([{ matcher: ours }]);
  },
);

test.each([
  [
    'a hook that only its own agent can run',
    { type: 'agent', prompt: 'x' },
    /cannot be converted: .*"agent"/,
  ],
  ['an invalid hook', { type: 'command' }, /settings.json:1:\d+: hooks.PreToolUse/],
])('%s is an error', async (_, hook, says) => {
  const { cli } = workspace({
    'settings.json': JSON.stringify({ hooks: { PreToolUse: [{ hooks: [hook] }] } }),
  });
  expect(await cli('config', 'migrate', 'settings.json')).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(says),
  });
});

test('migrate converts all files of a directory, and comments list what is lost', async () => {
  const settings = (name: string, more: object) =>
    JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: name, ...more }] }] } });
  const { cli, dir } = workspace();
  mkdirSync(join(dir, '.claude'));
  writeFileSync(join(dir, '.claude', 'settings.json'), settings('./one', { if: 'Bash(rm *)' }));
  writeFileSync(join(dir, '.claude', 'settings.local.json'), settings('./two', { async: true }));
  vi.stubEnv('HOME', dir);
  const { stdout } = await cli('config', 'migrate', '.', '--dialect', 'claude-code');
  expect(readHookFile(stdout, 'hooks.yaml').entries.map(({ label }) => label)).toEqual(['./one', './two']);
  expect(stdout).toContain('# ./one: lost its condition "Bash(rm *)", so it runs on every call\n');
  expect(stdout).toContain(
    '# ./two: no longer in the background, so the agent waits for it, and it decides\n',
  );
});

test('an on_error that its own agent ignores is dropped, because it would open the gate', async () => {
  const hook = { type: 'command', command: './x', on_error: 'ignore' };
  const { cli } = workspace({
    'agent.json': JSON.stringify({ hooks: { pre_tool_use: [hook], turn_start: [hook] } }),
  });
  const { stdout } = await cli('config', 'migrate', 'agent.json');
  const { entries } = readHookFile(stdout, 'hooks.yaml');
  expect(entries.map(({ handler }) => handler.onError)).toEqual([undefined, 'ignore']);
});

test('an exact matcher of ai4j stays exact', async () => {
  const { cli } = workspace({
    'workspace.json': JSON.stringify({ hooks: { preToolUse: [{ command: './x', match: 'c++.run' }] } }),
  });
  const { stdout } = await cli('config', 'migrate', 'workspace.json');
  const { entries, dialect } = readHookFile(stdout, 'hooks.yaml');
  const [matcher = ''] = entries.map((entry) => entry.matcher);
  expect(['c++.run', 'c++xrun', 'cc.run'].map((name) => dialect.matches(matcher, name))).toEqual([
    true,
    false,
    false,
  ]);
});

test('a notice stays one comment, whatever the file contains', async () => {
  const event = 'x\nhooks: {stop: []}';
  const { cli } = workspace({ 'settings.json': JSON.stringify({ hooks: { PreToolUse: [], [event]: [] } }) });
  const { stdout } = await cli('config', 'migrate', 'settings.json', '--dialect', 'claude-code');
  expect(stdout).toContain('unknown event');
  expect(readHookFile(stdout, 'hooks.yaml')).toMatchObject({ issues: [], entries: [] });
});
