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

test('each type of hook keeps all that it says', async () => {
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

test.each([
  ['', '*'],
  ['Edit|Write', 'Edit|Write'],
  ['Edit, Write', 'Edit|Write'],
  ['mcp__.*', '.*(?:mcp__.*).*'],
])('the matcher "%s" of Claude Code becomes "%s", since ours match the whole name', async (theirs, ours) => {
  const hooks = { PreToolUse: [{ matcher: theirs, hooks: [{ type: 'command', command: './x' }] }] };
  const { cli } = workspace({ 'settings.json': JSON.stringify({ hooks }) });
  const { stdout } = await cli('config', 'migrate', 'settings.json', '--dialect', 'claude-code');
  expect(readHookFile(stdout, 'hooks.yaml').entries).toMatchObject([{ matcher: ours }]);
});

test.each([
  ['what only its own agent can run', { type: 'agent', prompt: 'x' }, /cannot be written as ours: .*"agent"/],
  ['what is wrong', { type: 'command' }, /settings.json:1:\d+: hooks.PreToolUse/],
])('%s is not written, and told of', async (_, hook, says) => {
  const { cli } = workspace({
    'settings.json': JSON.stringify({ hooks: { PreToolUse: [{ hooks: [hook] }] } }),
  });
  expect(await cli('config', 'migrate', 'settings.json')).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(says),
  });
});
