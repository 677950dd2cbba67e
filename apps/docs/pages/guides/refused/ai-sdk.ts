import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { hookedAgent } from '@hooks/ai-sdk';
import { tool } from 'ai';
import { z } from 'zod';
import { hooks } from './policy.ts';

const openai = createOpenAICompatible({
  name: 'openai',
  baseURL: process.env['OPENAI_BASE_URL'] ?? 'https://api.openai.com/v1',
  apiKey: process.env['OPENAI_API_KEY'] ?? '',
});
const pay = tool({
  description: 'Pays.',
  inputSchema: z.object({ euros: z.number() }),
  execute: async ({ euros }) => `paid ${euros}`,
});
const agent = hookedAgent({ model: openai('gpt-5'), tools: { pay } }, hooks);

async function answer(prompt: string): Promise<string> {
  const result = await agent.generate({ prompt });
  return result.text;
}

console.log(await answer('What is his salary?')); // Ask the HR desk.
console.log(await answer('Pay 5 euros.')); // Payments are closed.
