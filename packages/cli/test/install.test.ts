import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { bundle } from '../scripts/bundle.ts';
import { INSTALLABLE } from '../src/installed/agents.ts';
import { untrustedByCodex } from '../src/installed/codex.ts';
import { trustOfCodex } from './codex-trust.ts';
import { type Workspace, workspace } from './program.ts';

const refusing = 'hooks: {before_tool_call: [{type: command, command: "echo not here >&2; exit 2"}]}\n';

/** What is published, which starts faster than the sources do. */
const dist = fileURLToPath(new URL('../.turbo/install', import.meta.url));
const published = [process.execPath, join(dist, 'hooks.cjs')];
beforeAll(() => bundle(dist));

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A workspace with a file of hooks that is trusted and refuses everything. */
async function policed(files: Readonly<Record<string, string>> = {}, self = published): Promise<Workspace> {
  const place = workspace({ ...files, 'hooks.yaml': refusing }, self);
  await place.trust('hooks.yaml', refusing);
  return place;
}

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const toClaudeCode = ['install', '--for', 'claude-code', '--settings', 'settings.json'];
const mine = {
  permissions: { allow: ['Bash(ls)'] },
  hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: './mine.sh' }] }] },
};

describe('install', () => {
  test('adds itself once, and uninstall takes it out; all else stays', async () => {
    const { cli, dir } = await policed({ 'settings.json': JSON.stringify(mine) });
    const settings = () => readJson(join(dir, 'settings.json'));
    for (let i = 0; i < 2; i++) expect(await cli(...toClaudeCode)).toMatchObject({ code: 0 });
    expect(settings().permissions).toEqual(mine.permissions);
    const run = `run --as claude-code --file ${dir}/hooks.yaml`;
    expect(settings().hooks.PreToolUse).toEqual([
      ...mine.hooks.PreToolUse,
      {
        hooks: [
          {
            type: 'command',
            command: expect.stringMatching(
              `^/bin/sh /.*/hook.sh gate ${process.execPath} .*${run} \\|\\| exit 2$`,
            ),
            timeout: 600,
          },
        ],
      },
    ]);
    expect(settings().hooks.Stop).toEqual([
      {
        hooks: [{ type: 'command', command: expect.stringMatching(`^/bin/sh /.*/hook.sh other .*${run}$`) }],
      },
    ]);
    expect(await cli('uninstall', ...toClaudeCode.slice(1))).toMatchObject({ code: 0 });
    expect(settings()).toEqual(mine);
  });

  test('replaces what an earlier version wrote, which needed hooks on the PATH', async () => {
    const command = 'hooks run --as claude-code --file hooks.yaml';
    const old = { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command }] }] } };
    const { cli, dir } = await policed({ 'settings.json': JSON.stringify(old) });
    expect(await cli(...toClaudeCode)).toMatchObject({ code: 0 });
    expect(readJson(join(dir, 'settings.json')).hooks.PreToolUse).toHaveLength(1);
    await cli('uninstall', ...toClaudeCode.slice(1));
    expect(readJson(join(dir, 'settings.json'))).toEqual({});
  });

  test('makes settings where there are none, and leaves broken ones alone', async () => {
    const { cli, dir } = await policed({ 'broken.json': '{' });
    await cli('install', '--for', 'gemini');
    expect(readJson(join(dir, '.gemini/settings.json')).hooks.BeforeTool[0].hooks[0].timeout).toBe(600_000);
    expect(await cli('install', '--for', 'gemini', '--settings', 'broken.json')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is left as it is'),
    });
    expect(readFileSync(join(dir, 'broken.json'), 'utf8')).toBe('{');
  });

  test('writes through a link, and keeps who may read the settings', async () => {
    const { cli, dir } = await policed({ 'dotfiles.json': '{"env":{"KEY":"secret"}}' });
    const [real, link] = [join(dir, 'dotfiles.json'), join(dir, 'settings.json')];
    chmodSync(real, 0o600);
    symlinkSync(real, link);
    expect(await cli(...toClaudeCode)).toMatchObject({ code: 0 });
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(statSync(real).mode & 0o777).toBe(0o600);
    expect(readFileSync(real, 'utf8')).toContain('run --as claude-code');
    await cli('uninstall', ...toClaudeCode.slice(1));
    expect(readJson(real)).toEqual({ env: { KEY: 'secret' } });
  });

  test('writes through no link that stands where it would write first', async () => {
    const { cli, dir } = await policed({ 'settings.json': '{}', 'mine.txt': 'mine' });
    symlinkSync(join(dir, 'mine.txt'), join(dir, 'settings.json.new'));
    expect(await cli(...toClaudeCode)).toMatchObject({ code: 0 });
    expect(readFileSync(join(dir, 'mine.txt'), 'utf8')).toBe('mine');
    expect(readFileSync(join(dir, 'settings.json'), 'utf8')).toContain('run --as claude-code');
  });

  test('for an agent that it does not know fails with those that it knows', async () => {
    const { cli } = workspace();
    expect(await cli('install', '--for', 'cursor')).toMatchObject({
      code: 1,
      stderr: 'hooks: --for cursor: expected one of: claude-code, codex, gemini\n',
    });
  });
});

