import { AfterToolCall, BeforeToolCall, createHooks, modify, proceed } from '@hooks/core';
import { createAgent, tool } from 'langchain';
import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { createHookedAgent, hookTool, hookTools } from '../src/index.ts';

const hooks = createHooks();
const search = tool(async ({ query, limit }) => `${query} ${limit}`, {
  name: 'search',
  description: 'Searches.',
  schema: z.object({ query: z.string(), limit: z.number().default(3) }),
});

test('a hooked tool has the type of the tool', () => {
  expectTypeOf(hookTool(search, hooks)).toEqualTypeOf(search);
  expectTypeOf(hookTools({ search }, hooks).search).toEqualTypeOf(search);
  expectTypeOf(hookTools([search], hooks)[0]).toEqualTypeOf(search);
});

test('for(tool) knows the input before defaults, and the output', () => {
  hooks.on(BeforeToolCall.for(search), (call) => {
    expectTypeOf(call.input).toEqualTypeOf<{ query: string; limit?: number | undefined }>();
    return modify({ input: { query: call.input.query } });
  });
  hooks.on(AfterToolCall.for(search), (call) => {
    expectTypeOf(call.output).toEqualTypeOf<string | undefined>();
    return proceed();
  });
  // @ts-expect-error a patch must fit the tool's input
  hooks.on(BeforeToolCall.for(search), () => modify({ input: { query: 1 } }));
});

test('a hooked agent has the type of the agent', () => {
  const model = 'openai:gpt-4o';
  expectTypeOf(createHookedAgent({ model, tools: [search] }, hooks)).toEqualTypeOf(
    createAgent({ model, tools: [search] }),
  );
  const format = z.object({ answer: z.string() });
  expectTypeOf(createHookedAgent({ model, tools: [search], responseFormat: format }, hooks)).toEqualTypeOf(
    createAgent({ model, tools: [search], responseFormat: format }),
  );
});
