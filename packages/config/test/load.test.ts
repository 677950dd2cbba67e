import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createHooks, type HookProvider } from '@hooks/core';
import { concerns } from '@hooks/core/adapter';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { loadHooks, TrustStore } from '../src/index.ts';
import { harness } from './harness.ts';

const refusing = (reason: string) =>
  `hooks:\n  before_tool_call:\n    - {type: command, command: "echo ${reason} >&2; exit 2"}\n`;

const command = './check.sh';
const TEXTS: Readonly<Record<string, string>> = {
  'hooks.yaml': `hooks: {before_tool_call: [{type: command, command: ${command}}]}`,
  '.claude/settings.json': JSON.stringify({
    hooks: { PreToolUse: [{ matcher: '', hooks: [{ type: 'command', command }] }] },
  }),
  '.cursor/hooks.json': JSON.stringify({ version: 1, hooks: { preToolUse: [{ command }] } }),
  '.github/hooks/all.json': JSON.stringify({
    version: 1,
    hooks: { preToolUse: [{ type: 'command', bash: command }] },
  }),
};

function directory(files: Record<string, string>): string {
  const dir = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  return dir;
}

describe('loadHooks', () => {
  test('finds hooks.yaml, hooks.yml or hooks.json in a directory', async () => {
    const json = {
      hooks: { before_tool_call: [{ type: 'command', command: 'echo hooks.json >&2; exit 2' }] },
    };
    const files = {
      'hooks.yaml': refusing('hooks.yaml'),
      'hooks.yml': refusing('hooks.yml'),
      'hooks.json': JSON.stringify(json),
    };
    for (const [name, text] of Object.entries(files)) {
      const { call } = await harness('.', { cwd: directory({ [name]: text }) });
      expect(await call('shell', {})).toMatchObject({ reason: name });
    }
  });

  test.each([
    ['nowhere.yaml', 'does not exist; expected a file of hooks or its directory'],
    ['.', 'has no hooks; expected one of:'],
  ])('loading %s fails with the reason', async (source, message) => {
    await expect(loadHooks(source, { cwd: directory({}), trust: true })).rejects.toThrow(message);
  });

  test.each([
    ['hooks.yaml', 'hooks.yaml', {}],
    ['.claude/settings.json', '.', { dialect: 'claude-code' as const }],
    ['.cursor/hooks.json', '.', { dialect: 'cursor' as const }],
    ['.github/hooks/all.json', '.', { dialect: 'copilot' as const }],
  ])(
    "a relative command of %s is the policy's own, not one of the folder that the model is in",
    async (file, source, more) => {
      const dir = temporaryFolder();
      const script = (reason: string) => `#!/bin/sh\necho ${reason} >&2\nexit 2\n`;
      mkdirSync(join(dir, 'sub'));
      for (const [path, reason] of [
        ['check.sh', 'the policy'],
        ['sub/check.sh', 'the model'],
      ] as const)
        writeFileSync(join(dir, path), script(reason), { mode: 0o755 });
      mkdirSync(dirname(join(dir, file)), { recursive: true });
      writeFileSync(join(dir, file), TEXTS[file] ?? '');
      const cwd = join(dir, 'sub');
      const { call } = await harness(join(dir, source), { cwd, ...more });
      expect(await call('shell', { command: 'ls' })).toMatchObject({
        reason: expect.stringContaining('the policy'),
      });
    },
  );

  test('two files in one registry do not affect each other', async () => {
    const dir = directory({ 'a.yaml': refusing('a'), 'b.yaml': refusing('b') });
    const hooks = createHooks();
    for (const name of ['a.yaml', 'b.yaml']) hooks.use(await loadHooks(name, { cwd: dir, trust: true }));
    expect(hooks.list().map(({ id }) => id)).toContain('b.yaml/before_tool_call');
  });

  test('the same built-in runs once for each list of arguments', async () => {
    const builtin = (allow: string) => ({
      type: 'builtin',
      command: 'sensitive_paths',
      args: { allow: [allow] },
    });
    const { hooks } = await harness({
      hooks: { before_tool_call: [builtin('a'), builtin('b'), builtin('a')] },
    });
    expect(
      hooks
        .list()
        .filter(({ verb }) => verb === 'guard')
        .filter(({ id }) => id.endsWith('security-audit')),
    ).toHaveLength(2);
  });

  test('no hook is registered on events that the file does not name', async () => {
    const { hooks } = await harness({ hooks: { stop: [{ type: 'command', command: 'true' }] } });
    expect(concerns(hooks, 'shell')).toBe(false);
    expect(
      hooks
        .list()
        .filter(({ verb }) => verb === 'on')
        .map(({ event }) => event),
    ).toEqual(['stop']);
  });
});

