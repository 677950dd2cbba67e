import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { z } from 'zod';
import type { McpServerSpec } from '../../src/index.ts';
import type { Tool } from './tool.ts';

/** Starts an MCP server and connects to it over stdio. */
export async function connect({ command, args }: McpServerSpec): Promise<{
  readonly tools: readonly Tool[];
  readonly close: () => Promise<void>;
}> {
  const client = new Client({ name: 'reference', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command, args: [...args] }));
  const { tools } = await client.listTools();
  return {
    tools: tools.map(({ name, description = '', inputSchema }) => ({
      name,
      description,
      kind: 'mcp',
      schema: z.fromJSONSchema(inputSchema as Parameters<typeof z.fromJSONSchema>[0]),
      execute: async (input: Record<string, unknown>) => {
        const { content } = await client.callTool({ name, arguments: input });
        return (content as readonly { readonly text?: string }[]).map(({ text }) => text).join('\n');
      },
    })),
    close: () => client.close(),
  };
}
