import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { readJournal } from '@hooks/journal';
import { sqliteStore } from '@hooks/store/sqlite';
import { afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { bundle } from '../scripts/bundle.ts';
import { workspace } from './program.ts';

/** What stands beside `hooks:` in a file, under each command. */

afterEach(() => {
  vi.unstubAllEnvs();
});

const bin = fileURLToPath(new URL('../.turbo/parts', import.meta.url));
beforeAll(() => bundle(bin));

const common = { session_id: 's1', transcript_path: '', cwd: '/', permission_mode: 'default' };
const calls = (command: string) => ({
  ...common,
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_use_id: 'c1',
  tool_input: { command },
});

/** Runs the published `hooks run` as a process. */
async function published(policy: string, env: Readonly<Record<string, string>>) {
  const { dir, trust } = workspace({ 'hooks.yaml': policy });
  await trust('hooks.yaml', policy);
  const run = (event: object, cwd = dir) => {
    const args = [join(bin, 'hooks.cjs'), 'run', '--as', 'claude-code', '--file', join(dir, 'hooks.yaml')];
    const { status, stderr, stdout } = spawnSync(process.execPath, args, {
      cwd,
      env: { ...process.env, XDG_CONFIG_HOME: join(dir, '.config'), ...env },
      input: JSON.stringify(event),
      encoding: 'utf8',
    });
    return { status, stderr, stdout };
  };
  return { dir, run };
}

const whoCalls =
  'principal: { id_env: WHO }\nhooks:\n  before_tool_call:\n    - { type: builtin, command: require_principal }\n';

test('`hooks run`: `principal:` is the user of its environment; without one, the call is refused', async () => {
  const known = await published(whoCalls, { WHO: 'ann' });
  expect(known.run(calls('ls'))).toMatchObject({ status: 0 });
  const nobody = await published(whoCalls, {});
  expect(nobody.run(calls('ls'))).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('nobody says who the user is'),
  });
});

test.each([
  ['.claude/settings.json', { env: { WHO: 'root' } }, 2],
  ['.claude/settings.local.json', { env: { WHO: 'root' } }, 2],
  ['.claude/settings.json', { env: { OTHER: 'root' } }, 0],
  ['.claude/settings.json', {}, 0],
])(
  '`hooks run`: a workspace whose %s has %j does not say who the user is',
  async (file, settings, status) => {
    const { dir, run } = await published(whoCalls, { WHO: 'root' });
    mkdirSync(join(dir, '.claude'));
    mkdirSync(join(dir, 'inner'));
    writeFileSync(join(dir, file), JSON.stringify(settings));
    for (const [cwd, project] of [
      [dir, '/'],
      [join(dir, 'inner'), '/'],
      ['/', dir],
    ] as const) {
      const ran = run({ ...calls('ls'), cwd: project }, cwd);
      expect(ran.status).toBe(status);
      if (status === 2) expect(ran.stderr).toContain(`${file} sets WHO`);
    }
  },
);

test('`hooks run`: a policy with `principal:` starts no warm worker, whose environment may be that of another user', async () => {
  const { asHook, trust, dir } = workspace({ 'hooks.yaml': whoCalls });
  await trust('hooks.yaml', whoCalls);
  const { runAsHook } = await import('../src/commands/run.ts');
  const run = (env: Readonly<Record<string, string>>) =>
    runAsHook(['--as', 'claude-code', '--file', 'hooks.yaml', '--warm', 'socket'], {
      readStdin: async () => JSON.stringify(calls('ls')),
      stdout: { write: () => {} },
      stderr: { write: () => {} },
      env,
      self: [],
      cwd: () => dir,
    });
  expect(await run({ WHO: 'ann' })).toMatchObject({ cold: true });
  const plain = 'hooks: {}\n';
  writeFileSync(join(dir, 'hooks.yaml'), plain);
  await trust('hooks.yaml', plain);
  expect(await run({})).not.toHaveProperty('cold');
  expect((await asHook(calls('ls'), '--as', 'claude-code', '--file', 'hooks.yaml')).code).toBe(0);
});

