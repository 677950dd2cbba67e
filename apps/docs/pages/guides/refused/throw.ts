import { blockReason, hookedRunner } from '@hooks/openai-agents';
import { Agent, Runner } from '@openai/agents';
import { hooks } from './policy.ts';

const agent = new Agent({ name: 'Clerk' });
const runner = hookedRunner(new Runner(), hooks, { refused: 'throw' });

try {
  await runner.run(agent, 'What is his salary?');
} catch (error) {
  const reason = blockReason(error);
  if (reason === undefined) throw error; // no refusal: something is broken
  console.log(reason); // Ask the HR desk.
}
