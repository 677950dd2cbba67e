/**
 * A real MCP server over stdio. Its arguments are a directory and the name of its tool, which takes a city: it appends
 * the city to the file `asked` and answers with what stands in the file `answer`, where `{city}` is the city.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const [, , directory = '', tool = ''] = process.argv;
const server = new McpServer({ name: 'stations', version: '1.0.0' });

server.registerTool(
  tool,
  { description: 'Tells the weather of a city.', inputSchema: { city: z.string() } },
  ({ city }) => {
    appendFileSync(join(directory, 'asked'), `${city}\n`);
    const answer = readFileSync(join(directory, 'answer'), 'utf8');
    return { content: [{ type: 'text', text: answer.replace('{city}', city) }] };
  },
);

await server.connect(new StdioServerTransport());