describe('watch', () => {
  /** Replaces a file the way editors do. */
  const replace = (dir: string, text: string) => {
    writeFileSync(join(dir, 'next'), text);
    renameSync(join(dir, 'next'), join(dir, 'hooks.yaml'));
  };

  test('a changed file takes effect', async () => {
    const dir = directory({ 'hooks.yaml': refusing('old') });
    const { call, hooks } = await harness('hooks.yaml', { cwd: dir, watch: true });
    expect(await call('shell', {})).toMatchObject({ reason: 'old' });
    replace(dir, refusing('new'));
    await expect.poll(async () => (await call('shell', {})).reason).toBe('new');
    expect(
      hooks
        .list()
        .filter(({ verb }) => verb === 'on')
        .map(({ id }) => id),
    ).toContain('hooks.yaml/before_tool_call');
  });

  test('an invalid file changes nothing and gives a warning', async () => {
    const dir = directory({ 'hooks.yaml': refusing('old') });
    const { call, warnings } = await harness('hooks.yaml', { cwd: dir, watch: true });
    replace(dir, 'hooks:\n  befor_tool_call: []\n');
    await expect.poll(() => warnings.join()).toContain('the old hooks stay');
    expect(warnings.join()).toContain('hooks.befor_tool_call: unknown event');
    expect(await call('shell', {})).toMatchObject({ reason: 'old' });
  });

  test('a file that is empty while an editor writes it changes nothing', async () => {
    const dir = directory({ 'hooks.yaml': refusing('old') });
    const { call, warnings } = await harness('hooks.yaml', { cwd: dir, watch: true });
    writeFileSync(join(dir, 'hooks.yaml'), '');
    await expect.poll(() => warnings.join()).toContain('the file is empty');
    expect(await call('shell', {})).toMatchObject({ reason: 'old' });
  });

  test('an untrusted file changes nothing', async () => {
    const dir = directory({ 'hooks.yaml': refusing('old') });
    let trusted = true;
    const trust = { store: new TrustStore(join(dir, 'trust.json')), ask: async () => trusted };
    const { call, warnings } = await harness('hooks.yaml', { cwd: dir, watch: true, trust });
    trusted = false;
    replace(dir, refusing('new'));
    await expect.poll(() => warnings.join()).toContain('is not trusted');
    expect(await call('shell', {})).toMatchObject({ reason: 'old' });
  });

  test('a file that is written again with the same hooks resets no budget', async () => {
    const text =
      'hooks: { before_tool_call: [{ type: builtin, command: limits, args: { per_session: { tool_calls: 1 } } }] }';
    const dir = directory({ 'hooks.yaml': text });
    let reads = 0;
    const ask = async () => {
      reads++;
      return true;
    };
    const trust = { store: new TrustStore(join(dir, 'trust.json')), ask };
    const { call, warnings } = await harness('hooks.yaml', { cwd: dir, watch: true, trust });
    expect(await call('shell', {})).toMatchObject({ status: 'ok' });
    replace(dir, `${text} # touched`);
    await expect.poll(() => reads).toBe(2);
    // Files are read in turn: after the warning, the one before has been taken in.
    replace(dir, 'hooks: [');
    await expect.poll(() => warnings.join()).toContain('the old hooks stay');
    expect(await call('shell', {})).toMatchObject({ status: 'blocked' });
  });

  test('a running call keeps the hooks that it started with', async () => {
    const slow = (reason: string) => refusing(reason).replace('echo', 'touch began; sleep 0.5; echo');
    const dir = directory({ 'hooks.yaml': slow('old') });
    const { call, loaded } = await harness('hooks.yaml', { cwd: dir });
    const outcome = call('shell', {});
    replace(dir, refusing('new'));
    await loaded.reload();
    expect(await outcome).toMatchObject({ reason: 'old' });
    expect(await call('shell', {})).toMatchObject({ reason: 'new' });
  });

  test('disposing removes the hooks', async () => {
    const { call, loaded, hooks } = await harness('hooks.yaml', {
      cwd: directory({ 'hooks.yaml': refusing('x') }),
    });
    loaded[Symbol.dispose]();
    expect(await call('shell', {})).toMatchObject({ status: 'ok' });
    expect(hooks.list().filter(({ provider }) => provider === 'hooks.yaml')).toEqual([]);
  });
});

