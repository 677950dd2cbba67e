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
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DIALECTS } from '@hooks/config';
import { sampled } from '@hooks/testing/random';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { bundle } from '../scripts/bundle.ts';
import { AGENTS } from '../src/agents/all.ts';
import { INSTALLABLE } from '../src/installed/agents.ts';
import { untrustedByCodex } from '../src/installed/codex.ts';
import { trustOfCodex } from './codex-trust.ts';
import { type Workspace, workspace } from './program.ts';

const refusing = 'hooks: {before_tool_call: [{type: command, command: "echo not here >&2; exit 2"}]}\n';

/** The published command, which starts faster than the sources. */
const dist = fileURLToPath(new URL('../.turbo/install', import.meta.url));
const published = [process.execPath, join(dist, 'hooks.cjs')];
beforeAll(() => bundle(dist));

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A workspace with a trusted hook file that refuses everything. */
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
  test('adds itself once, uninstall removes it, and everything else stays', async () => {
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
            onFailure: 'block',
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

  test('adds a second policy beside the first, and uninstall --file removes one of them', async () => {
    const second = refusing.replace('not here', 'nor there');
    const name = "it's second.yaml";
    const { cli, dir, asHook, trust } = await policed({ [name]: second });
    await trust(name, second);
    expect(await cli(...toClaudeCode)).toMatchObject({ code: 0 });
    expect(await cli(...toClaudeCode, '--file', name)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`it runs, in this order: ${dir}/hooks.yaml, ${dir}/${name}`),
    });
    const commands = () =>
      readJson(join(dir, 'settings.json')).hooks.PreToolUse.flatMap(
        (group: { hooks: unknown[] }) => group.hooks,
      );
    expect(commands()).toHaveLength(1);
    const event = {
      hook_event_name: 'PreToolUse',
      session_id: 's',
      cwd: dir,
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
    };
    const run = spawnSync('/bin/sh', ['-c', commands()[0].command], {
      input: JSON.stringify(event),
      encoding: 'utf8',
      env: { ...process.env, XDG_CONFIG_HOME: join(dir, '.config') },
    });
    expect(run.stdout + run.stderr).toContain('not here');
    const uninstall = ['uninstall', '--for', 'claude-code', '--settings', 'settings.json', '--file'];
    expect(await cli(...uninstall, 'hooks.yaml')).toMatchObject({
      stdout: expect.stringContaining(`it still runs: ${dir}/${name}`),
    });
    expect(await cli(...uninstall, 'hooks.yaml')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not installed'),
    });
    expect(await cli(...uninstall, name)).toMatchObject({ code: 0 });
    expect(readJson(join(dir, 'settings.json'))).toEqual({});
    // Whichever refuses, and whichever comes first.
    const open = refusing.replace('exit 2', 'exit 0');
    for (const files of [
      ['open.yaml', 'hooks.yaml'],
      ['hooks.yaml', 'open.yaml'],
    ]) {
      writeFileSync(join(dir, 'open.yaml'), open);
      await trust('open.yaml', open);
      const given = files.flatMap((file) => ['--file', file]);
      const answer = await asHook(event, '--as', 'claude-code', ...given);
      expect(answer.stdout + answer.stderr).toContain('not here');
    }
  });

  test('replaces the command of an earlier version, which needed hooks on the PATH', async () => {
    const command = 'hooks run --as claude-code --file hooks.yaml';
    const old = { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command }] }] } };
    const { cli, dir } = await policed({ 'settings.json': JSON.stringify(old) });
    expect(await cli(...toClaudeCode)).toMatchObject({ code: 0 });
    expect(readJson(join(dir, 'settings.json')).hooks.PreToolUse).toHaveLength(1);
    await cli('uninstall', ...toClaudeCode.slice(1));
    expect(readJson(join(dir, 'settings.json'))).toEqual({});
  });

  test('creates missing settings and does not change broken ones', async () => {
    const { cli, dir } = await policed({ 'broken.json': '{' });
    await cli('install', '--for', 'gemini');
    expect(readJson(join(dir, '.gemini/settings.json')).hooks.BeforeTool[0].hooks[0].timeout).toBe(600_000);
    expect(await cli('install', '--for', 'gemini', '--settings', 'broken.json')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('stays unchanged'),
    });
    expect(readFileSync(join(dir, 'broken.json'), 'utf8')).toBe('{');
  });

  test('writes through a link and keeps the permissions', async () => {
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

  test('does not follow a link at the temporary path', async () => {
    const { cli, dir } = await policed({ 'settings.json': '{}', 'mine.txt': 'mine' });
    symlinkSync(join(dir, 'mine.txt'), join(dir, 'settings.json.new'));
    expect(await cli(...toClaudeCode)).toMatchObject({ code: 0 });
    expect(readFileSync(join(dir, 'mine.txt'), 'utf8')).toBe('mine');
    expect(readFileSync(join(dir, 'settings.json'), 'utf8')).toContain('run --as claude-code');
  });

  test.each(['codex', 'gemini'])(
    'refuses a file of the project, which a team may share, for %s',
    async (name) => {
      const { cli, dir } = await policed({}, published);
      const path = join(dir, 'project', INSTALLABLE[name]?.settings ?? '');
      expect(await cli('install', '--for', name, '--settings', path)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('belongs to a project, whose team may share it'),
      });
      expect(existsSync(path)).toBe(false);
    },
  );

  test('fails for an unknown agent and lists the known ones', async () => {
    const { cli } = workspace();
    expect(await cli('install', '--for', 'cursor')).toMatchObject({
      code: 1,
      stderr: 'hooks: --for: expected one of: claude-code, codex, gemini\n',
    });
  });
});

