import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readHookFile } from '@hooks/config';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { workspace } from './program.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const file = `hooks:
  before_tool_call:
    - matcher: shell
      hooks:
        - name: no rm
          type: command
          command: if grep -q 'rm -rf'; then echo 'rm is not allowed' >&2; exit 2; fi
        - name: colour
          type: command
          command: |
            echo '{"hook_specific_output": {"updated_input": {"cmd": "ls --color=never"}}}'
    - type: builtin
      command: command_safety
`;

const event = (cmd: string) => ({
  hook_event_name: 'before_tool_call',
  tool_name: 'shell',
  tool_input: { cmd },
});

describe('validate', () => {
  test('exits with 0 for a valid file', async () => {
    const { cli } = workspace({ 'hooks.yaml': file });
    expect(await cli('validate', 'hooks.yaml')).toEqual({
      code: 0,
      stdout: `event             matcher  type     hook            if it fails
before_tool_call  shell    command  no rm           blocks
before_tool_call  shell    command  colour          blocks
before_tool_call  *        builtin  command_safety  blocks

3 hooks, no errors (hooks)
`,
      stderr: '',
    });
    expect(await cli('validate')).toMatchObject({ code: 0 });
  });

  test.each([
    [
      '{type: builtin, command: command_safty}',
      'unknown builtin "command_safty"; did you mean "command_safety"?',
    ],
    [
      '{type: builtin, command: max_iterations, args: [many]}',
      'builtin "max_iterations": expected a whole number',
    ],
    ['{type: module, path: ./policy.ts}', '/policy.ts does not exist'],
    ['{type: command, command: ./check.sh --strict}', '/check.sh does not exist'],
    ['{type: command, command: plain.sh, working_dir: nowhere}', '/nowhere does not exist'],
    ['{type: command, command: "./plain.sh | cat"}', '/plain.sh cannot be run; make it executable: chmod +x'],
    ['{type: command, command: python3 hooks/guard.py}', '/hooks/guard.py does not exist'],
    [
      `{type: command, command: 'A=1 bash "$HERE/x.sh"', env: {HERE: /nowhere}}`,
      '/nowhere/x.sh does not exist',
    ],
    ['{type: command, command: [no-such-program, x]}', 'the program no-such-program is not on the PATH'],
  ])('reports %s, which can only fail', async (hook, message) => {
    const { cli } = workspace({ 'hooks.yaml': `hooks: {before_tool_call: [${hook}]}`, 'plain.sh': 'exit 0' });

    const { code, stderr, stdout } = await cli('validate', 'hooks.yaml');

    expect(stderr).toContain(message);
    expect(stderr).toMatch(/^error: .*hooks.yaml:1:28: before_tool_call: /);
    expect(stdout).not.toContain('no errors');
    expect(code).toBe(1);
  });

  test.each([
    'bash plain.sh',
    'cat plain.sh | ./no-such.sh',
    '"$SOMEWHERE/check.sh"',
    '[ -f x ] && exit 2; exit 0',
    'node -e 1',
    'exec bash plain.sh',
    '$(which x)/y.sh',
  ])('accepts `%s`, which only a shell can resolve', async (command) => {
    const hooks = { before_tool_call: [{ type: 'command', command }] };
    const { cli } = workspace({ 'hooks.yaml': JSON.stringify({ hooks }), 'plain.sh': 'exit 0' });

    expect(await cli('validate', 'hooks.yaml')).toMatchObject({ code: 0, stderr: '' });
  });

  test('looks for a script in the folder in which Claude Code would run it', async () => {
    const command = '"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh';
    const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] };
    const { cli, dir } = workspace({ 'settings.json': JSON.stringify({ hooks }) });

    const { stderr } = await cli('validate', 'settings.json');

    expect(stderr).toContain(`the script ${dir}/.claude/hooks/guard.sh does not exist`);
  });

  test.each([
    ['{"hooks": {"Stop": []},}', '1:24'],
    ['{"hooks": {\n  // all\n  "Stop": []}}', '2:3'],
    ['{"hooks": {\n  Stop: []}}', '2:3'],
    ["{'hooks': {}}", '1:2'],
    ['hooks:\n  Stop: []', '1:1'],
  ])('reports a .json file with %j as invalid JSON', async (text, place) => {
    const { cli } = workspace({ 'settings.json': text });

    const { code, stderr } = await cli('validate', 'settings.json');

    expect(code).toBe(1);
    expect(stderr).toContain(`settings.json:${place}: `);
    expect(stderr).toContain('not JSON: use double quotes');
  });

  test('suggests our name for an event of another dialect', async () => {
    const { cli } = workspace({ 'hooks.yaml': 'hooks: {before_run: [], PreToolUse: []}' });
    const { stderr } = await cli('validate', 'hooks.yaml', '--dialect', 'hooks');
    expect(stderr).toContain('hooks.PreToolUse: unknown event; did you mean "before_tool_call"?');
  });

  test('suggests our event name for one of our hooks under an event of Claude Code', async () => {
    const { cli } = workspace({
      'hooks.yaml': 'hooks: {PreToolUse: [{hooks: [{type: builtin, command: command_safety}]}]}',
    });
    const { stderr } = await cli('validate', 'hooks.yaml');
    expect(stderr).toContain('in our own dialect, PreToolUse is "before_tool_call"');
  });

  test('gives a notice about a hook that only Claude Code can run', async () => {
    const hooks = { PreToolUse: [{ hooks: [{ type: 'prompt', prompt: 'Fine?' }] }] };
    const { cli } = workspace({ 'settings.json': JSON.stringify({ hooks }) });
    expect(await cli('validate', 'settings.json')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('it always fails: a hook of type "prompt" runs only in Claude Code'),
    });
  });

  test('calls a file without hooks empty', async () => {
    const { cli } = workspace({ 'hooks.json': '{"hooks": {"preToolUse": []}}' });
    expect(await cli('validate', 'hooks.json')).toMatchObject({ code: 0, stdout: 'no hooks (ai4j)\n' });
  });

  test('exits with 1 for a gate that a guessed dialect would ignore, and names both readings', async () => {
    const { cli } = workspace({ 'hooks.yaml': 'hooks: { beforeToolCall: [{ command: x }] }' });
    expect(await cli('validate', 'hooks.yaml')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/beforeToolCall: unknown event.*"ai4j".*"hooks"/),
    });
  });

  test('exits with 1 for an invalid file and lists each position with the expected value', async () => {
    const { cli, dir } = workspace({ 'hooks.yaml': 'hooks:\n  befor_run: []\n  stop: 1\n' });
    expect(await cli('validate', 'hooks.yaml')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        `error: ${dir}/hooks.yaml:2:3: hooks.befor_run: unknown event; did you mean "before_run"?\n` +
        `error: ${dir}/hooks.yaml:3:9: hooks.stop: expected a list\n`,
    });
  });

  test('prints JSON with --json', async () => {
    const { cli } = workspace({ 'hooks.yaml': 'hooks:\n  stop: 1\n' });
    const { code, stdout } = await cli('validate', 'hooks.yaml', '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      1,
      { valid: false, issues: [{ line: 2, column: 9, path: 'hooks.stop' }] },
    ]);
  });

  test('gives a notice about events that never fire', async () => {
    const { cli } = workspace({ 'settings.json': '{"hooks": {"FileChanged": [], "Stop": []}}' });
    expect(await cli('validate', 'settings.json')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('no agent reports FileChanged'),
    });
  });
});

test('list shows the hooks in their order', async () => {
  const { cli, dir } = workspace({ 'hooks.yaml': file });
  const { stdout } = await cli('list', 'hooks.yaml');
  expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['event', 'matcher', 'type', 'hook', 'where'],
    ['before_tool_call', 'shell', 'command', 'no rm', `${dir}/hooks.yaml:5`],
    ['before_tool_call', 'shell', 'command', 'colour', `${dir}/hooks.yaml:8`],
    ['before_tool_call', '*', 'builtin', 'command_safety', `${dir}/hooks.yaml:12`],
    [''],
  ]);
});

describe('explain', () => {
  test('shows what each hook would decide', async () => {
    const { cli, trust } = workspace({ 'hooks.yaml': file, 'event.json': JSON.stringify(event('rm -rf /')) });
    await trust('hooks.yaml', file);
    const { stdout } = await cli('explain', 'event.json', '--file', 'hooks.yaml', '--json');
    expect(JSON.parse(stdout)).toMatchObject([
      { hook: 'no rm', says: 'block', why: 'rm is not allowed' },
      { hook: 'colour', says: 'modify input', why: '{"input":{"cmd":"ls --color=never"}}' },
      { hook: 'command_safety', says: 'block' },
    ]);
  });

  test('runs no hooks of an untrusted file', async () => {
    const { cli } = workspace({ 'hooks.yaml': file, 'event.json': JSON.stringify(event('ls')) });
    expect(await cli('explain', 'event.json', '--file', 'hooks.yaml')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not trusted'),
    });
  });

  test('reports an invalid event', async () => {
    const { cli, trust } = workspace({ 'hooks.yaml': file, 'event.json': '{"hook_event_name": "pre_tool"}' });
    await trust('hooks.yaml', file);
    expect(await cli('explain', 'event.json')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has no event "pre_tool"'),
    });
  });
});

describe('test', () => {
  const cases = (expected: string) => `
