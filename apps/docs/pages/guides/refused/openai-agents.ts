import { hookedRunner } from '@hooks/openai-agents';
import { Agent, Runner, tool } from '@openai/agents';
import { z } from 'zod';
import { hooks } from './policy.ts';

const pay = tool({
  name: 'pay',
  description: 'Pays.',
  parameters: z.object({ euros: z.number() }),
  execute: async ({ euros }) => `paid ${euros}`,
});
const agent = new Agent({ name: 'Clerk', tools: [pay] });
const runner = hookedRunner(new Runner(), hooks);

async function answer(prompt: string): Promise<string> {
  const result = await runner.run(agent, prompt);
  return result.finalOutput ?? '';
}

console.log(await answer('What is his salary?')); // Ask the HR desk.
console.log(await answer('Pay 5 euros.')); // Payments are closed.
