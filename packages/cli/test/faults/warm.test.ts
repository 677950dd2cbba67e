import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { TrustStore, trustedPath } from '@hooks/config';
import { sampled } from '@hooks/testing/random';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { beforeAll, describe, expect, type TestContext, test } from 'vitest';
import { commandLine } from '../../src/installed/command.ts';
import { ASKING_AGENTS } from './agents.ts';
import { FAULTS, type Fault } from './faults.ts';
import { type FaultyPlace, type Published, placeOf, publish } from './place.ts';

/** The same faults in a worker that has loaded the policy, and faults of the connection to it. */

let published: Published;
beforeAll(async () => {
  published = await publish('warm-faults');
});

const { version } = JSON.parse(readFileSync(new URL('../../../core/package.json', import.meta.url), 'utf8'));

/** A PATH with only these of the programs that `hook.sh` uses. */
function pathOf(...programs: readonly string[]): string {
  const folder = temporaryFolder();
  for (const program of [...programs, 'cat'])
    symlinkSync(
      existsSync(`/usr/bin/${program}`) ? `/usr/bin/${program}` : `/bin/${program}`,
      join(folder, program),
    );
  return folder;
}

const NAME = 'worker.sock';
const folderOf = ({ cwd }: FaultyPlace) => join(cwd, '.config/hooks/warm', cwd);
const command = (agent: string, args: readonly string[]) =>
  commandLine({ agent, args, self: [process.execPath, published.bin], warm: NAME }, true);