test('uninstall says where nothing is installed, and leaves that file or its absence as it is', async () => {
  const { cli, dir } = workspace();
  const path = join(dir, '.claude/settings.json');
  const nothing = { code: 0, stdout: `nothing is installed in ${path}\n` };
  expect(await cli('uninstall', '--for', 'claude-code')).toMatchObject(nothing);
  expect(existsSync(join(dir, '.claude'))).toBe(false);
  mkdirSync(join(dir, '.claude'));
  writeFileSync(path, '{"hooks":{},   "model": "opus"}');
  expect(await cli('uninstall', '--for', 'claude-code')).toMatchObject(nothing);
  expect(readFileSync(path, 'utf8')).toBe('{"hooks":{},   "model": "opus"}');
});

/** Runs the hook before a tool call as Claude Code does in this folder. */
function asClaudeCode(dir: string, env: Readonly<Record<string, string>> = {}) {
  const [{ command }] = readJson(join(dir, '.claude/settings.json')).hooks.PreToolUse.at(-1).hooks;
  return spawnSync('/bin/sh', ['-c', command], {
    cwd: dir,
    env: {
      PATH: '/usr/bin:/bin',
      HOME: dir,
      XDG_CONFIG_HOME: join(dir, '.config'),
      CLAUDE_PROJECT_DIR: dir,
      ...env,
    },
    input: JSON.stringify(INSTALLABLE['claude-code']?.event),
    encoding: 'utf8',
  });
}

describe("install in a project's settings, which a team shares,", () => {
  const forClaude = ['install', '--for', 'claude-code'];
  /** A workspace of a user whose home is elsewhere. */
  const project = async () => {
    const place = workspace({ 'hooks.yaml': refusing }, published, temporaryFolder());
    await place.trust('hooks.yaml', refusing);
    return place;
  };
  const settingsOf = (dir: string) => readFileSync(join(dir, '.claude/settings.json'), 'utf8');

  test('writes no path of this machine', async () => {
    const { cli, dir } = await project();
    expect(await cli(...forClaude, '--warm')).toMatchObject({ code: 0 });
    const text = settingsOf(dir);
    for (const path of [dir, dist, process.execPath, temporaryFolder().replace(/[^/]*$/, '')])
      expect(text).not.toContain(path);
    expect(text).toContain('--file \\"$CLAUDE_PROJECT_DIR\\"/hooks.yaml');
    expect(asClaudeCode(dir)).toMatchObject({ stdout: expect.stringContaining('not here') });
  });

  test('refuses on a machine where it is not installed, and says what to do', async () => {
    const { cli, dir } = await project();
    await cli(...forClaude);
    const elsewhere = asClaudeCode(dir, { XDG_CONFIG_HOME: temporaryFolder() });
    expect(elsewhere).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('run "npx --no-install hooks install --for claude-code" in it'),
    });
  });

  test('refuses in another clone until it is installed there, which changes nothing in the settings', async () => {
    const team = await project();
    const policy = refusing.replace('not here', 'nor there');
    await team.trust("it's second.yaml", policy);
    writeFileSync(join(team.dir, "it's second.yaml"), policy);
    await team.cli(...forClaude, '--file', "it's second.yaml");
    const clone = workspace({}, published, temporaryFolder());
    cpSync(join(team.dir, '.claude'), join(clone.dir, '.claude'), { recursive: true });
    writeFileSync(join(clone.dir, "it's second.yaml"), policy);
    expect(asClaudeCode(clone.dir)).toMatchObject({ status: 2 });
    expect(await clone.cli(...forClaude)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('run "npx --no-install hooks trust'),
    });
    expect(asClaudeCode(clone.dir)).toMatchObject({ status: 2 });
    await clone.trust("it's second.yaml", policy);
    expect(await clone.cli(...forClaude)).toMatchObject({ code: 0, stderr: '' });
    expect(settingsOf(clone.dir)).toBe(settingsOf(team.dir));
    expect(asClaudeCode(clone.dir).stdout).toContain('nor there');
  });

  test.each(['XDG_CONFIG_HOME', 'HOME'])(
    'starts no launcher of the workspace by a relative %s',
    async (name) => {
      const { cli, dir } = await project();
      await cli(...forClaude);
      for (const config of ['mine', 'mine/.config']) {
        const planted = join(dir, config, 'hooks/installed', dir);
        mkdirSync(planted, { recursive: true });
        writeFileSync(join(planted, 'claude-code.sh'), 'exit 0\n');
      }
      const env = { XDG_CONFIG_HOME: '', HOME: temporaryFolder(), [name]: 'mine' };
      expect(asClaudeCode(dir, env)).toMatchObject({ status: 2 });
    },
  );

  test('and uninstall removes what it wrote in the settings and in the home of the user', async () => {
    const { cli, dir } = await project();
    await cli(...forClaude);
    const launchers = join(dir, '.config/hooks/installed', dir);
    expect(readdirSync(launchers)).toEqual(['claude-code.sh']);
    expect(statSync(join(launchers, 'claude-code.sh')).mode & 0o022).toBe(0);
    await cli('uninstall', '--for', 'claude-code');
    expect(readJson(join(dir, '.claude/settings.json'))).toEqual({});
    expect(readdirSync(launchers)).toEqual([]);
  });

  test('and its worker has a name for this project and installation', async () => {
    const { cli, dir } = await project();
    await cli(...forClaude, '--warm');
    const settings = settingsOf(dir);
    await cli(...forClaude);
    expect(settingsOf(dir)).toBe(settings);
    const workers = () => workersIn(join(dir, '.config/hooks/warm', dir));
    expect(asClaudeCode(dir).stdout).toContain('not here');
    await expect
      .poll(workers, { timeout: 20_000 })
      .toEqual([expect.stringMatching(/^claude-code-[0-9a-f]{12}-[0-9a-f]{12}\.sock$/)]);
    expect(asClaudeCode(dir).stdout).toContain('not here');
    writeFileSync(join(dir, 'hooks.yaml'), '');
    asClaudeCode(dir);
    await expect.poll(workers, { timeout: 20_000 }).toEqual([]);
  });

  test('doctor reports that it is not installed on this machine', async () => {
    const { cli, dir } = await project();
    await cli(...forClaude);
    expect(await cli('doctor')).toMatchObject({ code: 0 });
    rmSync(join(dir, '.config/hooks/installed'), { recursive: true });
    expect(await cli('doctor')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('not installed for this folder on this machine'),
    });
  });

  test('validate knows which files the agent runs', async () => {
    const text =
      'hooks: {before_tool_call: [{matcher: pay, hooks: [{type: command, name: mine, command: "true"}]}]}';
    const { cli, dir, trust } = await project();
    writeFileSync(join(dir, 'team.yaml'), text);
    await trust('team.yaml', text);
    await cli(...forClaude, '--file', 'team.yaml');
    expect((await cli('validate', 'team.yaml')).stderr).toContain('matches no tool of Claude Code');
  });
});

