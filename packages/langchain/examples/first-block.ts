import { BeforeToolCall, block, createHooks, proceed } from '@hooks/core';
import { createHookedAgent } from '@hooks/langchain';
import { ChatOpenAI } from '@langchain/openai';
import { tool } from 'langchain';
import { z } from 'zod';

const shell = tool(async ({ command }) => `ran ${command}`, {
  name: 'shell',
  description: 'Runs a command.',
  schema: z.object({ command: z.string() }),
});

const hooks = createHooks();
hooks.guard(BeforeToolCall.for(shell), ({ input }) =>
  input.command.includes('rm -rf')
    ? block('Name the folder that you want to delete.')
    : proceed(),
);

const agent = createHookedAgent(
  { model: new ChatOpenAI({ model: 'gpt-5' }), tools: [shell] },
  hooks,
);
const { messages } = await agent.invoke({ messages: 'Delete everything.' });
for (const message of messages) console.log(`${message.type}: ${message.text}`);
