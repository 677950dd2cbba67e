/** An MCP server over stdio. With the argument `guarded` its tools are hooked there. */
import { BeforeToolCall, block, createHooks } from '@hooks/core';
import { createTool } from '@mastra/core/tools';
import { MCPServer } from '@mastra/mcp';
import { z } from 'zod';
import { hookTools } from '../src/index.ts';

const echo = createTool({
  id: 'echo',
  description: 'Says it again.',
  inputSchema: z.object({ text: z.string() }),
  execute: async ({ text }) => ({ said: text }),
});

const hooks = createHooks();
if (process.argv.includes('guarded')) hooks.guard(BeforeToolCall, () => block('The server says no.'));

await new MCPServer({ name: 'echo', version: '1.0.0', tools: hookTools({ echo }, hooks) }).startStdio();
