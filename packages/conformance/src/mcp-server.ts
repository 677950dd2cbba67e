/**
 * A real MCP server over stdio. Takes a directory and the name of its tool. The tool takes a city, appends it to the
 * file `asked`, and returns the content of the file `answer`, with the city in place of `{city}`.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const [, , directory = '', tool = ''] = process.argv;
const server = new McpServer({ name: 'stations', version: '1.0.0' });

server.registerTool(
  tool,
  { description: 'Tells the weather of a city.', inputSchema: z.object({ city: z.string() }) },
  ({ city }) => {
    appendFileSync(join(directory, 'asked'), `${city}\n`);
    const answer = readFileSync(join(directory, 'answer'), 'utf8');
    return { content: [{ type: 'text', text: answer.replace('{city}', city) }] };
  },
);

await server.connect(new StdioServerTransport());