describe('the installed command', () => {
  test.each(Object.entries(INSTALLABLE))('refuses a call of %s with a minimal PATH', async (name, agent) => {
    const { cli, dir } = await policed();
    expect(await cli('install', '--for', name, '--settings', 'settings.json')).toMatchObject({ code: 0 });
    expect(asTheAgent(agent, dir)).toMatchObject({ stdout: expect.stringContaining('not here') });
  });

  test.each(Object.entries(INSTALLABLE))(
    'refuses a call of %s if the paths of Node, hooks and the workspace have quotes and spaces',
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

test.each(Object.entries(INSTALLABLE))('install --warm makes a worker answer %s', async (name, agent) => {
  const { cli, dir } = await policed();
  await cli('install', '--for', name, '--settings', 'settings.json', '--warm');
  const workers = () => workersIn(join(dir, '.config/hooks/warm', dir));
  // install tries a cold start, because a worker would keep the environment of the trial.
  expect(workers()).toEqual([]);
  const cold = asTheAgent(agent, dir);
  expect(cold.stdout).toContain('not here');
  await expect
    .poll(workers, { timeout: 20_000 })
    .toEqual([expect.stringMatching(`^${name}-[0-9a-f]{12}.sock$`)]);
  const warm = asTheAgent(agent, dir, '/no/such/node');
  expect({ status: warm.status, stdout: warm.stdout }).toEqual({ status: cold.status, stdout: cold.stdout });
  // A worker whose policy is gone exits at the next request.
  writeFileSync(join(dir, 'hooks.yaml'), '');
  asTheAgent(agent, dir);
  await expect.poll(workers, { timeout: 20_000 }).toEqual([]);
});

function workersIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

describe('install writes nothing if the hook does not respond', () => {
  test.each<[string, Readonly<Record<string, string>>, readonly string[] | undefined, string]>([
    [
      'the file is not trusted',
      { 'hooks.yaml': 'hooks: {}' },
      undefined,
      'run "npx --no-install hooks trust',
    ],
    [
      'Node is missing',
      { 'hooks.yaml': 'hooks: {}' },
      ['/no/such/node', join(import.meta.dirname, '../src/main.ts')],
      'exit code 127',
    ],
    ['hooks is missing', { 'hooks.yaml': 'hooks: {}' }, [process.execPath, '/no/such/hooks.cjs'], 'hook.sh'],
  ])('because %s', async (_, files, self, why) => {
    const { cli, dir } = workspace(files, self ?? published);
    const { code, stderr } = await cli(...toClaudeCode);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(why) });
    expect(stderr).toMatch(
      /^hooks: not installed: started as Claude Code would start it, the hook does not respond: /,
    );
    expect(existsSync(join(dir, 'settings.json'))).toBe(false);
  });
});

test('install without a file of hooks says how to write one', async () => {
  const { cli, dir } = workspace({}, published);
  expect(await cli(...toClaudeCode)).toMatchObject({
    code: 1,
    stderr: `hooks: There is no ${dir}/hooks.yaml; write one with "hooks init", or name the hooks with --file\n`,
  });
  expect(existsSync(join(dir, 'settings.json'))).toBe(false);
});

/** Runs the hook before a tool call, as the settings say. */
function asTheAgent({ shell, event }: (typeof INSTALLABLE)[string], dir: string, node = process.execPath) {
  const { command } = readJson(join(dir, 'settings.json')).hooks[event.hook_event_name][0].hooks[0];
  const [program = '', ...args] = shell(command.replace(process.execPath, node), {});
  const env = { PATH: '/usr/bin:/bin', HOME: dir, XDG_CONFIG_HOME: join(dir, '.config') };
  return spawnSync(program, args, { cwd: dir, env, input: JSON.stringify(event), encoding: 'utf8' });
}

describe('install tells', () => {
  test('that Codex runs only trusted hooks, and how to trust them', async () => {
    const { cli } = await policed();
    const { stdout } = await cli('install', '--for', 'codex');
    expect(stdout).toContain('"codex exec" silently skips others: start "codex", trust them under /hooks');
  });

  test('which matchers match no tool of the agent', async () => {
    const text = `hooks:
  before_tool_call:
    - {matcher: Bash, hooks: [{type: command, name: by a name of Claude Code, command: "true"}]}
    - {matcher: NotebookRead, hooks: [{type: command, name: of Claude Code, command: "true"}]}
    - {matcher: shell|pay, hooks: [{type: command, name: of all, command: "true"}]}
    - {matcher: mcp__bank__pay, hooks: [{type: command, name: of a server, command: "true"}]}
`;
    const { cli, trust } = workspace({ 'hooks.yaml': text }, published);
    await trust('hooks.yaml', text);
    expect((await cli('install', '--for', 'gemini')).stdout.split('\n').slice(1)).toEqual([
      'before_tool_call: NotebookRead (of Claude Code) matches no tool of Gemini CLI',
      '',
    ]);
  });
});

describe('a hook on an event that "hooks run" is not installed for', () => {
  const text = `hooks:
  before_tool_call: [{type: command, command: "true"}]
  subagent_stop: [{type: command, name: mine, command: "true"}]
`;
  const never =
    /subagent_stop: .* never runs "mine", because "hooks install" puts nothing under an event for subagent_stop/;

  test.each(Object.keys(INSTALLABLE))('is said by install, validate and doctor, for %s', async (name) => {
    const { cli, trust } = workspace({ 'hooks.yaml': text }, published);
    await trust('hooks.yaml', text);
    expect((await cli('install', '--for', name)).stdout).toMatch(never);
    expect((await cli('validate')).stderr).toMatch(never);
    expect((await cli('doctor')).stdout).toMatch(never);
  });

  test('is no news where the agent itself runs the file', async () => {
    const hook = { hooks: [{ type: 'command', command: 'true' }] };
    const { cli } = workspace({ 'settings.json': JSON.stringify({ hooks: { SubagentStop: [hook] } }) });
    expect((await cli('validate', 'settings.json')).stderr).not.toContain('never runs');
  });
});

test.each(Object.entries(INSTALLABLE))(
  '%s: each event that install writes is one that "hooks run" handles',
  (name, { events, gates }) => {
    const dialect = DIALECTS[name as keyof typeof DIALECTS];
    for (const event of new Set([...events, ...gates])) {
      const type = dialect.events[event]?.event;
      expect({ event, isHandled: type !== undefined && AGENTS[name]?.events.has(type) }).toEqual({
        event,
        isHandled: true,
      });
    }
  },
);

test('doctor names an event under which somebody put "hooks run", and that no policy handles', async () => {
  const { cli, dir, trust } = workspace({ 'hooks.yaml': 'hooks: {}' }, published);
  await trust('hooks.yaml', 'hooks: {}');
  await cli('install', '--for', 'gemini');
  const path = join(dir, '.gemini/settings.json');
  const { hooks } = readJson(path);
  writeFileSync(path, JSON.stringify({ hooks: { ...hooks, BeforeModel: hooks.BeforeTool } }));
  expect((await cli('doctor')).stdout).toContain(
    "no policy handles Gemini CLI's BeforeModel, so nothing is checked there",
  );
});

describe('validate tells which matchers match no tool', () => {
  const text =
    'hooks: {before_tool_call: [{matcher: pay, hooks: [{type: command, name: mine, command: "true"}]}]}';

  test('of the agents that run the file, and of no others', async () => {
    const { cli, trust } = workspace({ 'hooks.yaml': text }, published);
    await trust('hooks.yaml', text);
    expect((await cli('validate')).stderr).toBe('');
    await cli('install', '--for', 'gemini');
    expect(await cli('validate')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /^note: .*hooks.yaml:1:\d+: before_tool_call: pay \(mine\) matches no tool of Gemini CLI\n$/,
      ),
    });
  });

  test('of Claude Code in its own settings', async () => {
    const { cli } = workspace({
      'settings.json': JSON.stringify({
        hooks: { PreToolUse: [{ matcher: 'bash', hooks: [{ type: 'command', command: 'true' }] }] },
      }),
    });
    const { stderr } = await cli('validate', 'settings.json');
    expect(stderr).toContain('PreToolUse: bash (true) matches no tool of Claude Code\n');
  });
});

