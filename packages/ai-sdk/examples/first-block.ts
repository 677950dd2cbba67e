import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { hookedAgent } from '@hooks/ai-sdk';
import { BeforeToolCall, block, createHooks, proceed } from '@hooks/core';
import { tool } from 'ai';
import { z } from 'zod';

const openai = createOpenAICompatible({
  name: 'openai',
  baseURL: process.env['OPENAI_BASE_URL'] ?? 'https://api.openai.com/v1',
  apiKey: process.env['OPENAI_API_KEY'] ?? '',
});

const shell = tool({
  description: 'Runs a command.',
  inputSchema: z.object({ command: z.string() }),
  execute: async ({ command }) => `ran ${command}`,
});

const hooks = createHooks();
hooks.guard(
  BeforeToolCall.matching('shell', z.object({ command: z.string() })),
  ({ input }) =>
    input.command.includes('rm -rf')
      ? block('Name the folder that you want to delete.')
      : proceed(),
);

const agent = hookedAgent(
  { model: openai('gpt-5'), instructions: 'Help.', tools: { shell } },
  hooks,
);

const { text } = await agent.generate({ prompt: 'Delete everything.' });
console.log(text); // I was told: Name the folder that you want to delete.
