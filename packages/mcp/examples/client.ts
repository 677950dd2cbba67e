import { BeforeToolCall, block, createHooks, proceed } from '@hooks/core';
import { hookTransport } from '@hooks/mcp';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const hooks = createHooks();
hooks.guard(BeforeToolCall.matching('read_.*'), ({ input }) => {
  const { path } = input as { readonly path?: string };
  return path?.endsWith('.env') ? block('Read no .env files.') : proceed();
});

const transport = new StdioClientTransport({
  command: 'npx',
  args: ['@modelcontextprotocol/server-filesystem', '.'],
});
const client = new Client({ name: 'my-agent', version: '1.0.0' });
await client.connect(hookTransport(transport, hooks));

const { content } = await client.callTool({
  name: 'read_text_file',
  arguments: { path: '.env' },
});
console.log(content); // [ { type: 'text', text: 'Read no .env files.' } ]
await client.close();
