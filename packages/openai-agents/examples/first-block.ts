import { BeforeToolCall, block, createHooks, proceed } from '@hooks/core';
import { hookedRunner } from '@hooks/openai-agents';
import { Agent, Runner, tool } from '@openai/agents';
import { z } from 'zod';

const shell = tool({
  name: 'shell',
  description: 'Runs a command.',
  parameters: z.object({ command: z.string() }),
  execute: async ({ command }) => `ran ${command}`,
});
const agent = new Agent({ name: 'Clerk', tools: [shell] });

const hooks = createHooks();
hooks.guard(BeforeToolCall.for(shell), ({ input }) =>
  input.command.includes('rm -rf')
    ? block('Name the folder that you want to delete.')
    : proceed(),
);

const runner = hookedRunner(new Runner(), hooks);
const result = await runner.run(agent, 'Delete everything.');
console.log(result.finalOutput);
