// An MCP server over stdio with one tool; written by hand, so that no SDK of MCP is needed.
import { createInterface } from 'node:readline';

const read = {
  name: 'read',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'files', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [read] }),
  'tools/call': ({ arguments: { path } }) => ({ content: [{ type: 'text', text: `content of ${path}` }] }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined)
    process.stdout.write(
      `${JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]?.(params) ?? {} })}\n`,
    );
}
