import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  createReadStream,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { describe, expect, test } from 'vitest';

/** `hooks` as a separate process, from the sources. */

const node = ['--conditions=@hooks/source'];
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const asHook = [main, 'run', '--as', 'claude-code', '--policy', './policy.ts'];
const core = JSON.stringify(fileURLToPath(new URL('../../core/src/index.ts', import.meta.url)));

function directory(): { readonly cwd: string; readonly env: NodeJS.ProcessEnv } {
  const cwd = temporaryFolder();
  return { cwd, env: { ...process.env, XDG_CONFIG_HOME: join(cwd, '.config') } };
}

test('a command other than run has output and an exit code', () => {
  const place = directory();
  const hooks = (...args: string[]) =>
    spawnSync(process.execPath, [...node, main, ...args], { ...place, encoding: 'utf8' });
  expect(hooks('init')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^written: /) });
  expect(hooks('validate')).toMatchObject({ status: 0, stderr: '' });
  expect(hooks('run', '--help')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('--as <agent>'),
  });
  expect(hooks('init')).toMatchObject({ status: 1, stderr: expect.stringContaining('exists already') });
});

test('a reader that closes the pipe early causes no error message', async () => {
  const place = directory();
  const hooks = Array.from({ length: 3000 }, (_, i) => ({ type: 'command', command: `./hook-${i}` }));
  writeFileSync(join(place.cwd, 'hooks.json'), JSON.stringify({ hooks: { stop: hooks } }));
  const child = spawn(process.execPath, [...node, main, 'list'], { ...place, stdio: 'pipe' });
  const told = text(child.stderr);
  child.stdout.once('data', () => child.stdout.destroy());
  const [code] = await once(child, 'exit');
  expect({ code, told: await told }).toEqual({ code: 141, told: '' });
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  'a hook that is killed by %s refuses, and its commands end with it',
  async (signal) => {
    const { cwd, env } = directory();
    const hooks = 'hooks: {before_tool_call: [{type: command, command: "echo $$ > pid; exec sleep 100"}]}';
    writeFileSync(join(cwd, 'hooks.yaml'), hooks);
    expect(spawnSync(process.execPath, [...node, main, 'trust', '--yes'], { cwd, env }).status).toBe(0);
    const child = spawn(process.execPath, [...node, main, 'run', '--as', 'claude-code'], {
      cwd,
      env,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.stdin.end('{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}}');
    const pid = (): string =>
      existsSync(join(cwd, 'pid')) ? readFileSync(join(cwd, 'pid'), 'utf8').trim() : '';
    await expect.poll(pid).not.toBe('');
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([2, null]);
    await expect.poll(() => existsSync(`/proc/${pid()}/cwd`)).toBe(false);
  },
);

describe.skipIf(process.platform === 'win32')('a pipe that its other end made non-blocking', () => {
  const policy = `
    import { BeforeToolCall, block } from ${core};
    const answer = ({ input }) => block('no '.repeat(100_000) + input.command);
    export default { name: 'policy', register: (hooks) => hooks.on(BeforeToolCall, answer) };
  `;
  // Reports on file 4 that a read or write had to wait.
  const spy = `
    const fs = require('node:fs');
    for (const name of ['readSync', 'writeSync']) {
      const original = fs[name];
      fs[name] = (...args) => {
        try {
          return original(...args);
        } catch (error) {
          fs.writevSync(3, [Buffer.from(name + ' ' + error.code)]);
          throw error;
        }
      };
    }
    require('node:module').syncBuiltinESMExports();
  `;
  const event = JSON.stringify({
    hook_event_name: 'PreToolUse',
    session_id: 's',
    tool_name: 'Bash',
    tool_input: { command: 'rm' },
  });

  test('does not truncate the event or the answer', async () => {
    const { cwd, env } = directory();
    writeFileSync(join(cwd, 'policy.ts'), policy);
    spawnSync(process.execPath, [...node, main, 'trust', '--yes', 'policy.ts'], { cwd, env });
    writeFileSync(join(cwd, 'spy.cjs'), spy);
    const [stdin, stdout] = [join(cwd, 'stdin'), join(cwd, 'stdout')];
    execFileSync('mkfifo', [stdin, stdout]);
    const { O_RDONLY, O_RDWR, O_WRONLY, O_NONBLOCK } = constants;
    const read = openSync(stdin, O_RDONLY | O_NONBLOCK);
    const write = openSync(stdin, O_WRONLY);
    // Keep both ends open until the process has the pipe.
    const held = openSync(stdout, O_RDWR);
    const full = openSync(stdout, O_WRONLY | O_NONBLOCK);
    // Start it through a shell, because Node makes stdin, stdout and stderr of a child blocking.
    const command = ['-c', 'exec "$0" "$@" <&4 >&5', process.execPath, ...node, '--require', './spy.cjs'];
    const child = spawn('sh', [...command, ...asHook], {
      cwd,
      env,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', read, full],
    });
    const waits = (child.stdio[3] as Readable).setEncoding('utf8');
    let told = '';
    waits.on('data', (chunk) => {
      told += chunk;
    });
    const toldOf = async (wait: string): Promise<void> => {
      while (!told.includes(wait)) await once(waits, 'data');
    };
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const reason = text(child.stderr as Readable);

    await toldOf('readSync EAGAIN');
    writeSync(write, event);
    closeSync(write);
    await toldOf('writeSync EAGAIN');
    const reader = createReadStream(stdout);
    await once(reader, 'open');
    const answer = text(reader);
    closeSync(full);
    closeSync(held);
    expect(await ended).toBe(2);
    closeSync(read);
    const whole = `${'no '.repeat(100_000)}rm`;
    expect(JSON.parse(await answer).hookSpecificOutput.permissionDecisionReason).toBe(whole);
    expect(await reason).toBe(`${whole}\n`);
  });
});

test.skipIf(process.platform === 'win32')(
  'an agent does not wait for a program that a policy has started, and reads what the policy prints',
  async () => {
    const { cwd, env } = directory();
    const policy = `
      import { spawn } from 'node:child_process';
      import { writeFileSync } from 'node:fs';
      import { BeforeToolCall, block } from ${core};
      const answer = () => {
        const child = spawn('sh', ['-c', 'sleep 20; touch over'], { stdio: 'inherit', detached: true });
        child.unref();
        writeFileSync('pid', String(child.pid));
        console.log('to stdout');
        console.error('to stderr');
        return block('not here');
      };
      export default { name: 'policy', register: (hooks) => hooks.on(BeforeToolCall, answer) };
    `;
    writeFileSync(join(cwd, 'policy.ts'), policy);
    spawnSync(process.execPath, [...node, main, 'trust', '--yes', 'policy.ts'], { cwd, env });
    const script = fileURLToPath(new URL('../src/hook.sh', import.meta.url));
    const child = spawn('/bin/sh', [script, 'gate', process.execPath, ...node, ...asHook], { cwd, env });
    child.stdin.end('{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}}');
    const output = Promise.all([text(child.stdout), text(child.stderr)]);
    // When both pipes are closed.
    expect(await once(child, 'close')).toEqual([2, null]);
    expect(existsSync(join(cwd, 'over')), 'the program has ended').toBe(false);
    process.kill(-Number(readFileSync(join(cwd, 'pid'), 'utf8')));
    const [stdout, stderr] = await output;
    expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe('deny');
    expect(stderr).toBe('to stdout\nto stderr\nnot here\n');
  },
);

test('a policy that changes after its trust was checked is not loaded', () => {
  const { cwd, env } = directory();
  const policy = (decision: string) =>
    `import * as core from ${core};\nconst register = (hooks) => hooks.on(core.BeforeToolCall, () => core.${decision});\nexport default { name: 'policy', register };\n`;
  writeFileSync(join(cwd, 'policy.ts'), policy("block('no')"));
  writeFileSync(join(cwd, 'other.ts'), policy('proceed()'));
  spawnSync(process.execPath, [...node, main, 'trust', '--yes', 'policy.ts'], { cwd, env });
  // Replaces the policy as soon as it has been read.
  const swap = `
    const fs = require('node:fs');
    const { openSync, closeSync } = fs;
    let policy;
    fs.openSync = (path, ...rest) => {
      const file = openSync(path, ...rest);
      if (String(path).endsWith('/policy.ts')) policy = file;
      return file;
    };
    fs.closeSync = (file) => {
      closeSync(file);
      if (file === policy) fs.copyFileSync('other.ts', 'policy.ts');
    };
    require('node:module').syncBuiltinESMExports();
  `;
  writeFileSync(join(cwd, 'swap.cjs'), swap);
  const input = '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}}';
  const { status, stderr } = spawnSync(
    process.execPath,
    [...node, '--require', './swap.cjs', ...asHook.slice(0, -1), 'policy.ts'],
    { cwd, env, input, encoding: 'utf8' },
  );
  expect(readFileSync(join(cwd, 'policy.ts'), 'utf8')).toContain('proceed');
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: expect.stringContaining('policy.ts changed while it was loaded'),
  });
});

test('`hook.sh` takes no program from the checkout that the agent is in', () => {
  const script = fileURLToPath(new URL('../src/hook.sh', import.meta.url));
  const home = temporaryFolder();
  const checkout = join(home, 'checkout');
  const inner = join(checkout, 'a/b');
  mkdirSync(inner, { recursive: true });
  mkdirSync(join(checkout, '.git'));
  const own = [join(home, 'bin'), '/usr/bin', '/bin'];
  const others = [join(checkout, 'bin'), inner, '.', join(home, 'x/node_modules/.bin')];
  const pathIn = (cwd: string, HOME = home, PWD = cwd) =>
    spawnSync('/bin/sh', [script, 'gate', '/bin/sh', '-c', 'printf %s "$PATH" >&3; exit 100'], {
      cwd,
      env: { HOME, PWD, PATH: [...others, ...own].join(':') },
      encoding: 'utf8',
    }).stdout.split(':');
  expect(pathIn(inner)).toEqual(own);
  expect(pathIn(checkout)).toEqual(own);
  expect(pathIn(inner, '/nobody')).toEqual(own);
  expect(pathIn(home)).toEqual([...others.slice(0, 2), ...own]);
  expect(pathIn(join(home, '..'), '/nobody')).toEqual(own.slice(1));
  // The agent names it by a link.
  const link = join(temporaryFolder(), 'link');
  symlinkSync(checkout, link);
  expect(pathIn(inner, home, join(link, 'a/b'))).toEqual(own);
});
