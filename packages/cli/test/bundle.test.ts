import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { bundle } from '../scripts/bundle.ts';
import { workspace } from './program.ts';

/** The published `hooks` command: the files of `scripts/bundle.ts`, run by Node. */

const dir = fileURLToPath(new URL('../.turbo/bundle', import.meta.url));
beforeAll(() => bundle(dir));

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Runs `hooks run --as claude-code` with a trusted file before a `Bash` call, after code that Node runs first. */
async function run(file: string, { first = '', policy = '', module = '' } = {}) {
  const files = { 'hooks.yaml': file, 'first.cjs': first, 'policy.ts': policy, 'module.ts': module };
  const { dir: cwd, trust } = workspace(files);
  await trust('hooks.yaml', file);
  await trust('policy.ts', policy);
  const args = ['--require', './first.cjs', join(dir, 'hooks.cjs'), 'run', '--as', 'claude-code'];
  const input = JSON.stringify({
    hook_event_name: 'PreToolUse',
    session_id: 's',
    tool_name: 'Bash',
    tool_input: { command: 'rm -rf /' },
  });
  const once = () =>
    spawnSync(process.execPath, [...args, ...(policy === '' ? [] : ['--policy', 'policy.ts'])], {
      cwd,
      input,
      encoding: 'utf8',
    });
  once();
  const { status, stderr } = once();
  return { status, stderr };
}

const refusing = 'hooks:\n  before_tool_call:\n    - {type: command, command: "echo no >&2; exit 2"}\n';

test('refuses a call with a command hook', async () => {
  expect(await run(refusing)).toEqual({ status: 2, stderr: 'no\n' });
});

test('refuses a call with a built-in guard', async () => {
  const { status, stderr } = await run(
    refusing.replace(/\{.*\}/, '{type: builtin, command: command_safety}'),
  );
  expect([status, stderr]).toEqual([2, expect.stringContaining('Blocked')]);
});

test('refuses a call with a TypeScript policy that has a top-level await', async () => {
  const policy = `
    import { BeforeToolCall, block } from '@hooks/core';
    const why: string = await Promise.resolve('not here');
    export default { name: 'policy', register: (hooks) => hooks.on(BeforeToolCall, () => block(why)) };
  `;
  const core = JSON.stringify(fileURLToPath(new URL('../../core/src/index.ts', import.meta.url)));
  expect(await run(refusing, { policy: policy.replace("'@hooks/core'", core) })).toEqual({
    status: 2,
    stderr: 'not here\n',
  });
});

test('refuses a call with a module that the file names', async () => {
  const core = JSON.stringify(fileURLToPath(new URL('../../core/src/index.ts', import.meta.url)));
  const module = `import { BeforeToolCall, block } from ${core};
    export default { name: 'module', register: (hooks) => hooks.on(BeforeToolCall, () => block('not here')) };`;
  const file = refusing.replace(/\{.*\}/, '{type: module, path: ./module.ts}');
  expect(await run(file, { module })).toEqual({ status: 2, stderr: 'not here\n' });
});

test('the licences of bundled packages are included', () => {
  const notice = (name: string, of: string, says: string): string => {
    const manifest = findPackageJSON(name, new URL(`../../${of}/package.json`, import.meta.url)) ?? '';
    const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
    const licence = readFileSync(join(dirname(manifest), 'LICENSE'), 'utf8');
    expect(licence).toContain(says);
    return `${name} ${version}\n\n${licence}`;
  };
  expect(readFileSync(join(dir, 'THIRD-PARTY-NOTICES.txt'), 'utf8')).toBe(
    [
      notice('@noble/hashes', 'config', 'Permission is hereby granted'),
      notice('canonicalize', 'journal', 'Apache License'),
      notice('tlds', 'flow', 'MIT License'),
    ].join('\n'),
  );
});

test('a process that exits without an answer refuses', async () => {
  const policy = 'await new Promise(() => {});';
  expect((await run(refusing, { policy })).status).toBe(2);
});

test('starts commands through the spawner once the process is large', async () => {
  const parent = `hooks:\n  before_tool_call:\n    - {type: command, command: "cat /proc/$PPID/cmdline >&2; exit 2"}\n`;
  expect((await run(parent)).stderr).toContain('hooks.cjs');
  const large = { first: 'globalThis.ballast = Buffer.alloc(200 * 1024 * 1024, 1);' };
  expect(await run(parent, large)).toEqual({
    status: 2,
    stderr: expect.stringContaining('spawner-process.cjs'),
  });
});

test('loads no YAML, schemas, crypto or child processes for a cached file without a matching hook', async () => {
  const first = `process.on('exit', () => {
    const own = Object.keys(require.cache).map((path) => path.replace(/^.*node_modules./, ''));
    require('node:fs').writeSync(2, [...own, ...process.moduleLoadList].join('\\n'));
  });`;
  const { status, stderr } = await run(
    refusing.replace('{', '{name: x, ').replace('before_tool_call', 'stop'),
    { first },
  );
  expect(status).toBe(0);
  const loaded = stderr.split('\n');
  expect(loaded).toContainEqual(expect.stringContaining('hooks.cjs'));
  expect(loaded.filter((name) => /^(zod|yaml)|NativeModule (crypto|child_process)$/.test(name))).toEqual([]);
});