- name: rm is refused
  event: ${JSON.stringify(event('rm -rf x'))}
  expect: block
  reason: not allowed
- name: ls gets no colour
  event: ${JSON.stringify(event('ls'))}
  expect: ${expected}
  patch: { input: { cmd: ls --color=never } }
`;

  test('exits with 0 if all cases pass', async () => {
    const { cli, trust } = workspace({ 'hooks.yaml': file, 'cases.yaml': cases('modify') });
    await trust('hooks.yaml', file);
    expect(await cli('test', 'cases.yaml', '--file', 'hooks.yaml')).toEqual({
      code: 0,
      stdout: 'ok  rm is refused\nok  ls gets no colour\n2 passed, 0 failed\n',
      stderr: '',
    });
  });

  test('exits with 1 and the difference if a case fails', async () => {
    const { cli, trust } = workspace({ 'hooks.yaml': file, 'cases.yaml': cases('block') });
    await trust('hooks.yaml', file);
    const { code, stdout } = await cli('test', 'cases.yaml', '--file', 'hooks.yaml');
    expect(code).toBe(1);
    expect(stdout).toContain('FAILED  ls gets no colour: expected block, got modify input');
  });

  test.each([
    ['reason: no shell', 'block', 'expected the reason to contain "no shell", got: rm is not allowed'],
    [
      'patch: { input: { cmd: ls } }',
      'modify',
      'expected input {"cmd":"ls"}, got {"cmd":"ls --color=never"}',
    ],
  ])('exits with 1 and both values for another %s', async (expected, decision, difference) => {
    const text = `