/** The setting in Codex's `config.toml`. */
const NO_TYPING = '[features]\nunified_exec_tty = false\n';

describe('doctor', () => {
  test('says what it does not check', async () => {
    const { cli } = await policed();
    await cli('install', '--for', 'claude-code');
    expect(await cli('doctor')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^not checked: what an agent's own command line switches off/m),
    });
  });

  test.each([
    ['claude-code', '.claude/settings.local.json', '{"env": {"WHO": "root"}}'],
    ['gemini', '.env', 'WHO=root'],
  ])('names the variables of the workspace that hooks of %s do not get', async (agent, file, text) => {
    const { dir, cli, in: at } = await policed();
    const project = join(dir, 'project');
    mkdirSync(dirname(join(project, file)), { recursive: true });
    writeFileSync(join(project, file), text);
    writeFileSync(join(project, 'hooks.yaml'), 'hooks: {}\n');
    await cli('trust', join(project, 'hooks.yaml'), '--yes');
    const { cli: inProject } = at(project);
    await inProject('install', '--for', agent);
    const { stdout } = await inProject('doctor');
    expect(stdout).toContain(`${join(project, file)} sets WHO: hooks get no variable that a workspace sets`);
    expect(stdout).not.toContain('root');
  });

  test('repeats no word of workspace settings that are not JSON', async () => {
    const { dir, cli, in: at } = await policed();
    const project = join(dir, 'project');
    mkdirSync(join(project, '.claude'), { recursive: true });
    writeFileSync(join(project, '.claude/settings.local.json'), '{"env": {"WHO": "root"},}');
    const { cli: inProject } = at(project);
    writeFileSync(join(project, 'hooks.yaml'), 'hooks: {}\n');
    await cli('trust', join(project, 'hooks.yaml'), '--yes');
    await inProject('install', '--for', 'claude-code');
    const { stdout, stderr } = await inProject('doctor');
    expect(stdout).toContain('settings.local.json cannot be read');
    expect(stdout + stderr).not.toMatch(/sets|root/);
  });

  test('runs the installed hooks and reports that they respond', async () => {
    const { cli, dir } = await policed();
    await cli('install', '--for', 'gemini');
    expect(await cli('doctor')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(
        `gemini runs its hooks, and they respond: ${dir}/.gemini/settings.json\n`,
      ),
    });
  });

  test.each([
    [
      'hooks run --as claude-code --file hooks.yaml',
      'the hook does not respond: it ended with exit code 127',
    ],
    [
      '/bin/sh /no/such/hook.sh gate node hooks run --as claude-code || exit 2',
      'the hook does not respond: ',
    ],
  ])('reports a hook that does not respond: %s', async (command, problem) => {
    const settings = { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command }] }] } };
    const { cli, dir } = await policed();
    mkdirSync(join(dir, '.claude'));
    writeFileSync(join(dir, '.claude/settings.json'), JSON.stringify(settings));
    const { code, stdout } = await cli('doctor');
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining(problem) });
    expect(stdout).toContain(
      'there is no hook on PostToolUse, PostToolUseFailure, UserPromptSubmit; run "npx --no-install hooks install" again',
    );
  });

  test.each([
    ['claude-code', '.claude/settings.local.json', '{"disableAllHooks": true}', 'disableAllHooks: true'],
    ['codex', '.codex/config.toml', '[features]\nhooks = false\n', 'features.hooks: false'],
    ['gemini', '.gemini/settings.json', '{"hooksConfig": {"enabled": false}}', 'hooksConfig.enabled: false'],
  ])('reports that %s runs no hooks because of %s', async (agent, file, text, problem) => {
    const { cli, dir } = await policed();
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), text);
    await cli('install', '--for', agent);
    expect(await cli('doctor')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`${join(dir, file)} has ${problem}, so no hook runs`),
    });
  });

  test('reports hooks that Codex skips until their current version is trusted', async () => {
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
      stdout: expect.stringContaining(`codex runs its hooks, and they respond: ${hooks}\n`),
    });
    const changed = readJson(hooks);
    changed.hooks.PreToolUse[0].hooks[0].timeout = 5;
    writeFileSync(hooks, JSON.stringify(changed));
    expect((await cli('doctor')).stdout).toContain(
      'Codex skips its hooks on PreToolUse, because you have not trusted them',
    );
  });
});

