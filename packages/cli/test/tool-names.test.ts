import { afterEach, describe, expect, test, vi } from 'vitest';
import { workspace } from './program.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** The calls of each agent that `hooks run` serves, as it sends them. */
const call = (as: string, name: string, input: object, more: object = {}): object => {
  if (as === 'ai4j') return { callId: 'c', name, arguments: JSON.stringify(input) };
  const event = { gemini: 'BeforeTool', 'docker-agent': 'pre_tool_use' }[as] ?? 'PreToolUse';
  const about = { session_id: 's', cwd: '/', hook_event_name: event, tool_use_id: 't' };
  return { ...about, tool_name: name, tool_input: input, ...more };
};

const shells: readonly [as: string, name: string, input: object][] = [
  ['claude-code', 'Bash', { command: 'sudo ls' }],
  ['codex', 'Bash', { command: 'sudo ls' }],
  ['codex', 'local_shell', { command: ['sudo', 'ls'] }],
  ['codex', 'exec_command', { cmd: 'sudo ls' }],
  ['gemini', 'run_shell_command', { command: 'sudo ls' }],
  ['docker-agent', 'shell', { cmd: 'sudo ls' }],
  ['ai4j', 'bash', { command: 'sudo ls' }],
];

async function run(policy: string, as: string, name: string, input: object, more?: object) {
  const { asHook, trust } = workspace({ 'policy.yaml': policy });
  await trust('policy.yaml', policy);
  return asHook(call(as, name, input, more), '--as', as, '--file', 'policy.yaml');
}

const hook = 'hooks: [{ type: command, command: "echo NO-SUDO >&2; exit 2" }]';
const builtin = (command: string, args: string): string =>
  `hooks:\n  before_tool_call:\n    - {type: builtin, command: ${command}, args: ${args}}\n`;

describe.each([
  'Bash',
  'shell',
  'local_shell',
  'run_shell_command',
  'Shell',
  'bash',
  'exec',
  'group:runtime',
])('the name %s', (rule) => {
  test.each(shells)('as a matcher means the shell of %s, %s', async (as, name, input) => {
    const policy = `hooks:\n  before_tool_call:\n    - {matcher: "${rule}", ${hook}}\n`;
    const { stdout, stderr } = await run(policy, as, name, input);
    expect(stdout + stderr).toContain('NO-SUDO');
  });

  test.each(shells)('in deny_tools means the shell of %s, %s', async (as, name, input) => {
    const { stdout, stderr } = await run(builtin('deny_tools', `["${rule}"]`), as, name, input);
    expect(stdout + stderr).toContain(`${name} is not allowed`);
  });

  test.each(shells)('in allow_tools means the shell of %s, %s', async (as, name, input) => {
    const { code, stdout } = await run(builtin('allow_tools', `["${rule}"]`), as, name, input);
    expect(`${code}${stdout}`).not.toMatch(/deny|2/);
  });
});

test.each([
  ['Write', 'codex', 'apply_patch'],
  ['Edit', 'codex', 'apply_patch'],
  ['write', 'codex', 'apply_patch'],
  ['Task', 'docker-agent', 'task'],
])(
  '%s in allow_tools does not allow what does more, or may be another tool: %s, %s',
  async (rule, as, name) => {
    const { stdout, stderr } = await run(builtin('allow_tools', `["${rule}"]`), as, name, { input: 'x' });
    expect(stdout + stderr).toContain(`${name} is not among the allowed tools`);
  },
);

test.each(shells)(
  'a rule of permissions about arguments means the shell of %s, %s',
  async (as, name, input) => {
    const policy = builtin('permissions', '{deny: ["shell:cmd=sudo *"]}');
    const { stdout, stderr } = await run(policy, as, name, input);
    expect(stdout + stderr).toContain('is denied by the rule');
  },
);

describe.each([
  'mcp__github__.*',
  'mcp',
  'mcp__github__get_issue',
  'mcp__git(hub|svn)__.*',
  'mcp__[a-z]+hub__get_\\\\w+',
])('the matcher %s', (matcher) => {
  const policy = `hooks:\n  before_tool_call:\n    - {matcher: "${matcher}", ${hook}}\n`;

  test.each([
    ['claude-code', 'mcp__github__get_issue', {}],
    ['codex', 'mcp__github__get_issue', {}],
    ['gemini', 'mcp__github__get_issue', {}],
    ['gemini', 'mcp_github_get_issue', {}],
    ['gemini', 'mcp_github_get_issue', { mcp_context: { server_name: 'github', tool_name: 'get_issue' } }],
    ['docker-agent', 'mcp:github:get_issue', {}],
  ])('means the tool of %s, %s %j', async (as, name, more) => {
    const { stdout, stderr } = await run(policy, as, name, {}, more);
    expect(stdout + stderr).toContain('NO-SUDO');
  });

  test('means the tool of Cursor, which does not say of which server it is', async () => {
    const { stdout } = await run(policy, 'cursor', 'MCP:get_issue', {}, { hook_event_name: 'preToolUse' });
    expect(stdout).toContain('NO-SUDO');
  });

  test('means no tool of another server, which Gemini CLI names', async () => {
    const context = { mcp_context: { server_name: 'git', tool_name: 'hub_get' } };
    const { stdout, stderr } = await run(policy, 'gemini', 'mcp_git_hub_get', {}, context);
    expect((stdout + stderr).includes('NO-SUDO')).toBe(matcher === 'mcp');
  });
});