- name: it
  event: ${JSON.stringify(event(decision === 'block' ? 'rm -rf x' : 'ls'))}
  expect: ${decision}
  ${expected}
`;
    const { cli, trust } = workspace({ 'hooks.yaml': file, 'cases.yaml': text });
    await trust('hooks.yaml', file);
    expect(await cli('test', 'cases.yaml', '--file', 'hooks.yaml')).toMatchObject({
      code: 1,
      stdout: `FAILED  it: ${difference}\n0 passed, 1 failed\n`,
    });
  });

  test('rejects a table without a case', async () => {
    const { cli } = workspace({ 'hooks.yaml': file, 'cases.yaml': '[]' });
    expect(await cli('test', 'cases.yaml')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('expected at least one case'),
    });
  });
});

describe('trust', () => {
  test('needs --yes without a terminal, and untrust revokes it', async () => {
    const { cli, dir } = workspace({ 'hooks.yaml': file, 'event.json': JSON.stringify(event('ls')) });
    expect(await cli('trust', 'hooks.yaml')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('give --yes'),
    });
    expect(await cli('trust', 'hooks.yaml', '--yes')).toMatchObject({
      code: 0,
      stdout: `trusted: ${dir}/hooks.yaml\n`,
    });
    expect(await cli('explain', 'event.json')).toMatchObject({ code: 0 });
    expect(await cli('untrust', '.')).toMatchObject({ stdout: expect.stringContaining('no longer trusted') });
    expect(await cli('explain', 'event.json')).toMatchObject({ code: 1 });
  });
});

describe('init', () => {
  test('writes a valid file that blocks at once, and never overwrites one', async () => {
    const { cli, dir } = workspace({
      'event.json': JSON.stringify({ ...event('x'), tool_input: { command: 'git push --force' } }),
    });
    expect(await cli('init')).toMatchObject({ code: 0 });
    expect(await cli('validate', 'hooks.yaml')).toMatchObject({ code: 0, stderr: '' });
    await cli('trust', 'hooks.yaml', '--yes');
    expect((await cli('explain', 'event.json')).stdout).toMatch(/no force push +command +block/);
    writeFileSync(join(dir, 'hooks.yaml'), 'mine');
    expect(await cli('init')).toMatchObject({ code: 1, stderr: expect.stringContaining('exists already') });
    expect(readFileSync(join(dir, 'hooks.yaml'), 'utf8')).toBe('mine');
  });
});

describe('config migrate', () => {
  test.each([
    [
      'docker-agent',
      'agents: {root: {hooks: {pre_tool_use: [{matcher: "shell|edit", hooks: [{type: command, command: ./x, timeout: 30}]}]}}}',
      { matcher: 'shell|edit', timeoutMs: 30_000 },
    ],
    [
      'claude-code',
      '{"hooks": {"PreToolUse": [{"matcher": "^Bash", "hooks": [{"type": "command", "command": "./x"}]}]}}',
      { matcher: '.*(?:^Bash).*', timeoutMs: 600_000 },
    ],
    [
      'ai4j',
      '{"hooks": {"preToolUse": [{"command": "./x", "match": "bash"}]}}',
      { matcher: 'bash', timeoutMs: 60_000 },
    ],
  ])('converts %s to our dialect', async (from, text, { matcher, timeoutMs }) => {
    const { cli } = workspace({ 'their.yaml': text });
    const { code, stdout } = await cli('config', 'migrate', 'their.yaml');
    const { dialect, issues, entries } = readHookFile(stdout, 'ours.yaml');
    expect([code, dialect.name, issues]).toEqual([0, 'hooks', []]);
    expect(entries).toMatchObject([
      { event: 'before_tool_call', matcher, handler: { command: './x', timeoutMs } },
    ]);
    expect(stdout).toContain(`# From ${from}.`);
  });

  test('keeps the agent of its hooks', async () => {
    const hooks = 'hooks: {stop: [{type: command, command: ./x}]}';
    const { cli } = workspace({ 'their.yaml': `agents: {root: {${hooks}}, coder: {}}` });
    const { stdout } = await cli('config', 'migrate', 'their.yaml');
    expect(readHookFile(stdout, 'ours.yaml').entries).toMatchObject([{ exceptAgents: ['coder'] }]);
  });
});

