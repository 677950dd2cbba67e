import { hookedAgent } from '@hooks/mastra';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';
import { hooks } from './policy.ts';

const pay = createTool({
  id: 'pay',
  description: 'Pays.',
  inputSchema: z.object({ euros: z.number() }),
  execute: async ({ euros }) => `paid ${euros}`,
});
const agent = hookedAgent(
  {
    id: 'clerk',
    name: 'Clerk',
    instructions: 'Help.',
    model: {
      id: 'custom/gpt-5',
      url: process.env['OPENAI_BASE_URL'] ?? 'https://api.openai.com/v1',
      apiKey: process.env['OPENAI_API_KEY'] ?? '',
    },
    tools: { pay },
  },
  hooks,
);

async function answer(prompt: string): Promise<string> {
  const result = await agent.generate(prompt);
  return result.text;
}

console.log(await answer('What is his salary?')); // Ask the HR desk.
console.log(await answer('Pay 5 euros.')); // Payments are closed.
