import { conversation, hookedAgent, pendingApprovals } from '@hooks/ai-sdk';
import { BeforeToolCall, createHooks, requireApproval } from '@hooks/core';
import { type ModelMessage, tool } from 'ai';
import { z } from 'zod';
import { model } from './model.ts';

const deploy = tool({
  description: 'Deploys.',
  inputSchema: z.object({ target: z.string() }),
  execute: async ({ target }) => `deployed to ${target}`,
});

const hooks = createHooks();
hooks.guard(BeforeToolCall.matching('deploy'), () =>
  requireApproval('Deploy to production?'),
);

const agent = hookedAgent(
  {
    model,
    tools: { deploy },
    experimental_toolApprovalSecret:
      process.env['APPROVAL_SECRET'] ?? crypto.randomUUID(),
  },
  hooks,
  { approval: 'native' },
);

const asked: ModelMessage[] = [{ role: 'user', content: 'Deploy.' }];
const paused = await agent.generate({ messages: asked });
const [pending] = await pendingApprovals(paused);
console.log(pending?.reason); // Deploy to production?

const messages = await conversation(asked, paused);
const request = paused.content.find(
  (part) => part.type === 'tool-approval-request',
);
messages.push({
  role: 'tool',
  content: [
    {
      type: 'tool-approval-response',
      approvalId: request?.approvalId ?? '',
      approved: true,
    },
  ],
});
const { text } = await agent.generate({ messages });
console.log(text); // I was told: deployed to prod
