import { fileURLToPath } from 'node:url';
import { AfterToolCall, BeforeToolCall, block, createHooks, modify, proceed } from '@hooks/core';
import { MCPClient } from '@mastra/mcp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hookedAgent } from '../src/index.ts';
import { callThenText, modelOf, quiet, readByModel, runAgent, serve } from './fixtures.ts';

const client = new MCPClient({
  servers: {
    ops: {
      command: process.execPath,
      args: ['--conditions=@hooks/source', fileURLToPath(new URL('./mcp-server.ts', import.meta.url))],
    },
  },
});
let tools: Awaited<ReturnType<MCPClient['listTools']>>;

beforeAll(async () => {
  tools = await client.listTools();
});

afterAll(() => client.disconnect());

describe('tools of an MCP server over stdio', () => {
  test.each([false, true])('are hooked as an agent’s tools (streamed: %s)', async (streaming) => {
    await using server = await serve(callThenText('ops_echo', { text: 'hello' }));
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on(BeforeToolCall, ({ toolName, tool, input }) => {
      seen.push([toolName, tool?.kind, tool?.server, input]);
      return modify({ input: { text: 'bye' } });
    });
    hooks.observe(AfterToolCall, ({ output }) => void seen.push(output));
    const agent = quiet(
      hookedAgent({ id: 'a', name: 'a', instructions: '', model: modelOf(server), tools }, hooks),
    );
    await runAgent(agent, 'Go', streaming);
    expect(seen[0]).toEqual(['ops_echo', 'mcp', 'ops', { text: 'hello' }]);
    expect(JSON.stringify(seen[1])).toContain('bye');
    expect(readByModel(server)['c1']).toContain('bye');
  });

  test('are hooked as toolsets of one run', async () => {
    await using server = await serve(callThenText('ops_echo', { text: 'hello' }));
    const hooks = createHooks();
    hooks.guard(BeforeToolCall.matching('ops_.*'), () => block('Not over MCP.'));
    const agent = quiet(hookedAgent({ id: 'a', name: 'a', instructions: '', model: modelOf(server) }, hooks));
    await runAgent(agent, 'Go', true, { toolsets: { ops: tools } });
    expect(readByModel(server)).toEqual({ c1: 'Not over MCP.' });
  });

  test('can be hooked in the server: who calls them reads the reason', async () => {
    await using server = await serve(callThenText('ops_guarded', { text: 'hello' }));
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => proceed());
    const agent = quiet(
      hookedAgent({ id: 'a', name: 'a', instructions: '', model: modelOf(server), tools }, hooks),
    );
    await runAgent(agent, 'Go', true);
    expect(readByModel(server)['c1']).toContain('The server says no.');
  });
});
