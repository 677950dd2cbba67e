import { createHooks, modify, TransformToolResult } from '@hooks/core';
import { hookedAgent } from '@hooks/mastra';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';

const readFile = createTool({
  id: 'read-file',
  description: 'Reads a file.',
  inputSchema: z.object({ path: z.string() }),
  execute: async () => 'OPENAI_API_KEY=sk-0123456789abcdef',
});

const hooks = createHooks();
hooks.on(TransformToolResult, ({ output }) =>
  modify({ output: String(output).replace(/sk-\w+/g, '[redacted]') }),
);

const agent = hookedAgent(
  {
    id: 'dev',
    name: 'Dev',
    instructions: 'Help.',
    model: 'openai/gpt-5',
    tools: { readFile },
  },
  hooks,
);

const { text } = await agent.generate('What is in .env?');
console.log(text); // I was told: OPENAI_API_KEY=[redacted]