describe('doctor reports an installed hook that somebody has changed:', () => {
  const changed = async (of: string, fields: object) => {
    const place = await projectWith('claude-code');
    const path = place.at('PROJECT/.claude/settings.json');
    const settings = JSON.parse(readFileSync(path, 'utf8'));
    const [group] = settings.hooks.PreToolUse;
    Object.assign(of === 'group' ? group : group.hooks[0], fields);
    writeFileSync(path, JSON.stringify(settings));
    return place.cli('doctor');
  };

  test.each(
    sampled(
      [
        ['matcher', 'group', 'Read'],
        ['if', 'hook', 'Bash(git *)'],
        ['async', 'hook', true],
        ['type', 'hook', 'prompt'],
        // After which Claude Code runs the tool.
        ['timeout', 'hook', 1],
        ['onFailure', 'hook', 'allow'],
        ['shell', 'hook', 'powershell'],
        ['a field of a later version', 'hook', ['x']],
      ],
      4,
      0,
    ),
  )('%s of the %s', async (field, of, value) => {
    const { code, stdout } = await changed(of, { [field]: value });
    expect(code).toBe(1);
    expect(stdout).toContain(`the hook on PreToolUse has "${field}": ${JSON.stringify(value)}`);
    expect(stdout).not.toContain('claude-code runs its hooks');
  });

  test.each(['timeout', 'onFailure'])('without its %s', async (field) => {
    const { code, stdout } = await changed('hook', { [field]: undefined });
    expect(code).toBe(1);
    expect(stdout).toContain(`the hook on PreToolUse has no "${field}"`);
  });

  test('but not one with more time, and a message for people', async () => {
    const { code } = await changed('hook', { timeout: 900, statusMessage: 'asking', async: false });
    expect(code).toBe(0);
  });
});

/** Files by their paths in the home of a user and in a project. */
type Files = Readonly<Record<string, string>>;

/** A project of a user whose home is elsewhere, with a policy that is installed for this agent. */
async function projectWith(agent: string, files: Files = {}, options: readonly string[] = []) {
  const home = temporaryFolder();
  const place = workspace({ 'hooks.yaml': refusing }, published, home);
  await place.trust('hooks.yaml', refusing);
  const settings = options.map((word) => word.replace('~', home));
  expect(await place.cli('install', '--for', agent, ...settings)).toMatchObject({ code: 0 });
  const at = (path: string) => path.replace('~', home).replace('PROJECT', place.dir);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text.replaceAll('PROJECT', place.dir));
  }
  return { ...place, home, at };
}

