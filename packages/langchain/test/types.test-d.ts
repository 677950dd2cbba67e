import { AfterToolCall, BeforeToolCall, createHooks, modify, proceed } from '@hooks/core';
import { createAgent, createMiddleware, dynamicSystemPromptMiddleware, tool } from 'langchain';
import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { createHookedAgent, hooksMiddleware, hookTool, hookTools, type NativeRun } from '../src/index.ts';

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

test('`principal` knows the context of the agent', () => {
  const contextSchema = z.object({ user: z.string() });
  createHookedAgent({ model: 'openai:gpt-4o', contextSchema }, hooks, {
    principal({ context, configurable }) {
      expectTypeOf(context).toEqualTypeOf<{ user: string }>();
      expectTypeOf(configurable['thread_id']).toEqualTypeOf<unknown>();
      return { id: context.user };
    },
  });
  const principal = ({ context }: NativeRun<{ user?: string } | undefined>) =>
    context?.user === undefined ? undefined : { id: context.user };
  hooksMiddleware(hooks, { principal });
  hookTool(search, hooks, { principal });
  // @ts-expect-error an id is text
  hookTool(search, hooks, { principal: () => ({ id: 1 }) });
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

test('inline functions of an agent are typed as in createAgent', async () => {
  const contextSchema = z.object({ user: z.string() });
  const stateSchema = z.object({ count: z.number().default(0) });
  const model = 'openai:gpt-4o';
  const counting = createMiddleware({
    name: 'counting',
    stateSchema: z.object({ calls: z.number().default(0) }),
    beforeModel: ({ calls }) => ({ calls: calls + 1 }),
  });
  const agent = createHookedAgent(
    { model, tools: [search], contextSchema, stateSchema, middleware: [counting] },
    hooks,
  );
  expectTypeOf(agent).toEqualTypeOf(
    createAgent({ model, tools: [search], contextSchema, stateSchema, middleware: [counting] }),
  );
  const { count } = await agent.invoke({ messages: [], count: 1 }, { context: { user: 'ann' } });
  expectTypeOf(count).toEqualTypeOf<number>();
  createHookedAgent(
    {
      model: 'openai:gpt-4o',
      tools: [search],
      middleware: [
        dynamicSystemPromptMiddleware<{ user: string }>((_state, { context }) => `For ${context.user}.`),
      ],
    },
    hooks,
  );
});

test('an agent is refused where createAgent refuses it', () => {
  const model = 'openai:gpt-4o';
  // @ts-expect-error It is called `tools`.
  createHookedAgent({ model, tolls: [search] }, hooks);
  // @ts-expect-error A model is required.
  createHookedAgent({ tools: [search] }, hooks);
  // @ts-expect-error It is called `approval`.
  createHookedAgent({ model }, hooks, { aproval: 'native' });
});