test.each(['sink: log', 'store: log.db'])(
  '`hooks run`: `journal: { %s }` has the calls of all its processes',
  async (target) => {
    const { dir, run } = await published(`journal: { ${target}, required: true, keep_days: 30 }\n`, {});
    for (const command of ['one', 'two'])
      expect(run({ ...calls(command), tool_use_id: command })).toMatchObject({ status: 0, stderr: '' });
    const source = target === 'sink: log' ? join(dir, 'log') : sqliteStore(join(dir, 'log.db'));
    const found = new Set<unknown>();
    for await (const { record } of readJournal(source)) found.add(record.tool?.callId);
    expect([...found]).toEqual(expect.arrayContaining(['one', 'two']));
  },
);

test('`hooks run`: stores and journals are beside the file, wherever the agent has gone with `cd`', async () => {
  const { dir, run } = await published(
    `journal: { sink: log, required: true }
flow: { sinks: { Write: untouched }, otherwise: deny, store: flow.db }
hooks:
  before_tool_call:
    - { type: builtin, command: limits, args: { per_session: { tool_calls: 1 }, store: limits.db } }
`,
    {},
  );
  const elsewhere = join(dir, 'elsewhere');
  mkdirSync(elsewhere);
  expect(run(calls('ls'))).toMatchObject({ status: 0 });
  expect(run({ ...calls('pwd'), tool_use_id: 'c2' }, elsewhere)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('limit of 1 tool calls'),
  });
  expect(readdirSync(elsewhere)).toEqual([]);
});

test('`hooks run`: a call that belongs into a sandbox is refused, because the agent cannot run it there', async () => {
  const { run } = await published('sandbox: { tools: shell }\n', {});
  expect(run(calls('echo hello'))).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('which Claude Code cannot carry out'),
  });
});

test('`hooks run`: a value cannot be revealed in an agent that takes no second input, so the call is refused', async () => {
  const hook =
    '{ type: builtin, command: pii, args: { reveal: { Bash: [command] }, store: v.db, hash_key_env: KEY } }';
  const { run } = await published(
    `hooks:\n  transform_tool_result: [${hook}]\n  before_tool_call: [${hook}]\n`,
    { KEY: 'k' },
  );
  const found = run({
    ...calls('cat'),
    hook_event_name: 'PostToolUse',
    tool_response: { stdout: 'ann@acme.test', stderr: '', interrupted: false, isImage: false },
  });
  const [placeholder = ''] = /\[REDACTED:email#[\da-f]+\]/.exec(found.stdout) ?? [];
  expect(placeholder).not.toBe('');
  const { status, stdout } = run(calls(`mail ${placeholder}`));
  expect([status, stdout]).toEqual([2, expect.not.stringContaining('ann@acme')]);
});

const server = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const tools = ['shell', 'read'].map((name) => ({ name, inputSchema: { type: 'object' } }));
  const result = method === 'tools/list' ? { tools } : { content: [{ type: 'text', text: 'on the server' }] };
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});`;

test('`hooks mcp`: the user, the sandbox and the journal of the file count', async () => {
  const policy = `${whoCalls}sandbox: { tools: shell }\njournal: { sink: log, required: true }\n`;
  const { dir, trust } = workspace({ 'hooks.yaml': policy, 'server.cjs': server });
  await trust('hooks.yaml', policy);
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const start = (env: Readonly<Record<string, string>>) => {
    const args = ['mcp', '--policy', 'hooks.yaml', '--', process.execPath, 'server.cjs'];
    const child = spawn(process.execPath, ['--conditions=@hooks/source', main, ...args], {
      cwd: dir,
      env: { ...process.env, XDG_CONFIG_HOME: join(dir, '.config'), ...env },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return async (name: string, input: object): Promise<string> => {
      const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
      child.stdin.write(`${JSON.stringify(request)}\n`);
      return String((await lines.next()).value);
    };
  };
  const ann = start({ WHO: 'ann' });
  expect(await ann('read', {})).toContain('on the server');
  expect(await ann('shell', { command: 'echo inside' })).toContain('inside');
  expect(await start({})('read', {})).toContain('nobody says who the user is');
  const tools = new Set<string>();
  for await (const { record } of readJournal(join(dir, 'log'))) if (record.tool) tools.add(record.tool.name);
  expect([...tools]).toEqual(['read', 'shell']);
});

const all = `principal: { id_env: WHO }
journal: { sink: log, required: true }
telemetry:
sandbox: { tools: shell }
hooks:
  before_tool_call:
    - { type: builtin, command: require_principal }
