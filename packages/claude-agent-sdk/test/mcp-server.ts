import { setTimeout } from 'node:timers/promises';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

/*
 * An MCP server in a process of its own, whose results Claude Code keeps in more places than the answer of the model.
 */

const SECRET = 'S3CR3T-42';
const server = new McpServer({ name: 'outside', version: '1.0.0' });
const text = (said: string) => ({ type: 'text' as const, text: said });
server.registerTool('plain', {}, () => ({ content: [text(SECRET)] }));
server.registerTool('structured', { outputSchema: { value: z.string() } }, () => ({
  content: [text(SECRET)],
  structuredContent: { value: SECRET },
}));
server.registerTool('large', {}, () => ({ content: [text(`${SECRET} filler `.repeat(20_000))] }));
server.registerTool('image', {}, () => ({
  content: [{ type: 'image', data: Buffer.from(SECRET).toString('base64'), mimeType: 'image/png' }],
}));
// Longer than the test lets a call wait.
server.registerTool('slow', {}, async () => {
  await setTimeout(1500);
  return { content: [text(SECRET)] };
});
await server.connect(new StdioServerTransport());