/** Starts a worker. Resolves when it listens, or with `undefined` if it has exited. */
async function worker(
  place: FaultyPlace,
  agent: string,
  { expect, onTestFinished }: TestContext,
): Promise<number | undefined> {
  const socket = join(folderOf(place), NAME);
  const { cwd, env } = place;
  const child = spawn(
    process.execPath,
    [published.bin, 'warm-worker', socket, '--as', agent, ...place.args],
    { cwd, env, stdio: 'ignore' },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  await expect
    .poll(() => existsSync(socket) || child.exitCode !== null || child.signalCode !== null, {
      timeout: 20_000,
      interval: 20,
    })
    .toBe(true);
  if (existsSync(socket)) return child.pid;
  await ended;
  return undefined;
}

/** The programs with which `hook.sh` sends requests to a worker. */
const CLIENTS = ['perl', 'curl'] as const;

describe.each([
  ['claude-code', 'perl', 0],
  ['codex', 'perl', 1],
  ['gemini', 'perl', 2],
  ['claude-code', 'curl', 3],
] as const)('%s does not run the tool when, in a worker behind %s,', (agent, client, offset) => {
  const { event, refuses } = ASKING_AGENTS[agent];
  const faults = FAULTS.filter(({ coldOnly }) => !coldOnly);
  test.concurrent.for(sampled(faults, 4, offset))('$name', async (fault, context) => {
    const place = placeOf(fault, published);
    await worker(place, agent, context);
    const ended = await place.run(
      agent,
      `PATH=${pathOf(client)}\n${command(agent, place.args)}`,
      fault.stdin ?? JSON.stringify(event('rm -rf ./precious')),
    );
    context.expect({ ...ended, refuses: refuses(ended) }).toMatchObject({ refuses: true });
  });
});

const counts = `let asked = 0;
  export default { name: 'policy', register: (hooks) => hooks.on(core.BeforeToolCall, ({ input }) =>
    input.command === 'ls' ? core.proceed() : core.block('refused ' + ++asked + ' \\\\ times\\n"in" all')) };`;
const { event, refuses } = ASKING_AGENTS['claude-code'];
const rm = JSON.stringify(event('rm -rf ./precious'));
const counting: Fault = { name: 'none', policy: counts };

describe('a worker', () => {
  test.for(CLIENTS)('keeps the policy and gives %s the answer of a cold start', async (client, context) => {
    const place = placeOf({ ...counting, env: { PATH: pathOf(client) } }, published);
    expect(await worker(place, 'claude-code', context)).toBeDefined();
    const ask = (stdin: string) => place.run('claude-code', command('claude-code', place.args), stdin);
    const first = await ask(rm);
    expect(first).toMatchObject({ code: 2, stderr: 'refused 1 \\ times\n"in" all\n' });
    expect(JSON.parse(first.stdout).hookSpecificOutput.permissionDecisionReason).toBe(
      'refused 1 \\ times\n"in" all',
    );
    expect(await ask(rm)).toMatchObject({ code: 2, stderr: 'refused 2 \\ times\n"in" all\n' });
    expect(await ask(JSON.stringify(event('ls')))).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test.for(CLIENTS)('reads a large event from %s unchanged', async (client, context) => {
    const policy = `export default { name: 'policy', register: (hooks) =>
      hooks.on(core.BeforeToolCall, ({ input }) => core.block(input.command + process.pid)) };`;
    const place = placeOf({ name: 'none', policy, env: { PATH: pathOf(client) } }, published);
    const pid = await worker(place, 'claude-code', context);
    const text = 'ä€😀\u0000\r\n0\r\n\r\n'.repeat(100_000);
    const { stdout } = await place.run(
      'claude-code',
      command('claude-code', place.args),
      JSON.stringify(event(text)),
    );
    expect(JSON.parse(stdout).hookSpecificOutput.permissionDecisionReason === text + pid).toBe(true);
  });

  test('answers even if the environment has options for perl', async (context) => {
    const env = { PERL5OPT: '-Mno::such::module', PERL_UNICODE: 'SAD', LC_ALL: 'no_such_locale' };
    const place = placeOf({ ...counting, env }, published);
    await worker(place, 'claude-code', context);
    const ask = () => place.run('claude-code', command('claude-code', place.args), rm);
    expect(await ask()).toMatchObject({ code: 2, stderr: 'refused 1 \\ times\n"in" all\n' });
    expect(await ask()).toMatchObject({ code: 2, stderr: 'refused 2 \\ times\n"in" all\n' });
  });

  test('is not used without a client program', async (context) => {
    const place = placeOf({ ...counting, env: { PATH: pathOf() } }, published);
    await worker(place, 'claude-code', context);
    const ask = () => place.run('claude-code', command('claude-code', place.args), rm);
    expect(await ask()).toMatchObject({ code: 2, stderr: expect.stringContaining('refused 1') });
    expect(await ask()).toMatchObject({ code: 2, stderr: expect.stringContaining('refused 1') });
  });

  test('starts with the first event and exits when the policy changes', async () => {
    const place = placeOf(counting, published);
    const ask = () => place.run('claude-code', command('claude-code', place.args), rm);
    const refusals = async (): Promise<number> => Number(/refused (\d+)/.exec((await ask()).stderr)?.[1]);
    await expect.poll(refusals, { timeout: 20_000 }).toBe(2);
    const changed = counts.replace("'refused '", "'refused 7'");
    const text = `import * as core from ${JSON.stringify(published.core)};\n${changed}`;
    writeFileSync(join(place.cwd, 'policy.mjs'), text);
    expect((await ask()).stderr).toContain('policy.mjs is not trusted');
    const trusted = new TrustStore(join(place.cwd, '.config/hooks/trust.json'));
    await trusted.trust(trustedPath(join(place.cwd, 'policy.mjs')), text);
    expect(await refusals()).toBe(71);
    await expect.poll(refusals, { timeout: 20_000 }).toBe(72);
  });

  test('exits when the core that its policy imports changes, even if it runs another copy', async (context) => {
    const place = placeOf({ name: 'none', policy: `import '@hooks/core';\n${counts}` }, published);
    const core = join(place.cwd, 'node_modules/@hooks/core');
    mkdirSync(core, { recursive: true });
    writeFileSync(
      join(core, 'package.json'),
      JSON.stringify({ name: '@hooks/core', version, main: 'index.js' }),
    );
    writeFileSync(join(core, 'index.js'), "throw new Error('its own')");
    await worker(place, 'claude-code', context);
    const ask = () => place.run('claude-code', command('claude-code', place.args), rm);
    expect((await ask()).stderr).toContain('refused 1');
    expect((await ask()).stderr).toContain('refused 2');
    writeFileSync(join(core, 'index.js'), "throw new Error('another')");
    expect((await ask()).stderr).toContain('refused 1');
  });

  test('exits without requests', async (context) => {
    const place = placeOf({ ...counting, env: { NODE_OPTIONS: '--require ./impatient.cjs' } }, published);
    await worker(place, 'claude-code', context);
    await expect.poll(() => existsSync(join(folderOf(place), NAME)), { timeout: 20_000 }).toBe(false);
  });
});

test.skipIf(process.platform !== 'linux')('a worker whose socket is gone exits', async (context) => {
  const place = placeOf(counting, published);
  const pid = await worker(place, 'claude-code', context);
  renameSync(folderOf(place), `${folderOf(place)}-gone`);
  await expect.poll(() => existsSync(`/proc/${pid}/cwd`), { timeout: 20_000 }).toBe(false);
});

describe.each(CLIENTS)('with %s, the hook starts cold or refuses if', (client) => {
  const placeOfClient = () => placeOf({ ...counting, env: { PATH: pathOf(client) } }, published);

  test.each<[string, (place: FaultyPlace) => unknown]>([
    [
      'nothing listens on the socket',
      (place) => listening(place, () => {}).then((server) => kill(server, place)),
    ],
    ['the socket is a file', (place) => writeFileSync(join(folderOf(place), NAME), '')],
    ['the socket hangs up', (place) => listening(place, (socket) => socket.destroy())],
    [
      'the socket does not send HTTP',
      (place) => listening(place, (socket) => socket.end('{"decision":"allow"}\n')),
    ],
    ['the socket sends something else', (place) => reading(place, (socket) => socket.end(http('all right')))],
    [
      'the socket sends an incomplete response',
      (place) => reading(place, (socket) => socket.end(http('hooks-1 0\no'))),
    ],
    [
      'the socket hangs up in its answer',
      (place) => reading(place, (socket) => socket.end(http('hooks-1 0\no\ne\nend\n', 900))),
    ],
    ['the socket hangs up with the event', (place) => reading(place, (socket) => socket.end())],
    [
      'the socket refuses',
      (place) => listening(place, (socket) => socket.end('HTTP/1.1 503 No\r\ncontent-length: 0\r\n\r\n')),
    ],
    ['the folder of sockets is a link', (place) => elsewhere(place)],
  ])('%s', async (_, wrong) => {
    const place = placeOfClient();
    mkdirSync(folderOf(place), { recursive: true, mode: 0o700 });
    await wrong(place);
    const ended = await place.run('claude-code', command('claude-code', place.args), rm);
    expect({ ...ended, refuses: refuses(ended) }).toMatchObject({ refuses: true });
  });

  test.skipIf(process.getuid?.() !== 0)("the socket is another user's", async () => {
    const place = placeOfClient();
    mkdirSync(folderOf(place), { recursive: true, mode: 0o700 });
    await reading(place, (socket) => socket.end(http('hooks-1 0\no\ne\nend\n')));
    chownSync(join(folderOf(place), NAME), 1, 1);
    const ended = await place.run('claude-code', command('claude-code', place.args), rm);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('refused 1') });
  });
});

describe('the hook starts cold or refuses if', () => {
  test('other users may write to the folder of sockets, and no worker listens there', async (context) => {
    const place = placeOf(counting, published);
    mkdirSync(folderOf(place), { recursive: true });
    chmodSync(join(place.cwd, '.config/hooks/warm'), 0o777);
    expect(await worker(place, 'claude-code', context)).toBeUndefined();
  });

  test('the policy is in an endless loop in the worker, which is killed', async (context) => {
    const loops = `export default { name: 'policy', register: (hooks) =>
      hooks.on(core.BeforeToolCall, () => { for (;;); }) };`;
    const place = placeOf(
      { name: 'loop', policy: loops, env: { NODE_OPTIONS: '--require ./hasty.cjs' } },
      published,
    );
    writeFileSync(join(place.cwd, 'hasty.cjs'), HASTY);
    expect(await worker(place, 'claude-code', context)).toBeDefined();
    const ended = await place.run('claude-code', command('claude-code', place.args), rm);
    expect(refuses(ended)).toBe(true);
  });

  test('the worker is killed while it answers', async (context) => {
    const killed = `export default { name: 'policy', register: (hooks) =>
      hooks.on(core.BeforeToolCall, () => process.kill(process.pid, 'SIGKILL')) };`;
    const place = placeOf({ name: 'killed', policy: killed }, published);
    await worker(place, 'claude-code', context);
    const ended = await place.run('claude-code', command('claude-code', place.args), rm);
    expect(refuses(ended)).toBe(true);
  });
});

/** Shortens five minutes. */
const HASTY = `const { setTimeout, setInterval } = globalThis;
globalThis.setTimeout = (handler, ms, ...args) => setTimeout(handler, ms === 300_000 ? 300 : ms, ...args);
globalThis.setInterval = (handler, ms, ...args) => setInterval(handler, ms === 30_000 ? 5 : ms, ...args);`;

/** Listens on the socket instead of a worker. */
async function listening(place: FaultyPlace, answer: (socket: Socket) => unknown): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => answer(socket));
  });
  // A socket's path is limited to 100 bytes, so listen on a short one and move the socket.
  server.listen(join(place.cwd, 's'));
  await once(server, 'listening');
  renameSync(join(place.cwd, 's'), join(folderOf(place), NAME));
  server.unref();
  return server;
}

/** Listens instead of a worker and requests the event, as a worker does. */
function reading(place: FaultyPlace, answer: (socket: Socket) => unknown): Promise<Server> {
  return listening(place, (socket) => {
    socket.write('HTTP/1.1 100 Continue\r\n\r\n');
    socket.once('data', () => answer(socket));
  });
}

/** Stops listening but leaves the socket. */
async function kill(server: Server, place: FaultyPlace): Promise<void> {
  server.close();
  await once(server, 'close');
  expect(existsSync(join(folderOf(place), NAME))).toBe(true);
}

async function elsewhere(place: FaultyPlace): Promise<void> {
  await reading(place, (socket) => socket.end(http('hooks-1 0\no\ne\nend\n')));
  const warm = join(place.cwd, '.config/hooks/warm');
  renameSync(warm, join(place.cwd, 'elsewhere'));
  symlinkSync(join(place.cwd, 'elsewhere'), warm);
}

function http(body: string, length = body.length): string {
  return `HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n${body}`;
}
