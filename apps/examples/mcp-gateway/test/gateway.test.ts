import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { freePort } from '@hooks/testing/servers';
import {
  Client,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { all, image, instructions } from './container.ts';

const require = createRequire(import.meta.url);
const everything = require.resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);
const packageJson = new URL('../package.json', import.meta.url);
const key = `ghp_${'aB3dE5fG7h'.repeat(3)}xY1zW2`;

const container = image();
const files = readdirSync(container.folder);
let url: URL;
let upstream: Awaited<ReturnType<typeof start>>;
let gateway: Awaited<ReturnType<typeof start>>;

/** Starts a program. Resolves when it prints that it is listening, with what it has printed. */
async function start(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env: Record<string, string> },
) {
  const env = { ...process.env, ...options.env };
  const child = spawn(program, args, { ...options, env });
  let printed = '';
  await new Promise<void>((resolve, reject) => {
    child.once('close', () => reject(new Error(`It ended: ${printed}`)));
    for (const output of [child.stdout, child.stderr])
      output.on('data', (text: Buffer) => {
        printed += text;
        if (printed.includes('listening on port')) resolve();
      });
  });
  return Object.assign(child, { printed });
}

beforeAll(async () => {
  const [port, upstreamPort] = [await freePort(), await freePort()];
  url = new URL(`http://127.0.0.1:${port}/tools`);
  const args = [everything, 'streamableHttp'];
  const env = { PORT: String(upstreamPort) };
  upstream = await start(process.execPath, args, { env });
  const settings = {
    NODE_OPTIONS: '--conditions=@hooks/source',
    UPSTREAM_URL: `http://127.0.0.1:${upstreamPort}/mcp`,
    UPSTREAM_AUTHORIZATION: 'Bearer of-the-gateway',
    CLIENTS: JSON.stringify({ 'of-ann': 'ann', 'of-bob': 'bob' }),
    ...{ HOST: '127.0.0.1', PORT: String(port) },
  };
  gateway = await start(container.program, container.args, {
    cwd: container.folder,
    env: { ...container.env, ...settings },
  });
});

afterAll(() => {
  upstream?.kill();
  gateway?.kill();
});

/** A client of the MCP SDK. */
async function connect(token: string) {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const headers = { authorization: `Bearer ${token}` };
  const requestInit = { headers };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return {
    client,
    call: async (name: string, given: Record<string, unknown> = {}) => {
      const { content } = await client.callTool({ name, arguments: given });
      return content.map((part) => (part.type === 'text' ? part.text : ''))[0];
    },
  };
}

test('the container file pins its image, installs what the example needs, and gives up root at the end', () => {
  expect(all('FROM')).toEqual([
    expect.stringMatching(/^node:\d+\.\d+\.\d+-\w/),
  ]);
  const { dependencies } = JSON.parse(readFileSync(packageJson, 'utf8')) as {
    readonly dependencies: object;
  };
  const [install = ''] = all('RUN');
  expect(install.split(' ').filter((word) => !word.startsWith('-'))).toEqual([
    ...['npm', 'install'],
    ...Object.keys(dependencies),
  ]);
  expect(all('USER')).toEqual(['node']);
  // Root has written each file, and nobody may write to it.
  const names = instructions.map(({ name }) => name);
  expect(names.lastIndexOf('COPY')).toBeLessThan(names.indexOf('USER'));
  for (const copy of all('COPY')) expect(copy).toMatch(/^--chmod=444 /);
});

test('the gateway that the container runs blocks and redacts as its policy says', async () => {
  const { client, call } = await connect('of-ann');
  const { tools } = await client.listTools();
  expect(tools.length).toBeGreaterThan(5);
  expect(await call('echo', { message: 'hi' })).toBe('Echo: hi');
  const redacted = await call('echo', { message: key });
  expect(redacted).toMatch(/^Echo: /);
  expect(redacted).not.toContain(key);
  expect(await call('get-env')).toMatch(/not allowed|denied|deny/i);
  await client.close();
});

test('each client of the gateway has thirty calls a minute', async () => {
  const bob = await connect('of-bob');
  const ann = await connect('of-ann');
  const answers: (string | undefined)[] = [];
  for (let n = 0; n < 31; n++)
    answers.push(await bob.call('echo', { message: 'hi' }));
  expect(answers.slice(0, 30)).toEqual(Array(30).fill('Echo: hi'));
  expect(answers[30]).toMatch(/rate-limit/);
  expect(await ann.call('echo', { message: 'hi' })).toBe('Echo: hi');
  await Promise.all([bob.client.close(), ann.client.close()]);
});

test('a client may write the scheme of its token as it likes', async () => {
  const headers = { authorization: 'bearer of-ann' };
  expect((await fetch(url, { method: 'POST', headers })).status).not.toBe(401);
});