`;

test('`hooks validate`, `list` and `migrate` know the parts of a file', async () => {
  const { cli, dir } = workspace({ 'hooks.yaml': all });
  const { code, stdout, stderr } = await cli('validate', 'hooks.yaml');
  expect(code).toBe(0);
  expect(stdout).toMatch(/session_start +\* +part +principal +is passed over/);
  expect(stdout).toMatch(/before_tool_call +\* +part +journal +blocks/);
  expect(stdout).toMatch(/session_end +\* +part +telemetry +is passed over/);
  expect(stdout).toMatch(/before_tool_call +shell +part +sandbox +blocks/);
  expect(stderr).toContain('WHO is not set here');
  expect((await cli('list', 'hooks.yaml')).stdout).toMatch(/journal +hooks\.yaml:2|journal .*:2/);
  const migrated = (await cli('config', 'migrate', 'hooks.yaml')).stdout;
  writeFileSync(join(dir, 'migrated.yaml'), migrated);
  expect(migrated).toContain('id_env: WHO');
  expect(await cli('validate', 'migrated.yaml')).toMatchObject({ code: 0, stdout });
});

test('`hooks explain` and `hooks test` have the user of the environment, and record nothing', async () => {
  const event = { hook_event_name: 'before_tool_call', tool_name: 'shell', tool_input: { command: 'ls' } };
  const { cli, trust, dir } = workspace({
    'hooks.yaml': all,
    'event.json': JSON.stringify({ ...event, session_id: 's' }),
    'cases.yaml': JSON.stringify([{ name: 'runs elsewhere', event, expect: 'modify' }]),
  });
  await trust('hooks.yaml', all);
  const explained = await cli('explain', 'event.json', '--file', 'hooks.yaml');
  expect(explained.stdout).toMatch(/require_principal +builtin +block/);
  vi.stubEnv('WHO', 'ann');
  const known = await cli('explain', 'event.json', '--file', 'hooks.yaml');
  expect(known.stdout).toMatch(/sandbox +part +modify execute/);
  expect(known.stdout).toMatch(/require_principal +builtin +proceed/);
  expect(await cli('test', 'cases.yaml', '--file', 'hooks.yaml')).toMatchObject({ code: 0 });
  expect(existsSync(join(dir, 'log'))).toBe(false);
});

test('`hooks replay` does not write to the journal of the policy', async () => {
  const { cli, trust, dir } = workspace({ 'hooks.yaml': all });
  await trust('hooks.yaml', all);
  const { createHooks } = await import('@hooks/core');
  const { testAgent } = await import('@hooks/core/testing');
  const { journal } = await import('@hooks/journal');
  const hooks = createHooks();
  const log = journal({ sink: join(dir, '.hooks/journal') });
  hooks.use(log);
  await testAgent(hooks).callTool('read', {});
  await log.close();
  expect((await cli('replay', '--policy', 'hooks.yaml')).stdout).toContain('1 tightened');
  expect(existsSync(join(dir, 'log'))).toBe(false);
});
