/** A real MCP server over stdio, with one tool. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'stations', version: '1.0.0' });
server.registerTool(
  'weather',
  { description: 'Tells it.', inputSchema: { city: z.string() }, annotations: { readOnlyHint: true } },
  ({ city }) => ({ content: [{ type: 'text', text: `sunny in ${city}` }] }),
);
await server.connect(new StdioServerTransport());
