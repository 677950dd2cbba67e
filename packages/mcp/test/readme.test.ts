import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { examplesOf } from '@hooks/testing/examples';
import { freePort } from '@hooks/testing/servers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect, onTestFinished, test } from 'vitest';
import { withSupportTable } from '../scripts/support-table.ts';
import { textOf } from './connect.ts';
import { connectTo, startServer } from './http.ts';

const folder = new URL('..', import.meta.url);
const example = (name: string): string => {
  const found = examplesOf(folder).find((each) => each.name === name);
  return fileURLToPath(found?.file ?? folder);
};
const source = '--conditions=@hooks/source';

test('SUPPORT.md is up to date with the data (pnpm --filter @hooks/mcp generate)', () => {
  const page = readFileSync(new URL('../SUPPORT.md', import.meta.url), 'utf8');
  expect(withSupportTable(page)).toBe(page);
});

test('the proxy of the README guards the filesystem server', async () => {
  const cwd = fileURLToPath(folder);
  const client = new Client({ name: 'reader', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [source, example('proxy')],
      cwd,
      stderr: 'ignore',
    }),
  );
  onTestFinished(() => client.close());
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toContain('read_text_file');
  expect(names).not.toContain('write_file');
  const read = (path: string) => client.callTool({ name: 'read_text_file', arguments: { path } });
  expect(textOf(await read(join(cwd, 'package.json')))).toContain('"@hooks/mcp"');
  expect(textOf(await read(join(cwd, '.env')))).toBe('error: Read no .env files.');
});

test('the client of the README reads no .env', async () => {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [source, example('client')], { cwd: fileURLToPath(folder) });
  expect(stdout).toBe("[ { type: 'text', text: 'Read no .env files.' } ]\n");
});

test('the gateway of the README logs calls', async () => {
  const { url, stop } = await startServer('sessions');
  onTestFinished(stop);
  const port = await freePort();
  const child = spawn(process.execPath, [source, example('gateway')], {
    env: { ...process.env, FILES_URL: url, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill());
  const there = () => fetch(`http://127.0.0.1:${port}/`).then(({ status }) => status);
  await expect.poll(() => there().catch(() => 0)).toBe(404);
  const { client } = await connectTo(`http://127.0.0.1:${port}/files`, 'v1');
  await client.callTool({ name: 'echo', arguments: { q: 'x' } });
  const [said] = await once(child.stdout, 'data');
  expect(String(said)).toMatch(/^files:\S+ echo ok\n$/);
});