describe('doctor reads each settings file that an agent reads:', () => {
  const disabled = '{"disableAllHooks": true}';
  const enabled = '{"disableAllHooks": false}';
  const local = 'PROJECT/.claude/settings.local.json';
  const off = '[features]\nhooks = false\n';
  const trust = '[projects."PROJECT"]\ntrust_level = "trusted"\n';

  test.each(
    sampled<[agent: string, files: Files, problem: string | undefined]>(
      [
        [
          'claude-code',
          { '~/.claude/settings.json': disabled },
          '~/.claude/settings.json has disableAllHooks: true',
        ],
        ['claude-code', { '~/.claude/settings.json': disabled, [local]: enabled }, undefined],
        [
          'claude-code',
          { '~/.claude/settings.json': enabled, [local]: disabled },
          `${local} has disableAllHooks: true`,
        ],
        [
          'claude-code',
          {
            '~/.claude/remote-settings.json': '{"allowManagedHooksOnly": true}',
            [local]: '{"allowManagedHooksOnly": false}',
          },
          '~/.claude/remote-settings.json has allowManagedHooksOnly: true',
        ],
        [
          'claude-code',
          { '~/.claude/remote-settings.json': '{"strictPluginOnlyCustomization": ["hooks"]}' },
          'strictPluginOnlyCustomization: ["hooks"]',
        ],
        ['claude-code', { [local]: '{"allowManagedHooksOnly": true}' }, undefined],
        ['claude-code', { [local]: '{ // mine\n}' }, `${local} cannot be read`],
        [
          'codex',
          { 'PROJECT/.codex/config.toml': off, '~/.codex/config.toml': trust },
          'PROJECT/.codex/config.toml has features.hooks: false',
        ],
        ['codex', { 'PROJECT/.codex/config.toml': off }, undefined],
        [
          'codex',
          {
            'PROJECT/.codex/config.toml': '[features]\nhooks = true\n',
            '~/.codex/config.toml': `${off}${trust}`,
          },
          undefined,
        ],
        [
          'gemini',
          { 'PROJECT/.gemini/settings.json': '{"hooksConfig": {"enabled": false}}' },
          'PROJECT/.gemini/settings.json has hooksConfig.enabled: false',
        ],
        [
          'gemini',
          { '~/.gemini/trustedFolders.json': '{"PROJECT": "DO_NOT_TRUST"}' },
          'you do not trust PROJECT in Gemini CLI',
        ],
        ['gemini', { '~/.gemini/trustedFolders.json': '{"PROJECT/x": "TRUST_PARENT"}' }, undefined],
        // It takes any value for true or false.
        [
          'gemini',
          { 'PROJECT/.gemini/settings.json': '{"hooksConfig": {"enabled": 0}}' },
          'PROJECT/.gemini/settings.json has hooksConfig.enabled: 0',
        ],
        ['gemini', { 'PROJECT/.gemini/settings.json': '{"hooksConfig": {"enabled": null}}' }, undefined],
      ],
      4,
      1,
    ),
  )('%s with %j', async (agent, files, problem) => {
    const { cli, at } = await projectWith(agent, files);
    const { stdout } = await cli('doctor');
    if (problem !== undefined) expect(stdout).toContain(`${agent} is OPEN`);
    const switchedOff = / has [\w.]+: .*, so no hook runs|you do not trust|cannot be read/;
    if (problem === undefined) expect(stdout).not.toMatch(switchedOff);
    else expect(stdout).toContain(at(problem));
  });

  test('Gemini CLI with a hook that a list switches off', async () => {
    const { cli, home, at } = await projectWith('gemini');
    const [{ command }] = readJson(join(home, '.gemini/settings.json')).hooks.BeforeTool[0].hooks;
    mkdirSync(at('PROJECT/.gemini'));
    const settings = { hooksConfig: { disabled: [command] } };
    writeFileSync(at('PROJECT/.gemini/settings.json'), JSON.stringify(settings));
    expect(await cli('doctor')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(
        'has the hook in hooksConfig.disabled, so it does not run on BeforeTool',
      ),
    });
  });

  test('Gemini CLI with a hook that a list switches off by the name that somebody gave it', async () => {
    const { cli, home } = await projectWith('gemini');
    const path = join(home, '.gemini/settings.json');
    const settings = readJson(path);
    settings.hooks.BeforeTool[0].hooks[0].name = 'policy';
    writeFileSync(path, JSON.stringify({ ...settings, hooksConfig: { disabled: ['policy'] } }));
    expect(await cli('doctor')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`${path} has the hook in hooksConfig.disabled`),
    });
  });

  test("Gemini CLI with an administrator's file that makes it ask for trust", async () => {
    const { cli, home, at } = await projectWith('gemini', {
      '~/.gemini/trustedFolders.json': '{"PROJECT": "DO_NOT_TRUST"}',
      '~/system.json': '{"security": {"folderTrust": {"enabled": true}}}',
    });
    const path = join(home, '.gemini/settings.json');
    const own = { security: { folderTrust: { enabled: false } } };
    writeFileSync(path, JSON.stringify({ ...readJson(path), ...own }));
    expect(await cli('doctor')).toMatchObject({ code: 0 });
    vi.stubEnv('GEMINI_CLI_SYSTEM_SETTINGS_PATH', join(home, 'system.json'));
    expect((await cli('doctor')).stdout).toContain(at('you do not trust PROJECT in Gemini CLI'));
  });

  test("Claude Code in the user's home, where the project's settings are the user's", async () => {
    const place = await projectWith('claude-code', {}, ['--settings', '~/.claude/settings.json']);
    const { home } = place;
    const path = join(home, '.claude/settings.json');
    writeFileSync(path, JSON.stringify({ ...readJson(path), env: { CLAUDE_CODE_SIMPLE: '1' } }));
    expect((await place.in(home).cli('doctor')).stdout).toContain('sets CLAUDE_CODE_SIMPLE, so no hook runs');
  });

  test.each(['CLAUDE_CODE_SIMPLE', 'CLAUDE_CODE_SAFE_MODE'])('Claude Code with %s', async (name) => {
    const { cli } = await projectWith('claude-code');
    vi.stubEnv(name, '1');
    expect(await cli('doctor')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`${name} is set, so no hook runs`),
    });
  });

  test.each(['CLAUDE_CODE_SIMPLE', 'CLAUDE_CODE_SAFE_MODE'])(
    "Claude Code with %s in the user's settings",
    async (name) => {
      const { cli, home } = await projectWith('claude-code');
      const path = join(home, '.claude/settings.json');
      const settings = existsSync(path) ? readJson(path) : {};
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, JSON.stringify({ ...settings, env: { [name]: '1' } }));
      expect(await cli('doctor')).toMatchObject({
        code: 1,
        stdout: expect.stringContaining(`sets ${name}, so no hook runs`),
      });
    },
  );

  test('Claude Code with hooks in its local settings', async () => {
    const { cli, dir } = await projectWith('claude-code', {}, ['--settings', '.claude/settings.local.json']);
    expect(await cli('doctor')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`they respond: ${dir}/.claude/settings.local.json`),
    });
  });

  test('Claude Code with a plugin that has hooks', async () => {
    const { cli, at } = await projectWith('claude-code', {
      '~/.claude/settings.json': '{"enabledPlugins": {"tidy@shop": true, "idle@shop": false}}',
      '~/.claude/plugins/installed_plugins.json': JSON.stringify({
        plugins: Object.fromEntries(
          ['tidy', 'idle'].map((name) => [`${name}@shop`, [{ installPath: `PROJECT/${name}` }]]),
        ),
      }),
      'PROJECT/tidy/hooks/hooks.json': '{"hooks": {"PreToolUse": [], "Stop": []}}',
      'PROJECT/idle/hooks/hooks.json': '{"hooks": {"PreToolUse": []}}',
    });
    const { stdout } = await cli('doctor');
    expect(stdout).toContain(
      `claude-code: the plugin tidy@shop has hooks on PreToolUse, too, which may change a call after this policy has seen it: ${at('PROJECT/tidy/hooks/hooks.json')}`,
    );
    expect(stdout).not.toContain('idle@shop');
  });

  test.each([
    ['2.1.332', /^claude-code: version 2\.1\.332$/m],
    ['2.1.100', /version 2\.1\.100 has no PreSkillShellCommand \(from 2\.1\.332 on\)/],
  ])('Claude Code of version %s', async (version, note) => {
    const { cli, home } = await projectWith('claude-code');
    writeFileSync(join(home, 'claude'), `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
    vi.stubEnv('PATH', `${home}:${process.env['PATH']}`);
    expect((await cli('doctor')).stdout).toMatch(note);
  });
});

describe('doctor asks an agent which settings it loads, and', () => {
  /** A project whose agent is this script. */
  const withAgent = async (agent: 'claude-code' | 'codex', script: string, files: Files = {}) => {
    const place = await projectWith(agent, agent === 'codex' ? { '~/.codex/config.toml': NO_TYPING } : {});
    for (const [path, text] of Object.entries(files)) {
      const settings = { ...JSON.parse(readFileSync(place.at(path), 'utf8')), ...JSON.parse(text) };
      writeFileSync(place.at(path), JSON.stringify(settings));
    }
    const programs = temporaryFolder();
    const program = join(programs, agent === 'codex' ? 'codex' : 'claude');
    writeFileSync(program, `#!/bin/sh\n${place.at(script)}`, { mode: 0o755 });
    vi.stubEnv('PATH', `${programs}:${process.env['PATH']}`);
    vi.stubEnv('CODEX_HOME', undefined);
    return place.cli('doctor');
  };
  /** Reports the fault of the settings in the arguments, and this line. */
  const claude = (line: string): string =>
    `printf '%s\\n' 'Claude Code doctor' '' 'Invalid settings' "- /tmp/settings.json › $2" '${line}' '' 'No issues.'`;
  const settings = 'PROJECT/.claude/settings.json';
  const unknown = 'Claude Code did not say which of its settings files it loads';

  test.each(
    sampled(
      [
        ['prints nothing', 'exit 0'],
        ['fails', 'exit 1'],
        [
          'says it in other words',
          "printf '%s\\n' 'Claude Code doctor' '' 'Faulty files' '- settings.json' ''",
        ],
        ['knows no faults', "printf '%s\\n' 'Claude Code doctor' '' 'No issues.'"],
        ['does not know the option', 'test "$1" = doctor || exit 1; echo Claude Code doctor'],
      ],
      3,
      2,
    ),
  )('does not take it for an answer if it %s', async (_, script) => {
    expect((await withAgent('claude-code', script)).stdout).toContain(unknown);
  });

  test.each([
    [`- ${settings} › env: Expected object`, {}, 'Claude Code skips the file'],
    [`- ${settings} › x: Invalid entry was ignored`, {}, undefined],
    [`- /other/settings.json › env: Expected object`, {}, undefined],
    // The file says it itself.
    [
      `- ${settings} › enabledPlugins.x was ignored: Invalid input`,
      { enabledPlugins: { 'x was ignored': {} } },
      'Claude Code skips the file',
    ],
  ])('understands %s', async (line, fields, problem) => {
    const { code, stdout } = await withAgent('claude-code', claude(line), {
      [settings]: JSON.stringify(fields),
    });
    expect(stdout).not.toContain(unknown);
    expect({ code, stdout }).toMatchObject(
      problem === undefined ? { code: 0 } : { code: 1, stdout: expect.stringContaining(problem) },
    );
  });

  const ofCodex = 'Codex did not say which of its settings files it loads';
  /** Answers with the installed hooks, changed by an expression. */
  const codex = (change: string): string => `exec '${process.execPath}' -e '
    const sourcePath = "~/.codex/hooks.json";
    const { hooks } = JSON.parse(require("fs").readFileSync(sourcePath));
    const all = Object.entries(hooks).map(([name, [{ hooks: [{ command }] }]]) =>
      ({ sourcePath, command, enabled: true, eventName: name[0].toLowerCase() + name.slice(1) }));
    const changed = all.map(${change}).filter(Boolean);
    console.log(JSON.stringify({ id: 1 }) + "\\n" + JSON.stringify({ id: 2, result: { data: [{ hooks: changed, warnings: [] }] } }));
  '`;

  test.each([
    ['(hook) => hook', false],
    ['(hook) => hook.eventName !== "preToolUse" && hook', true],
    ['(hook) => ({ ...hook, enabled: hook.eventName !== "preToolUse" })', true],
    ['(hook) => ({ ...hook, sourcePath: "/other/hooks.json" })', true],
  ])('compares each hook of Codex with its own: %s', async (change, isMissing) => {
    const { stdout } = await withAgent('codex', codex(change));
    expect(stdout).not.toContain(ofCodex);
    expect(stdout.includes('Codex does not load its hooks')).toBe(isMissing);
  });

  test.each([
    ['prints no JSON', 'echo hello'],
    ['ends', 'exit 0'],
    [
      'closes its output and ignores the end',
      "test $1 = app-server || exit 1; trap '' TERM; exec >&-; exec sleep 3",
    ],
    ['knows no hooks', `echo '{"id":1}'; echo '{"id":2,"error":{"code":-32600}}'`],
  ])('does not take it for an answer if Codex %s', async (_, script) => {
    expect((await withAgent('codex', script)).stdout).toContain(ofCodex);
  });
});

