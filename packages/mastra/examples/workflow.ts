import { BeforeToolCall, block, createHooks, proceed } from '@hooks/core';
import { hookTool } from '@hooks/mastra';
import { createTool } from '@mastra/core/tools';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { z } from 'zod';

const refund = createTool({
  id: 'refund',
  description: 'Pays back.',
  inputSchema: z.object({ amount: z.number() }),
  outputSchema: z.object({ paid: z.number() }),
  execute: async ({ amount }) => ({ paid: amount }),
});

const hooks = createHooks();
hooks.guard(BeforeToolCall.for(refund), ({ input }) =>
  input.amount > 100 ? block('More than 100 needs a person.') : proceed(),
);

const workflow = createWorkflow({
  id: 'refunds',
  inputSchema: z.object({ amount: z.number() }),
  outputSchema: z.object({ paid: z.number() }),
})
  .then(createStep(hookTool(refund, hooks)))
  .commit();

const run = await workflow.createRun();
const { status } = await run.start({ inputData: { amount: 50 } });
console.log(status); // success
