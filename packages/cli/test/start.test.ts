import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TrustStore, trustedPath } from '@hooks/config';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundle } from '../scripts/bundle.ts';

/** The optimizations of a cold start do not change its answers. Runs the published files as processes. */

const dir = fileURLToPath(new URL('../.turbo/start', import.meta.url));
beforeAll(() => bundle(dir));

const event = {
  hook_event_name: 'PreToolUse',
  session_id: 's',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
};

function damaged(kept: Buffer, where: number): Buffer {
  const copy = Buffer.from(kept);
  const at = Math.floor(where * copy.length);
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
  return copy;
}

/** A folder with a policy, and the output of `hooks run` in it. */
function place(policy: string, bin = dir) {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'policy.ts'), policy);
  const store = new TrustStore(join(cwd, '.config/hooks/trust.json'));
  void store.trust(trustedPath(join(cwd, 'policy.ts')), policy);
  const run = (stdin = JSON.stringify(event)) => {
    const args = [join(bin, 'hooks.cjs'), 'run', '--as', 'claude-code', '--policy', 'policy.ts'];
    const env = { PATH: '/usr/bin:/bin', HOME: cwd };
    const { status, stderr } = spawnSync(process.execPath, args, {
      cwd,
      env,
      input: stdin,
      encoding: 'utf8',
    });
    return { status, stderr };
  };
  const compiled = join(cwd, '.config/hooks/compiled');
  const kept = (): string =>
    join(compiled, readdirSync(compiled).find((name) => statSync(join(compiled, name)).isFile()) ?? 'none');
  return { cwd, run, kept };
}

const coreSource = fileURLToPath(new URL('../../core/src/index.ts', import.meta.url));
const refusing = `import { BeforeToolCall, block } from ${JSON.stringify(coreSource)};
  export default { name: 'policy', register: (hooks) => hooks.on(BeforeToolCall, () => block('not here')) };`;
const refused = { status: 2, stderr: 'not here\n' };

describe('the bytecode that a process stores', () => {
  test('is readable only by its user, and the next process uses it', () => {
    const { run, kept } = place(refusing);
    expect(run()).toEqual(refused);
    const { mode, ino, mtimeMs } = statSync(kept());
    expect(mode & 0o777).toBe(0o600);
    expect(run()).toEqual(refused);
    expect(statSync(kept())).toMatchObject({ ino, mtimeMs });
  });

  test.each<[string, (kept: Buffer) => Buffer]>([
    ['it is empty', () => Buffer.alloc(0)],
    ['its end is missing', (kept) => kept.subarray(0, -1000)],
    ['its end is zero', (kept) => Buffer.concat([kept.subarray(0, -1000), Buffer.alloc(1000)])],
    ['one byte of the bytecode is another', (kept) => damaged(kept, 0.5)],
    ['one byte of the source is another', (kept) => damaged(kept, 0.1)],
  ])('is rebuilt if %s', (_, damage) => {
    const { run, kept } = place(refusing);
    run();
    const whole = readFileSync(kept());
    writeFileSync(kept(), damage(whole));
    const { ino } = statSync(kept());
    expect(run()).toEqual(refused);
    expect(statSync(kept()).ino).not.toBe(ino);
    expect(readFileSync(kept()).length).toBeGreaterThan(whole.length - 1000);
  });

  test('is not used for other code of the same length', () => {
    const bin = join(temporaryFolder(), 'bin');
    cpSync(dir, bin, { recursive: true });
    const { run } = place(refusing, bin);
    expect(run('{')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('stdin is not JSON'),
    });
    const code = readFileSync(join(bin, 'hook.cjs'), 'utf8');
    writeFileSync(join(bin, 'hook.cjs'), code.replace('stdin is not JSON', 'stdin is NOT JSON'));
    expect(run('{')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('stdin is NOT JSON'),
    });
  });

  test('is optional if it cannot be stored', () => {
    const { cwd, run } = place(refusing);
    writeFileSync(join(cwd, '.config/hooks/compiled'), '');
    expect(run()).toEqual(refused);
  });
});

describe('the core that a policy imports', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../core/package.json', import.meta.url), 'utf8'));
  const policy = `import { BeforeToolCall, block } from '@hooks/core';
    export default { name: 'policy', register: (hooks) => hooks.on(BeforeToolCall, () => block('not here')) };`;
  const installed = (cwd: string, manifest: object) => {
    const folder = join(cwd, 'node_modules/@hooks/core');
    mkdirSync(folder, { recursive: true });
    const all = { name: '@hooks/core', type: 'module', exports: './index.js', ...manifest };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(all));
    writeFileSync(
      join(folder, 'index.js'),
      "export const BeforeToolCall = 0, block = 0; throw new Error('its own');",
    );
  };

  test('is the loaded one if the versions are equal', () => {
    const { cwd, run } = place(policy);
    installed(cwd, { version });
    expect(run()).toEqual(refused);
    expect(run()).toEqual(refused);
  });

  test.each([{ version: '9.9.9' }, {}])('is its own if the versions differ: %j', (manifest) => {
    const { cwd, run } = place(policy);
    installed(cwd, manifest);
    expect(run()).toEqual({ status: 2, stderr: `hooks run failed: ${join(cwd, 'policy.ts')}: its own\n` });
  });

  test('must be installed', () => {
    const { run } = place(policy);
    expect(run()).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("Cannot find package '@hooks/core'"),
    });
  });
});