test('the last of two concurrent reloads wins, whichever finishes first', async () => {
  const dir = directory({ 'hooks.yaml': 'hooks: {}' });
  const began = Promise.withResolvers<void>();
  const ready = Promise.withResolvers<HookProvider>();
  const slow = (): Promise<HookProvider> => {
    began.resolve();
    return ready.promise;
  };
  const { loaded } = await harness('hooks.yaml', { cwd: dir, builtins: { slow } });
  writeFileSync(join(dir, 'hooks.yaml'), 'hooks: {stop: [{type: builtin, command: slow}]}');
  const first = loaded.reload();
  await began.promise;
  writeFileSync(join(dir, 'hooks.yaml'), refusing('new'));
  const last = loaded.reload();
  // Run the second reload as far as it gets without the first one.
  for (let step = 0; step < 50; step++) await new Promise((resolve) => setImmediate(resolve));
  ready.resolve({ name: 'slow', register: () => {} });
  await Promise.all([first, last]);
  expect(loaded.entries.map(({ event }) => event)).toEqual(['before_tool_call']);
});

describe('cache', () => {
  /** Loads `text` with a cache, and returns the reason with which its hook blocks. */
  const cached = async () => {
    vi.stubEnv('XDG_CONFIG_HOME', directory({}));
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const dir = directory({});
    const folder = join(process.env['XDG_CONFIG_HOME'] ?? '', 'hooks', 'read');
    return {
      /** The cache file. */
      kept: () => join(folder, readdirSync(folder)[0] ?? ''),
      reasonOf: async (text: string) => {
        writeFileSync(join(dir, 'hooks.yaml'), text);
        const { call, loaded } = await harness('hooks.yaml', { cwd: dir, cache: true });
        expect(loaded.entries[0]?.origin.line).toBe(3);
        return (await call('shell', {})).reason;
      },
    };
  };

  test('a file is not parsed again until it changes', async () => {
    const { reasonOf, kept } = await cached();
    expect(await reasonOf(refusing('old'))).toBe('old');
    const text = readFileSync(kept(), 'utf8');
    expect(statSync(kept()).mode & 0o777).toBe(0o600);
    // To prove that the cache is used, let it differ from the file.
    const { key, read } = JSON.parse(text);
    writeFileSync(
      kept(),
      JSON.stringify({ key, read: JSON.parse(JSON.stringify(read).replaceAll('old', 'kept')) }),
    );
    expect(await reasonOf(refusing('old'))).toBe('kept');
    expect(await reasonOf(refusing('new'))).toBe('new');
  });

  test.each([
    ['is of another version', (key: string) => key.replace(/^\["/, '["9')],
    ['is of another text', (key: string) => key.replace('old', 'other')],
  ])('a cache entry that %s is ignored', async (_, change) => {
    const { reasonOf, kept } = await cached();
    await reasonOf(refusing('old'));
    const { key, read } = JSON.parse(readFileSync(kept(), 'utf8'));
    expect(change(key)).not.toBe(key);
    const changed = JSON.parse(JSON.stringify(read).replaceAll('old', 'kept'));
    writeFileSync(kept(), JSON.stringify({ key: change(key), read: changed }));
    expect(await reasonOf(refusing('old'))).toBe('old');
  });

  test('a damaged cache entry is ignored', async () => {
    const { reasonOf, kept } = await cached();
    await reasonOf(refusing('old'));
    writeFileSync(kept(), '{"key":');
    expect(await reasonOf(refusing('old'))).toBe('old');
  });
});

test("coverage lists matchers without a tool and tools without a hook, by any agent's names", async () => {
  const on = (matcher: string) => ({ matcher, hooks: [{ type: 'command', command: 'true', name: matcher }] });
  const { loaded } = await harness({
    hooks: { pre_tool_use: [on('shell'), on('mcp:.*')], post_tool_use: [on('shel'), on('*')], stop: [] },
  });
  const { unmatched, unguarded } = loaded.coverage(['Bash', 'mcp__github__search', 'Read']);
  expect(unmatched.map(({ label }) => label)).toEqual(['shel']);
  expect(unguarded).toEqual(['Read']);
});