test('uninstall writes no settings where there are none', async () => {
  const { cli, dir } = workspace();
  expect(await cli('uninstall', '--for', 'claude-code')).toMatchObject({ code: 0 });
  expect(existsSync(join(dir, '.claude'))).toBe(false);
});

describe('what install writes', () => {
  test.each(Object.entries(INSTALLABLE))('refuses a call of %s, with hardly a PATH', async (name, agent) => {
    const { cli, dir } = await policed();
    expect(await cli('install', '--for', name, '--settings', 'settings.json')).toMatchObject({ code: 0 });
    expect(asTheAgent(agent, dir)).toMatchObject({ stdout: expect.stringContaining('not here') });
  });

  test.each(Object.entries(INSTALLABLE))(
    'refuses a call of %s where Node, hooks and the workspace have quotes and spaces in their paths',
    async (name, agent) => {
      const odd = join(temporaryFolder(), `it's a "$HOME" & \`so\` on`);
      cpSync(dist, join(odd, 'dist/bin'), { recursive: true });
      copyFileSync(fileURLToPath(new URL('../package.json', import.meta.url)), join(odd, 'package.json'));
      symlinkSync(fileURLToPath(new URL('../node_modules', import.meta.url)), join(odd, 'node_modules'));
      symlinkSync(process.execPath, join(odd, 'node'));
      const self = [join(odd, 'node'), join(odd, 'dist/bin/hooks.cjs')];
      const { cli, dir, trust } = workspace({}, self);
      mkdirSync(join(dir, "the team's"));
      writeFileSync(join(dir, "the team's/hooks.yaml"), refusing);
      await trust("the team's/hooks.yaml", refusing);
      const args = ['--file', "the team's/hooks.yaml", '--settings', 'settings.json'];
      expect(await cli('install', '--for', name, ...args)).toMatchObject({ code: 0, stderr: '' });
      expect(asTheAgent(agent, dir)).toMatchObject({ stdout: expect.stringContaining('not here') });
    },
  );
});

test.each(Object.entries(INSTALLABLE))('install --warm has a worker answer %s', async (name, agent) => {
  const { cli, dir } = await policed();
  await cli('install', '--for', name, '--settings', 'settings.json', '--warm');
  const workers = () => workersIn(join(dir, '.config/hooks/warm', dir));
  // What install tries is the cold start: a worker would keep the environment of the trial.
  expect(workers()).toEqual([]);
  const cold = asTheAgent(agent, dir);
  expect(cold.stdout).toContain('not here');
  await expect
    .poll(workers, { timeout: 20_000 })
    .toEqual([expect.stringMatching(`^${name}-[0-9a-f]{12}.sock$`)]);
  const warm = asTheAgent(agent, dir, '/no/such/node');
  expect({ status: warm.status, stdout: warm.stdout }).toEqual({ status: cold.status, stdout: cold.stdout });
  // A worker whose policy is no more ends when it is asked.
  writeFileSync(join(dir, 'hooks.yaml'), '');
  asTheAgent(agent, dir);
  await expect.poll(workers, { timeout: 20_000 }).toEqual([]);
});

function workersIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

describe('install writes nothing where the hook does not answer', () => {
  test.each<[string, Readonly<Record<string, string>>, readonly string[] | undefined, string]>([
    ['there is no file of hooks', {}, undefined, 'hooks.yaml does not exist'],
    ['the file is not trusted', { 'hooks.yaml': 'hooks: {}' }, undefined, 'run "hooks trust'],
    ['Node is gone', {}, ['/no/such/node', join(import.meta.dirname, '../src/main.ts')], 'exit code 127'],
    ['hooks is gone', {}, [process.execPath, '/no/such/hooks.cjs'], 'hook.sh'],
  ])('since %s', async (_, files, self, why) => {
    const { cli, dir } = workspace(files, self ?? published);
    const { code, stderr } = await cli(...toClaudeCode);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(why) });
    expect(stderr).toMatch(
      /^hooks: not installed: run as Claude Code would run it, the hook does not answer: /,
    );
    expect(existsSync(join(dir, 'settings.json'))).toBe(false);
  });
});

/** Runs the hook before a tool call as the settings have it. */
function asTheAgent({ shell, event }: (typeof INSTALLABLE)[string], dir: string, node = process.execPath) {
  const { command } = readJson(join(dir, 'settings.json')).hooks[event.hook_event_name][0].hooks[0];
  const [program = '', ...args] = shell(command.replace(process.execPath, node), {});
  const env = { PATH: '/usr/bin:/bin', HOME: dir, XDG_CONFIG_HOME: join(dir, '.config') };
  return spawnSync(program, args, { cwd: dir, env, input: JSON.stringify(event), encoding: 'utf8' });
}

describe('install says', () => {
  test('that Codex runs nothing which is not trusted, and how to trust it', async () => {
    const { cli } = await policed();
    const { stdout } = await cli('install', '--for', 'codex');
    expect(stdout).toContain('"codex exec" skips others in silence: start "codex", trust them under /hooks');
  });

  test('which matchers meet no tool of the agent', async () => {
    const text = `hooks:
  before_tool_call:
    - {matcher: Bash, hooks: [{type: command, name: of Claude Code, command: "true"}]}
    - {matcher: shell|pay, hooks: [{type: command, name: of all, command: "true"}]}
    - {matcher: mcp__bank__pay, hooks: [{type: command, name: of a server, command: "true"}]}
`;
    const { cli, trust } = workspace({ 'hooks.yaml': text }, published);
    await trust('hooks.yaml', text);
    expect((await cli('install', '--for', 'gemini')).stdout.split('\n').slice(1)).toEqual([
      'meets no tool of Gemini CLI: before_tool_call Bash (of Claude Code)',
      '',
    ]);
  });
});

describe('validate says which matchers meet no tool', () => {
  const text =
    'hooks: {before_tool_call: [{matcher: pay, hooks: [{type: command, name: mine, command: "true"}]}]}';

  test('of the agents that ask the file, and of no other', async () => {
    const { cli, trust } = workspace({ 'hooks.yaml': text }, published);
    await trust('hooks.yaml', text);
    expect((await cli('validate')).stderr).toBe('');
    await cli('install', '--for', 'gemini');
    expect(await cli('validate')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /^note: .*hooks.yaml:1:\d+: before_tool_call: pay \(mine\) meets no tool of Gemini CLI\n$/,
      ),
    });
  });

  test('of Claude Code, in its own settings', async () => {
    const { cli } = workspace({
      'settings.json': JSON.stringify({
        hooks: { PreToolUse: [{ matcher: 'bash', hooks: [{ type: 'command', command: 'true' }] }] },
      }),
    });
    const { stderr } = await cli('validate', 'settings.json');
    expect(stderr).toContain('PreToolUse: bash (true) meets no tool of Claude Code\n');
  });
});

