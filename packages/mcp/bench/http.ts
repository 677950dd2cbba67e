/** Measures a tool call over HTTP: directly, and through a gateway. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Contestant, measure, report } from '@hooks/testing/bench';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

async function start(file: string, ...args: readonly string[]): Promise<number> {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, ['--conditions=@hooks/source', path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.on('exit', () => child.kill());
  const [port] = await once(child.stdout, 'data');
  return Number(String(port));
}

async function contestant(name: string, url: string): Promise<Contestant> {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return {
    name,
    async run(times) {
      for (let call = 0; call < times; call++) await client.callTool({ name: 'echo', arguments: { q: 'x' } });
    },
  };
}

const url = `http://127.0.0.1:${await start('../test/programs/server.ts', 'sessions')}/mcp`;
const through = async (which: string) => `http://127.0.0.1:${await start('gateway.ts', which, url)}/up`;
const contestants = [
  await contestant('directly', url),
  await contestant('through a process that copies bytes', await through('relay')),
  await contestant('through a gateway, no hook', await through('none')),
  await contestant('through a gateway, a guard and a redaction', await through('two')),
];
const targets = { 'through a gateway, no hook': 2.2, 'through a gateway, a guard and a redaction': 2.2 };
report('a tool call over HTTP', await measure(contestants, 50, 21), targets);
process.exit(0);
