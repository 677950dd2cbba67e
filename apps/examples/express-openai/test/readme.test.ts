import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { expect, test } from 'vitest';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const readme = readFileSync(file('../README.md'), 'utf8');
const [, commands = '', prints = ''] = [
  ...readme.matchAll(/^```(?:sh|text)\n(.*?)^```$/gms),
].map(([, block]) => block);
const [variables = '', ask = '', list = '', approve = '', show = ''] =
  commands.split('\n');

const hasCurl = await promisify(execFile)('curl', ['--version']).then(
  () => true,
  () => false,
);

test.skipIf(!hasCurl)(
  `the README's commands ask, approve and show who approved${hasCurl ? '' : ' (not run: no curl)'}`,
  async () => {
    const program = spawn(
      process.execPath,
      ['--conditions=@hooks/source', file('../src/main.ts')],
      {
        cwd: temporaryFolder(),
        env: { ...process.env, PORT: '0', OPENAI_API_KEY: '' },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    try {
      const [url] = await once(createInterface(program.stdout), 'line');
      const run = async (command: string, id = ''): Promise<string> => {
        const script = `${variables}; url=${url}; ${command.replace(/<id .*>/, id)}`;
        return (await promisify(execFile)('sh', ['-ec', script])).stdout;
      };
      const chat: { id: string } = JSON.parse(await run(ask));
      let requests: readonly { id: string }[] = [];
      while (requests.length === 0) requests = JSON.parse(await run(list));
      expect(await run(approve, requests[0]?.id)).toBe('"Answered."');
      let shown = '';
      while (!shown.includes('"answer"')) shown = await run(show, chat.id);
      expect(`${shown}\n`).toBe(prints);
    } finally {
      program.kill();
    }
  },
);

test('the service says in a line that its port is taken, or no port', async () => {
  await using other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const says = async (PORT: string): Promise<string> => {
    const started = promisify(execFile)(
      process.execPath,
      ['--conditions=@hooks/source', file('../src/main.ts')],
      { cwd: temporaryFolder(), env: { ...process.env, PORT } },
    );
    return (await started.catch((error) => error)).stderr;
  };
  expect(await says(String(port))).toBe(
    `listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`,
  );
  expect(await says('http')).toBe(
    'PORT is "http". It has to be a number from 0 to 65535.\n',
  );
});
