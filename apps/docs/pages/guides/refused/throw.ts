import { blockReason, hookedRunner } from '@hooks/openai-agents';
import { Agent, Runner } from '@openai/agents';
import { hooks } from './policy.ts';

const agent = new Agent({ name: 'Clerk' });
const runner = hookedRunner(new Runner(), hooks, { refused: 'throw' });

async function answer(prompt: string): Promise<string> {
  try {
    const result = await runner.run(agent, prompt);
    return result.finalOutput ?? '';
  } catch (error) {
    const reason = blockReason(error);
    if (reason === undefined) throw error; // no refusal: something is broken
    return `Refused. ${reason}`;
  }
}

console.log(await answer('What is his salary?')); // Refused. Ask the HR desk.
