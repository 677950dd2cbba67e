import { BeforeToolCall, block, createHooks, proceed } from '@hooks/core';
import { hookedAgent } from '@hooks/mastra';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';

const shell = createTool({
  id: 'shell',
  description: 'Runs a command.',
  inputSchema: z.object({ command: z.string() }),
  execute: async ({ command }) => `ran ${command}`,
});

const hooks = createHooks();
hooks.guard(BeforeToolCall.for(shell), ({ input }) =>
  input.command.includes('rm -rf')
    ? block('Name the folder that you want to delete.')
    : proceed(),
);

const agent = hookedAgent(
  {
    id: 'ops',
    name: 'Ops',
    instructions: 'Help.',
    model: 'openai/gpt-5',
    tools: { shell },
  },
  hooks,
);

const { text } = await agent.generate('Delete everything.');
console.log(text); // I was told: Name the folder that you want to delete.
