import { createHooks } from '@hooks/core';
import { generateText, isStepCount, streamText, type ToolLoopAgent, tool } from 'ai';
import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { hooked, hookedAgent, hookModel, hookTools } from '../src/index.ts';

const hooks = createHooks();
const add = tool({ inputSchema: z.object({ a: z.number() }), execute: async ({ a }) => ({ sum: a + 1 }) });
const model = hookModel('openai/gpt-5', hooks);

test('hookTools keeps the types of the tools', () => {
  const tools = { add };
  expectTypeOf(hookTools(tools, hooks)).toEqualTypeOf(tools);
});

test('hookedAgent gives the agent that its settings would make', () => {
  const agent = hookedAgent({ model, tools: { add } }, hooks);
  expectTypeOf(agent).toExtend<ToolLoopAgent<never, { add: typeof add }>>();
  expectTypeOf(hookedAgent(agent, hooks)).toEqualTypeOf(agent);
});

test('hooked keeps the types of the options, so that results have those of their tools', async () => {
  const options = hooked({ model, tools: { add }, prompt: 'Add.', stopWhen: isStepCount(3) }, hooks);
  const { toolResults } = await generateText(options);
  const [first] = toolResults;
  if (first?.dynamic !== true) expectTypeOf(first?.output).toEqualTypeOf<{ sum: number } | undefined>();
  expectTypeOf(streamText(options).text).toExtend<PromiseLike<string>>();
});