test('a message of 2 MB, or of a length that the client does not say, gets 413 from the gateway', async () => {
  const headers = { authorization: 'Bearer of-ann' };
  const post = async (body: string | ReadableStream) => {
    const init = { method: 'POST', headers, body, duplex: 'half' };
    return (await fetch(url, init as RequestInit)).status;
  };
  expect(await post('x'.repeat(2_000_000))).toBe(413);
  expect(await post(new Blob(['{}']).stream())).toBe(413);
});

test('a client without a known token gets 401 from the gateway', async () => {
  const wrong = ['Bearer of-eve', 'of-ann', 'Basic of-ann', 'Bearer ', ''];
  const given = wrong.map((authorization) => ({ authorization }));
  for (const headers of [{}, ...given])
    expect((await fetch(url, { method: 'POST', headers })).status).toBe(401);
});

test('the gateway does not start with a client whose token is empty', async () => {
  // Such as of a variable that is not set: `{"$TOKEN":"ann"}`.
  const env = { ...container.env, CLIENTS: '{"":"ann"}', PORT: '0' };
  const settings = { NODE_OPTIONS: '--conditions=@hooks/source' };
  const options = { cwd: container.folder, env: { ...env, ...settings } };
  await expect(
    start(container.program, container.args, options),
  ).rejects.toThrow('It ended');
});

test.each<[string, Record<string, string>, RegExp]>([
  ...[
    '{secret:"ann"}',
    '{"secret":5}',
    '{"secret ":"ann"}',
    '{"secret":"ann","secret":"bob"}',
    '{"secret":"ann","\\u0073ecret":"bob"}',
    '{"secret":"ann","__proto__":"bob"}',
    '{"secret":"\\u2060"}',
    '["secret"]',
    'secret',
    '{}',
    '',
  ].map((CLIENTS): [string, Record<string, string>, RegExp] => [
    `CLIENTS is ${CLIENTS}`,
    { CLIENTS },
    /^It ended: CLIENTS has to be/,
  ]),
  ['PORT is abc', { PORT: 'abc' }, /^It ended: PORT is "abc"/],
  ...[
    ',',
    'https://a.test',
    'a.test/mcp',
    '*',
    'a.test b.test',
    'a.test:80',
    'localhost:0',
  ].map((HOSTS): [string, Record<string, string>, RegExp] => [
    `HOSTS is ${HOSTS}`,
    { HOSTS, PORT: '0' },
    /^It ended: hosts\.0: expected the host name/,
  ]),
  ['PORT is taken', {}, /^It ended: listen EADDRINUSE/],
  [
    'UPSTREAM_URL is none',
    { PORT: '0', UPSTREAM_URL: 'http://ann:secret@[' },
    /^It ended: upstreams\.tools\.url: expected/,
  ],
  [
    'UPSTREAM_AUTHORIZATION is none',
    { PORT: '0', UPSTREAM_AUTHORIZATION: 'Bearer secret\nx' },
    /^It ended: upstreams\.tools\.headers\.authorization: /,
  ],
])(
  'the gateway ends with a sentence, and prints no token, where %s',
  async (_what, settings, sentence) => {
    const env = {
      NODE_OPTIONS: '--conditions=@hooks/source',
      ...{ CLIENTS: '{"secret":"ann"}', HOST: '127.0.0.1', PORT: url.port },
      ...settings,
    };
    const { cwd, program, args } = { ...container, cwd: container.folder };
    const ended: unknown = await start(program, args, {
      cwd,
      env: { ...container.env, ...env },
    }).catch((error: Error) => error.message);
    expect(ended).toMatch(sentence);
    expect(ended).not.toContain('secret');
    expect(ended).not.toMatch(/\n./);
  },
);

test('the gateway of a container that gets no CLIENTS does not start', async () => {
  // `docker run --env CLIENTS` of a variable that is not set takes it out of the environment of the image, too.
  const { CLIENTS: _unset, ...image } = container.env as Record<string, string>;
  const env = { ...image, HOST: '127.0.0.1', PORT: '0' };
  const settings = { NODE_OPTIONS: '--conditions=@hooks/source' };
  const options = { cwd: container.folder, env: { ...env, ...settings } };
  await expect(
    start(container.program, container.args, options),
  ).rejects.toThrow('It ended: CLIENTS has to be');
});

test('a HOST that is empty does not open the gateway to the network', async () => {
  const env = { HOST: '', PORT: '0', CLIENTS: '{"of-ann":"ann"}' };
  const settings = { NODE_OPTIONS: '--conditions=@hooks/source' };
  const started = await start(container.program, container.args, {
    cwd: container.folder,
    env: { ...env, ...settings },
  });
  started.kill();
  expect(started.printed).toMatch(/ of 127\.0\.0\.1$/m);
});

test('the gateway writes no file, and ends when the container is stopped', async () => {
  expect(readdirSync(container.folder)).toEqual(files);
  gateway.kill('SIGTERM');
  expect(await once(gateway, 'exit')).toEqual([0, null]);
});
