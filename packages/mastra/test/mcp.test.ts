import { fileURLToPath } from 'node:url';
import { AfterToolCall, BeforeToolCall, block, createHooks, modify, proceed } from '@hooks/core';
import { MCPClient } from '@mastra/mcp';
import { afterEach, describe, expect, test } from 'vitest';
import { hooked } from '../src/index.ts';
import { callThenText, modelOf, quiet, readByModel, runAgent, serve } from './fixtures.ts';

const clients: MCPClient[] = [];

afterEach(async () => {
  for (const client of clients.splice(0)) await client.disconnect();
});

async function connect(...args: readonly string[]) {
  const server = fileURLToPath(new URL('./mcp-server.ts', import.meta.url));
  const client = new MCPClient({
    id: `test-${args.join('-')}-${Math.random()}`,
    servers: { ops: { command: process.execPath, args: ['--conditions=@hooks/source', server, ...args] } },
  });
  clients.push(client);
  return client.listTools();
}

describe('tools of an MCP server over stdio', () => {
  test.each([false, true])('are hooked as an agent’s tools (streamed: %s)', async (streaming) => {
    const tools = await connect();
    await using server = await serve(callThenText('ops_echo', { text: 'hello' }));
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on(BeforeToolCall, ({ toolName, tool, input }) => {
      seen.push([toolName, tool?.kind, tool?.server, input]);
      return modify({ input: { text: 'bye' } });
    });
    hooks.observe(AfterToolCall, ({ output }) => void seen.push(output));
    const agent = quiet(
      hooked({ id: 'a', name: 'a', instructions: '', model: modelOf(server), tools }, hooks),
    );
    await runAgent(agent, 'Go', streaming);
    expect(seen[0]).toEqual(['ops_echo', 'mcp', 'ops', { text: 'hello' }]);
    expect(JSON.stringify(seen[1])).toContain('bye');
    expect(readByModel(server)['c1']).toContain('bye');
  });

  test('are hooked as toolsets of one run', async () => {
    const tools = await connect();
    await using server = await serve(callThenText('ops_echo', { text: 'hello' }));
    const hooks = createHooks();
    hooks.guard(BeforeToolCall.matching('ops_.*'), () => block('Not over MCP.'));
    const agent = quiet(hooked({ id: 'a', name: 'a', instructions: '', model: modelOf(server) }, hooks));
    await runAgent(agent, 'Go', true, { toolsets: { ops: tools } });
    expect(readByModel(server)).toEqual({ c1: 'Not over MCP.' });
  });

  test('can be hooked in the server: who calls them reads the reason', async () => {
    const tools = await connect('guarded');
    await using server = await serve(callThenText('ops_echo', { text: 'hello' }));
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => proceed());
    const agent = quiet(
      hooked({ id: 'a', name: 'a', instructions: '', model: modelOf(server), tools }, hooks),
    );
    await runAgent(agent, 'Go', true);
    expect(readByModel(server)['c1']).toContain('The server says no.');
  });
});
