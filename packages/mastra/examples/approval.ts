import { BeforeToolCall, createHooks, requireApproval } from '@hooks/core';
import { hookedAgent, pendingApprovals } from '@hooks/mastra';
import { Mastra } from '@mastra/core';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';

const deploy = createTool({
  id: 'deploy',
  description: 'Deploys.',
  inputSchema: z.object({ target: z.string() }),
  execute: async ({ target }) => `deployed to ${target}`,
});

const hooks = createHooks();
hooks.guard(BeforeToolCall.for(deploy), ({ input }) =>
  requireApproval(`Deploy to ${input.target}?`),
);

const agent = hookedAgent(
  {
    id: 'ops',
    name: 'Ops',
    instructions: 'Help.',
    model: 'openai/gpt-5',
    tools: { deploy },
  },
  hooks,
  {
    approval: 'native',
  },
);
new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });

const paused = await agent.generate('Deploy.');
const [pending] = await pendingApprovals(paused);
console.log(pending?.reason); // Deploy to prod?

const { text } = await agent.approveToolCallGenerate({
  runId: paused.runId ?? '',
  toolCallId: pending?.callId ?? '',
});
console.log(text); // I was told: deployed to prod
