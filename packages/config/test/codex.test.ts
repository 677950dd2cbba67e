import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stop } from '@hooks/core';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { describe, expect, test } from 'vitest';
import { formatIssue, readHookFile } from '../src/index.ts';
import { harness, prints } from './harness.ts';

const file = (event: string, hook: object, matcher?: string): object => ({
  hooks: { [event]: [{ ...(matcher !== undefined && { matcher }), hooks: [hook] }] },
});
const codex = { dialect: 'codex' } as const;

describe('a hooks file of Codex', () => {
  test('its config.toml is read, and its gate refuses', async () => {
    const dir = temporaryFolder();
    writeFileSync(
      join(dir, 'config.toml'),
      `model = "gpt-5"

[[hooks.PreToolUse]]
matcher = "^Bash$"

[[hooks.PreToolUse.hooks]]
type = "command"
command = "echo 'not here' >&2; exit 2"
timeout = 30

[hooks.state."config.toml:pre_tool_use:0:0"]
trusted_hash = "sha256:0"
`,
    );
    const { call, loaded } = await harness('config.toml', { cwd: dir });

    expect(loaded.dialect).toBe('codex');
    expect(await call('exec_command', { cmd: 'ls' })).toMatchObject({
      status: 'blocked',
      reason: 'not here',
    });
  });

  test('a hook receives Codex’s fields', async () => {
    const { call, dir } = await harness(
      file('PreToolUse', { type: 'command', command: 'cat > told' }),
      codex,
    );
    await call('shell', { cmd: 'ls' });
    expect(JSON.parse(readFileSync(join(dir, 'told'), 'utf8'))).toMatchObject({
      hook_event_name: 'PreToolUse',
      turn_id: expect.any(String),
      transcript_path: null,
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
    });
  });

  test.each(['apply_patch', 'Edit', 'Write|Bash'])(
    'the matcher %s is of the tool that writes files',
    async (matcher) => {
      const { call } = await harness(
        file('PreToolUse', { type: 'command', command: 'echo no >&2; exit 2' }, matcher),
        codex,
      );
      expect((await call('write_file', { path: 'a', content: 'b' })).status).toBe('blocked');
      expect((await call('apply_patch', { input: 'x' })).status).toBe('blocked');
      expect((await call('read_file', { path: 'a' })).status).toBe('ok');
    },
  );

  test('a new input counts together with an allow only', async () => {
    const answers = (permissionDecision?: string) =>
      file(
        'PreToolUse',
        prints({
          hookSpecificOutput: {
            hookEventName: 'PreToolUse',
            updatedInput: { command: 'ls' },
            ...(permissionDecision && { permissionDecision }),
          },
        }),
      );
    const allowed = await harness(answers('allow'), codex);
    await allowed.call('shell', { cmd: 'rm' });
    expect(allowed.ran).toEqual([{ cmd: 'ls' }]);

    const alone = await harness(answers(), codex);
    expect((await alone.call('shell', { cmd: 'rm' })).status).toBe('blocked');
  });

  test('an unknown field in an answer is an error, and closes the gate', async () => {
    const { call } = await harness(file('PreToolUse', prints({ permissionDecision: 'deny' })), codex);
    expect(await call('shell', { cmd: 'ls' })).toMatchObject({
      status: 'blocked',
      reason: expect.stringContaining('permissionDecision: unknown field'),
    });
  });

  test('Stop with a reason keeps the agent working', async () => {
    const { hooks, session } = await harness(
      file('Stop', prints({ decision: 'block', reason: 'run the tests' })),
      codex,
    );
    const stop = { session, response: 'done', continuations: 0, last: false };
    expect(await hooks.dispatch(Stop, stop)).toMatchObject({ kind: 'retry', reason: 'run the tests' });
  });

  test('PostToolUse replaces a result by its reason', async () => {
    const { call } = await harness(
      file('PostToolUse', prints({ decision: 'block', reason: 'redacted' })),
      codex,
    );
    expect(await call('shell', { cmd: 'ls' })).toMatchObject({ status: 'blocked', reason: 'redacted' });
  });

  test('an event that Codex never fires is an error', () => {
    const { issues } = readHookFile(JSON.stringify(file('PreModelRequest', prints({}))), '.codex/hooks.json');
    expect(issues.map(formatIssue)).toEqual([expect.stringContaining('this gate would never close')]);
    expect(
      readHookFile(JSON.stringify(file('PostToolUseFailure', prints({}))), '.codex/hooks.json').issues,
    ).toHaveLength(1);
  });

  test('an error in TOML has its line', () => {
    const { issues } = readHookFile('model = "x"\n[hooks\n', 'config.toml');
    expect(issues.map(formatIssue)).toEqual([expect.stringMatching(/^config\.toml:2:/)]);
  });
});