describe('doctor', () => {
  test('shows that each gate stays closed, whatever happens to its hook', async () => {
    const { cli, trust } = workspace({ 'hooks.yaml': file });
    await trust('hooks.yaml', file);
    const { code, stdout } = await cli('doctor', '--tools', 'shell,fetch');
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['gate', 'hook', 'faults', 'stays'],
      ['before_tool_call', 'no rm', '9', 'closed'],
      ['before_tool_call', 'colour', '9', 'closed'],
      ['before_tool_call', 'command_safety', '1', 'closed'],
      [''],
    ]);
    expect(code).toBe(0);
  });

  test('reports an open gate and a tool without a hook', async () => {
    const open = `hooks:
  before_tool_call:
    - matcher: shell
      hooks:
        - {type: command, name: lax, command: "true", on_error: ignore}
`;
    const { cli, trust } = workspace({ 'hooks.yaml': open });
    await trust('hooks.yaml', open);
    const { code, stdout } = await cli('doctor', '--tools', 'shell, fetch');
    expect(code).toBe(1);
    expect(stdout).toMatch(/lax +9 +OPEN after a missing command, exit code 1/);
    expect(stdout).toContain('no hook before: fetch\n');
  });
});

test('doctor --drive fails where no agent has installed hooks', async () => {
  const { cli, trust } = workspace({ 'hooks.yaml': file });
  await trust('hooks.yaml', file);
  expect(await cli('doctor', '--drive')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('no agent could be driven: none has hooks installed'),
  });
});

