import { createHookedAgent } from '@hooks/langchain';
import { ChatOpenAI } from '@langchain/openai';
import { tool } from 'langchain';
import { z } from 'zod';
import { hooks } from './policy.ts';

const pay = tool(async ({ euros }) => `paid ${euros}`, {
  name: 'pay',
  description: 'Pays.',
  schema: z.object({ euros: z.number() }),
});
const model = new ChatOpenAI({ model: 'gpt-5' });
const agent = createHookedAgent({ model, tools: [pay] }, hooks);

async function answer(prompt: string): Promise<string> {
  const result = await agent.invoke({ messages: prompt });
  return result.messages.at(-1)?.text ?? '';
}

console.log(await answer('What is his salary?')); // Ask the HR desk.
console.log(await answer('Pay 5 euros.')); // Payments are closed.