describe('doctor says where Claude Code skips the settings of a project:', () => {
  const git = (dir: string, ...args: readonly string[]) => {
    const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
    expect(spawnSync('git', [...author, ...args], { cwd: dir }).status).toBe(0);
  };

  test('in a subfolder', async () => {
    const { cli, dir, at, cliIn } = await inFolders();
    expect((await cli('doctor')).stdout).toContain(
      `claude-code: started in a subfolder of ${dir}, Claude Code skips the settings of this project`,
    );
    mkdirSync(at('PROJECT/sub'));
    expect(await cliIn(at('PROJECT/sub'), 'doctor')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(
        `claude-code is OPEN: ${dir}/.claude/settings.json: started in ${dir}/sub, a subfolder, Claude Code skips these settings; start it in ${dir}. `,
      ),
    });
  });

  test('in a worktree without them', async () => {
    const { dir, cliIn } = await inFolders();
    git(dir, 'init', '--quiet');
    git(dir, 'commit', '--quiet', '--allow-empty', '-m', 'a');
    const worktree = join(temporaryFolder(), 'worktree');
    git(dir, 'worktree', 'add', '--quiet', worktree);
    expect(await cliIn(worktree, 'doctor')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(
        `claude-code is OPEN: ${dir}/.claude/settings.json: ${worktree} is a worktree, in which Claude Code skips these settings of the main checkout`,
      ),
    });
  });

  test("and where the local settings of the main checkout, or the user's own, apply", async () => {
    for (const settings of ['.claude/settings.local.json', '~/.claude/settings.json']) {
      const { dir, cliIn } = await inFolders('--settings', settings);
      git(dir, 'init', '--quiet');
      mkdirSync(join(dir, 'sub'));
      expect(await cliIn(join(dir, 'sub'), 'doctor')).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('claude-code runs its hooks, and they respond'),
      });
    }
  });

  /** The same project, and command lines in other folders of its user. */
  async function inFolders(...options: readonly string[]) {
    const place = await projectWith('claude-code', {}, options);
    return { ...place, cliIn: (dir: string, ...args: string[]) => place.in(dir).cli(...args) };
  }
});

