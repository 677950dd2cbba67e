import { BeforeToolCall, createHooks, requireApproval } from '@hooks/core';
import { hookedRunner, pendingApprovals } from '@hooks/openai-agents';
import { Agent, Runner, tool } from '@openai/agents';
import { z } from 'zod';

const remove = tool({
  name: 'remove',
  description: 'Removes a file.',
  parameters: z.object({ path: z.string() }),
  execute: async ({ path }) => `removed ${path}`,
});
const agent = new Agent({ name: 'Clerk', tools: [remove] });

const hooks = createHooks();
hooks.on(BeforeToolCall.for(remove), () =>
  requireApproval('It cannot be brought back.'),
);

const runner = hookedRunner(new Runner(), hooks, { approval: 'native' });
let result = await runner.run(agent, 'Remove notes.txt.');
for (const { toolName, input, reason } of await pendingApprovals(result))
  console.log(toolName, input, reason);

for (const call of result.interruptions) result.state.approve(call);
result = await runner.run(agent, result.state);
console.log(result.finalOutput);
// remove { path: 'notes.txt' } It cannot be brought back.
// It is gone.
