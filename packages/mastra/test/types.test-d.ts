import { AfterToolCall, BeforeToolCall, createHooks, modify, proceed } from '@hooks/core';
import { Agent } from '@mastra/core/agent';
import type { RequestContext } from '@mastra/core/request-context';
import { createTool } from '@mastra/core/tools';
import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent, hookTool, hookTools } from '../src/index.ts';

const hooks = createHooks();
const add = createTool({
  id: 'add',
  description: 'Adds.',
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  outputSchema: z.object({ sum: z.number() }),
  execute: async ({ a, b }) => ({ sum: a + b }),
});
const say = createTool({ id: 'say', description: 'Says.', execute: async () => 'hi' });

test('a hooked tool is of the tool’s own type', () => {
  expectTypeOf(hookTool(add, hooks)).toEqualTypeOf<typeof add>();
  expectTypeOf(hookTools({ add, say }, hooks)).toEqualTypeOf<{ add: typeof add; say: typeof say }>();
});

test('a hooked agent is of the type that new Agent gives', () => {
  const config = { id: 'a', name: 'a', instructions: '', model: 'openai/gpt-5', tools: { add } } as const;
  const made = new Agent(config);
  expectTypeOf(hookedAgent(config, hooks)).toEqualTypeOf<typeof made>();
  expectTypeOf(hookedAgent(made, hooks)).toEqualTypeOf<typeof made>();
});

test('inline functions of a config are typed as in new Agent', () => {
  const requestContextSchema = z.object({ user: z.string() });
  const base = { id: 'a', name: 'a', model: 'openai/gpt-5', requestContextSchema } as const;
  const agent = hookedAgent(
    {
      ...base,
      instructions: ({ requestContext }) => `For ${requestContext.get('user').toUpperCase()}.`,
      tools: ({ requestContext }) => (requestContext.get('user') === 'ann' ? { add } : { add }),
      defaultOptions: {
        maxSteps: 3,
        prepareStep: ({ stepNumber }) =>
          stepNumber === 0 ? { activeTools: ['add'], toolChoice: 'required' } : {},
        onFinish: ({ text }) => void text.length,
      },
    },
    hooks,
  );
  expectTypeOf(agent.id).toEqualTypeOf<'a'>();
  hookedAgent(
    {
      id: 'a',
      name: 'a',
      model: 'openai/gpt-5',
      instructions: '',
      tools: {
        inline: createTool({
          id: 'inline',
          description: '',
          inputSchema: z.object({ a: z.number() }),
          execute: async ({ a }) => a.toFixed(),
        }),
      },
    },
    hooks,
  );
});

test('a config is refused where new Agent refuses it', () => {
  const config = { id: 'a', name: 'a', instructions: '', model: 'openai/gpt-5' } as const;
  // @ts-expect-error It is called `tools`.
  hookedAgent({ ...config, tolls: { add } }, hooks);
  // @ts-expect-error A model is required.
  hookedAgent({ id: 'a', name: 'a', instructions: '' }, hooks);
  // @ts-expect-error It is called `maxSteps`.
  hookedAgent({ ...config, defaultOptions: { maxStep: 3 } }, hooks);
  // @ts-expect-error It is called `approval`.
  hookedAgent(config, hooks, { aproval: 'native' });
});

test('`principal` knows the request context of the agent', () => {
  const requestContextSchema = z.object({ user: z.string() });
  const config = { id: 'a', name: 'a', instructions: '', model: 'openai/gpt-5' } as const;
  hookedAgent({ ...config, requestContextSchema }, hooks, {
    principal: (context) => ({ id: context.get('user').toUpperCase() }),
  });
  hookedAgent(new Agent({ ...config, requestContextSchema }), hooks, {
    principal: (context) => ({ id: context.get('user') }),
  });
  const principal = (context: RequestContext) => ({ id: String(context.get('user')) });
  hookedAgent(config, hooks, { principal });
  hookTool(add, hooks, { principal });
  // @ts-expect-error an id is text
  hookTool(add, hooks, { principal: () => ({ id: 1 }) });
});

test('hooks on a tool know its input and output', () => {
  hooks.on(BeforeToolCall.for(add), ({ input }) => {
    expectTypeOf(input).toEqualTypeOf<{ a: number; b: number }>();
    return input.a > 0 ? modify({ input: { a: 1, b: 2 } }) : proceed();
  });
  hooks.observe(AfterToolCall.for(add), ({ output }) => {
    expectTypeOf(output).toEqualTypeOf<{ sum: number } | undefined>();
  });
  // @ts-expect-error a number is no { a, b }
  hooks.on(BeforeToolCall.for(add), () => modify({ input: 1 }));
});
