/** An MCP server over stdio, with two tools. One of them is guarded in the server. */
import { BeforeToolCall, block, createHooks } from '@hooks/core';
import { createTool } from '@mastra/core/tools';
import { MCPServer } from '@mastra/mcp';
import { z } from 'zod';
import { hookTools } from '../src/index.ts';

const tool = (id: string) =>
  createTool({
    id,
    description: 'Says it again.',
    inputSchema: z.object({ text: z.string() }),
    execute: async ({ text }) => ({ said: text }),
  });

const hooks = createHooks();
hooks.guard(BeforeToolCall.matching('guarded'), () => block('The server says no.'));

const tools = hookTools({ echo: tool('echo'), guarded: tool('guarded') }, hooks);
await new MCPServer({ name: 'echo', version: '1.0.0', tools }).startStdio();
