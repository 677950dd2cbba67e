/** Measures a tool call over stdio: directly, through a proxy, and through a hooked transport. */
import { fileURLToPath } from 'node:url';
import { createHooks, type Hooks } from '@hooks/core';
import { type Contestant, measure, report } from '@hooks/testing/bench';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { hookTransport } from '../src/index.ts';
import { guardAndRedaction } from './hooks.ts';

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const source = '--conditions=@hooks/source';
const server = [path('../test/programs/server.ts'), 'stdio'];

async function contestant(name: string, args: readonly string[], hooks?: Hooks): Promise<Contestant> {
  const client = new Client({ name: 'bench', version: '1' });
  const transport = new StdioClientTransport({ command: process.execPath, args: [...args] });
  await client.connect(hooks === undefined ? transport : hookTransport(transport, hooks));
  await client.listTools();
  return {
    name,
    async run(times) {
      for (let call = 0; call < times; call++) await client.callTool({ name: 'echo', arguments: { q: 'x' } });
    },
  };
}

const proxied = (hooks: string) => [source, path('proxy.ts'), hooks, process.execPath, ...server];
const contestants = [
  await contestant('directly', server),
  await contestant('through a process that copies bytes', [path('relay.ts'), process.execPath, ...server]),
  await contestant('through a proxy, no hook', proxied('none')),
  await contestant('through a proxy, a guard and a redaction', proxied('two')),
  await contestant('in the client, no hook', server, createHooks()),
  await contestant('in the client, a guard and a redaction', server, guardAndRedaction()),
];
const targets = {
  'in the client, no hook': 1.1,
  'in the client, a guard and a redaction': 1.1,
  'through a proxy, no hook': 1.6,
  'through a proxy, a guard and a redaction': 1.6,
};
report('a tool call over stdio', await measure(contestants, 300, 41), targets);
process.exit(0);