test.each(['', '[features]\n', '[features]\nunified_exec_tty = true\n'])(
  'doctor warns that Codex runs no hook for input that a model types if config.toml is %j',
  async (features) => {
    const { cli, dir } = await policed();
    await cli('install', '--for', 'codex');
    const hooks = join(dir, '.codex/hooks.json');
    writeFileSync(join(dir, '.codex/config.toml'), `${features}${trustOfCodex(hooks)}`);
    expect(await cli('doctor')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(
        `codex is OPEN: ${hooks}: Codex runs no hook for input that the model types into a running command: set \`unified_exec_tty = false\``,
      ),
    });
  },
);

test('doctor reads the trust decisions in the format of Codex 0.169.0', async () => {
  const dir = temporaryFolder();
  const path = join(dir, 'hooks.json');
  const command = '/bin/sh /x/hook.sh gate node hooks.cjs run --as codex || exit 2';
  const settings = { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command, timeout: 600 }] }] } };
  writeFileSync(path, JSON.stringify(settings));
  expect(await untrustedByCodex(path, settings)).toEqual(['PreToolUse']);
  // From `hooks/list` of Codex's app server.
  const hash = 'sha256:de294bf9675e96070bc68b9912a09cd23fad0780076c38bacfd7d168cbdeeebe';
  writeFileSync(
    join(dir, 'config.toml'),
    `[hooks.state."${path}:pre_tool_use:0:0"]\ntrusted_hash = "${hash}"\n`,
  );
  expect(await untrustedByCodex(path, settings)).toEqual([]);
});