describe('a file of an agent without a dialect is refused by name', () => {
  const claude = JSON.stringify(file('PreToolUse', { type: 'command', command: 'x' }));
  const kiro = JSON.stringify({
    name: 'a',
    hooks: { agentSpawn: [{ command: 'x' }], preToolUse: [{ matcher: 'execute_bash', command: 'x' }] },
  });
  test.each([
    ['/repo/.factory/settings.json', claude, 'Factory'],
    ['/repo/.grok/settings.json', claude, 'Grok'],
    [
      '/repo/.windsurf/hooks.json',
      JSON.stringify({ hooks: { pre_run_command: [{ command: 'x' }] } }),
      'Windsurf',
    ],
    ['hooks.json', JSON.stringify({ hooks: { pre_write_code: [{ command: 'x' }] } }), 'Windsurf'],
    ['/repo/.qwen/settings.json', claude, 'Qwen Code'],
    ['/repo/.augment/settings.local.json', claude, 'Augment'],
    ['/repo/.kiro/agents/a.json', kiro, 'Kiro'],
    ['a.json', kiro, 'Kiro'],
    ['/repo/.amazonq/cli-agents/a.json', kiro, 'Kiro'],
  ])('%s', (path, text, name) => {
    const { issues, entries } = readHookFile(text, path);
    expect(entries).toEqual([]);
    expect(issues.map(formatIssue)).toEqual([expect.stringContaining(`a file of ${name}`)]);
    expect(issues[0]?.message).toMatch(/hooks migrate|--dialect|dialect/);
  });
});

describe('a file in the folder of an unknown program', () => {
  const claude = file('PreToolUse', { type: 'command', command: 'x' });
  const gemini = { hooksConfig: { enabled: true }, ...file('BeforeTool', { type: 'command', command: 'x' }) };
  const cursor = { version: 1, hooks: { beforeShellExecution: [{ command: 'x' }] } };

  test.each([
    ['/repo/.acme/settings.json', claude, 'claude-code'],
    ['.acme/settings.json', claude, 'claude-code'],
    ['/repo/.acme/agent/settings.json', gemini, 'gemini'],
    ['/repo/.acme-cli/hooks.json', cursor, 'cursor'],
    ['/repo/.amp/a/b/settings.json', claude, 'claude-code'],
    ['/home/a/.config/opencode/hooks.json', claude, 'claude-code'],
    ['/home/a/.config/acme/agents/hooks.json', claude, 'claude-code'],
    ['/home/a/.codex/.acme/settings.json', claude, 'claude-code'],
  ] as const)('is refused unless its dialect is named: %s', (path, value, dialect) => {
    const text = JSON.stringify(value);
    const { issues, entries } = readHookFile(text, path);
    expect(entries).toEqual([]);
    expect(issues.map(formatIssue)).toEqual([expect.stringContaining(`--dialect ${dialect}`)]);
    expect(readHookFile(text, path, dialect).entries).toHaveLength(1);
  });

  test.each(['/repo/.acme/hooks.yaml', '/repo/.acme/hooks.json'])(
    'is read in our own dialect: %s',
    (path) => {
      const text = JSON.stringify({ hooks: { before_tool_call: [{ type: 'command', command: 'x' }] } });
      expect(readHookFile(text, path).entries).toHaveLength(1);
    },
  );

  test.each([
    '/home/a/.config/hooks/team.json',
    '/home/a/.config/team.json',
    '/repo/acme/settings.json',
    '/repo/.claude/plugins/team/hooks/hooks.json',
    '/repo/.worktrees/a/.claude/settings.json',
  ])('is not %s', (path) => {
    expect(readHookFile(JSON.stringify(claude), path).entries).toHaveLength(1);
  });

  test('is not a file of a checkout in a hidden folder', () => {
    const worktree = join(temporaryFolder(), '.worktrees/a');
    mkdirSync(join(worktree, 'policies'), { recursive: true });
    const read = () => readHookFile(JSON.stringify(claude), join(worktree, 'policies/team.json')).entries;
    expect(read()).toHaveLength(0);
    writeFileSync(join(worktree, '.git'), 'gitdir: /repo/.git/worktrees/a\n');
    expect(read()).toHaveLength(1);
  });
});

describe('a gate under an event of another agent is an error in Claude Code’s dialect', () => {
  test.each(['BeforeTool', 'preToolUse', 'PreToolUsee', 'pre_tool_use', 'BeforeToolCall'])('%s', (event) => {
    const { issues } = readHookFile(
      JSON.stringify({ hooks: { PostToolUse: [], [event]: [] } }),
      '.claude/settings.json',
    );
    expect(issues.map(formatIssue)).toEqual([expect.stringContaining(event)]);
  });
});