test('doctor --drive does not start Claude Code in a folder that the user has not trusted', async () => {
  const { cli, trust, dir } = workspace({ 'hooks.yaml': file });
  const bin = temporaryFolder();
  writeFileSync(join(bin, 'claude'), `#!/bin/sh\n[ "$1" = -p ] && : > ${bin}/started; echo 9.9.9\n`, {
    mode: 0o755,
  });
  vi.stubEnv('PATH', `${bin}:${process.env['PATH'] ?? ''}`);
  await trust('hooks.yaml', file);
  await cli('install', '--for', 'claude-code');
  const trusts = (hasTrustDialogAccepted: boolean) =>
    writeFileSync(
      join(dir, '.claude.json'),
      JSON.stringify({ projects: { [realpathSync(dir)]: { hasTrustDialogAccepted } } }),
    );
  for (const text of [undefined, false] as const) {
    if (text !== undefined) trusts(text);
    expect((await cli('doctor', '--drive')).stdout).toContain(
      'claude-code could not be driven: it would run',
    );
    expect(existsSync(join(bin, 'started'))).toBe(false);
  }
  trusts(true);
  await cli('doctor', '--drive');
  expect(existsSync(join(bin, 'started'))).toBe(true);
});

test('doctor --drive says that it starts no Claude Code of node_modules', async () => {
  const { cli, trust, dir } = workspace({ 'hooks.yaml': file });
  const bin = join(temporaryFolder(), 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho 9.9.9\n', { mode: 0o755 });
  vi.stubEnv('PATH', `${bin}:/usr/bin:/bin`);
  await trust('hooks.yaml', file);
  await cli('install', '--for', 'claude-code');
  const projects = { [realpathSync(dir)]: { hasTrustDialogAccepted: true } };
  writeFileSync(join(dir, '.claude.json'), JSON.stringify({ projects }));
  expect((await cli('doctor', '--drive')).stdout).toContain(
    'claude is not in your PATH; node_modules/.bin and the workspace do not count',
  );
});

test('doctor reports a matcher that matches no tool', async () => {
  const text =
    'hooks:\n  pre_tool_use:\n    - {matcher: shel, hooks: [{type: command, name: typo, command: "true"}]}\n';
  const { cli, trust } = workspace({ 'hooks.yaml': text });
  await trust('hooks.yaml', text);
  const { stdout } = await cli('doctor', '--tools', 'bash,read');
  expect(stdout).toContain('matches none of these tools: pre_tool_use shel (typo)\n');
  expect(stdout).toContain('no hook before: bash, read\n');
});

describe('the command line', () => {
  test('exits with 2 and a hint if it is invalid', async () => {
    const { cli } = workspace();
    expect(await cli('validat')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean validate?'),
    });
    expect(await cli('validate', '--dialect', 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--dialect: expected one of: hooks, docker-agent, '),
    });
  });

  test('has help with an example for every command', async () => {
    const { cli } = workspace();
    for (const name of [
      'init',
      'validate',
      'list',
      'explain',
      'test',
      'run',
      'install',
      'uninstall',
      'trust',
      'untrust',
    ]) {
      expect(await cli(name, '--help')).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(`$ hooks ${name}`),
      });
    }
  });

  test.each([
    ['explain', 'half.json', /^hooks: .*half.json:1:6: neither YAML nor JSON \(MISSING_CHAR\)$/m],
    ['explain', 'gone.json', /^hooks: <event>: there is no such file in /],
    ['test', 'gone.yaml', /^hooks: <cases>: there is no such file in /],
  ])('%s of %s fails without a stack trace', async (command, name, says) => {
    const { cli, trust } = workspace({ 'hooks.yaml': file, 'half.json': '{"x":' });
    await trust('hooks.yaml', file);
    const { code, stderr } = await cli(command, name);
    expect([code, stderr]).toEqual([1, expect.stringMatching(says)]);
    expect(stderr).not.toContain('    at ');
  });

  test('reports a missing file in one line, and what was expected', async () => {
    const { cli, dir } = workspace();
    expect(await cli('validate', 'nope.yaml')).toMatchObject({
      code: 1,
      stderr: `hooks: [file]: there is no such file in ${dir}; expected a file of hooks, or its directory\n`,
    });
  });
});

test('hooks --version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  expect(await workspace().cli('--version')).toMatchObject({ code: 0, stdout: `${version}\n` });
});