/** In Codex's `config.toml`. */
const NO_TYPING = '[features]\nunified_exec_tty = false\n';

describe('doctor', () => {
  test('runs what is installed, and says that it answers', async () => {
    const { cli, dir } = await policed();
    await cli('install', '--for', 'gemini');
    expect(await cli('doctor')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`gemini is asked, and answers: ${dir}/.gemini/settings.json\n`),
    });
  });

  test.each([
    ['hooks run --as claude-code --file hooks.yaml', 'the hook does not answer: it ended with exit code 127'],
    ['/bin/sh /no/such/hook.sh gate node hooks run --as claude-code || exit 2', 'the hook does not answer: '],
  ])('tells of one that does not: %s', async (command, problem) => {
    const settings = { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command }] }] } };
    const { cli, dir } = await policed();
    mkdirSync(join(dir, '.claude'));
    writeFileSync(join(dir, '.claude/settings.json'), JSON.stringify(settings));
    const { code, stdout } = await cli('doctor');
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining(problem) });
    expect(stdout).toContain(
      'there is no hook on PostToolUse, PostToolUseFailure, UserPromptSubmit; install it again',
    );
  });

  test('tells of hooks that Codex skips, until they are trusted as they are now', async () => {
    const { cli, dir } = await policed();
    await cli('install', '--for', 'codex');
    const hooks = join(dir, '.codex/hooks.json');
    expect(await cli('doctor')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('codex is OPEN'),
    });
    writeFileSync(join(dir, '.codex/config.toml'), `${NO_TYPING}${trustOfCodex(hooks)}`);
    expect(await cli('doctor')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`codex is asked, and answers: ${hooks}\n`),
    });
    const changed = readJson(hooks);
    changed.hooks.PreToolUse[0].hooks[0].timeout = 5;
    writeFileSync(hooks, JSON.stringify(changed));
    expect((await cli('doctor')).stdout).toContain(
      'Codex skips its hooks on PreToolUse, which nobody has trusted',
    );
  });
});

test.each(['', '[features]\n', '[features]\nunified_exec_tty = true\n'])(
  'doctor tells that Codex asks no hook about what a model types, where config.toml has %j',
  async (features) => {
    const { cli, dir } = await policed();
    await cli('install', '--for', 'codex');
    const hooks = join(dir, '.codex/hooks.json');
    writeFileSync(join(dir, '.codex/config.toml'), `${features}${trustOfCodex(hooks)}`);
    expect(await cli('doctor')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(
        `codex is OPEN: ${hooks}: Codex asks no hook about what is typed into a command that still runs: set \`unified_exec_tty = false\``,
      ),
    });
  },
);

test('the trust of Codex is read as Codex 0.169.0 writes it', async () => {
  const dir = temporaryFolder();
  const path = join(dir, 'hooks.json');
  const command = '/bin/sh /x/hook.sh gate node hooks.cjs run --as codex || exit 2';
  const settings = { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command, timeout: 600 }] }] } };
  writeFileSync(path, JSON.stringify(settings));
  expect(await untrustedByCodex(path, settings)).toEqual(['PreToolUse']);
  // As `hooks/list` of its app server has it.
  const hash = 'sha256:de294bf9675e96070bc68b9912a09cd23fad0780076c38bacfd7d168cbdeeebe';
  writeFileSync(
    join(dir, 'config.toml'),
    `[hooks.state."${path}:pre_tool_use:0:0"]\ntrusted_hash = "${hash}"\n`,
  );
  expect(await untrustedByCodex(path, settings)).toEqual([]);
});
