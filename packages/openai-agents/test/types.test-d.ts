import { AfterToolCall, BeforeToolCall, createHooks, modify, proceed } from '@hooks/core';
import { Agent, Runner, tool } from '@openai/agents';
import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { attachHooks, hookedRunner, hookedTool, hookTool, hookTools } from '../src/index.ts';

const hooks = createHooks();
const look = tool({
  name: 'look',
  description: '',
  parameters: z.object({ at: z.string() }),
  execute: async ({ at }) => at.length,
});
const defined = hookedTool({
  name: 'look',
  description: '',
  parameters: z.object({ at: z.string() }),
  execute: async ({ at }) => at.length,
});

test('Hooking keeps the types of tools, agents and runners', () => {
  const agent = new Agent<{ user: string }>({ name: 'A' });
  expectTypeOf(attachHooks(agent, hooks)).toEqualTypeOf<Agent<{ user: string }>>();
  expectTypeOf(hookTool(look, hooks)).toEqualTypeOf<typeof look>();
  expectTypeOf(hookTools({ look }, hooks)).toEqualTypeOf<{ look: typeof look }>();
  expectTypeOf(hookTools([look], hooks)).toEqualTypeOf<(typeof look)[]>();
  expectTypeOf(hookedRunner(new Runner(), hooks)).toEqualTypeOf<Runner>();
  expectTypeOf(defined).toEqualTypeOf<typeof look>();
});

test('Inline functions of a tool are typed as in tool', () => {
  const options = {
    name: 'pay',
    description: '',
    parameters: z.object({ sum: z.number() }),
    timeoutMs: 10,
  } as const;
  expectTypeOf(
    hookedTool({
      ...options,
      needsApproval: async (_context, { sum }) => sum > 5,
      isEnabled: ({ runContext }) => runContext.usage.requests < 3,
      errorFunction: (_context, error) => String(error),
      execute: async ({ sum }, context) => `${sum.toFixed()} ${context?.usage.requests}`,
    }),
  ).toEqualTypeOf(
    tool({
      ...options,
      needsApproval: async (_context, { sum }) => sum > 5,
      isEnabled: ({ runContext }) => runContext.usage.requests < 3,
      errorFunction: (_context, error) => String(error),
      execute: async ({ sum }, context) => `${sum.toFixed()} ${context?.usage.requests}`,
    }),
  );
  hookedTool({
    name: 'json',
    description: '',
    strict: false,
    parameters: { type: 'object', properties: {}, required: [], additionalProperties: true },
    execute: (input) => String(input),
  });
});

test('A tool is refused where tool refuses it', () => {
  const options = { name: 'pay', description: '', parameters: z.object({ sum: z.number() }) } as const;
  // @ts-expect-error It is called `needsApproval`.
  hookedTool({ ...options, needApproval: true, execute: () => 'paid' });
  // @ts-expect-error A tool has to do something.
  hookedTool(options);
  // @ts-expect-error There is no such input.
  hookedTool({ ...options, execute: ({ amount }) => amount });
  // @ts-expect-error It is called `approval`.
  attachHooks(new Agent({ name: 'A' }), hooks, { aproval: 'native' });
});

test('`principal` knows the context of an agent', () => {
  const agent = new Agent<{ user: string }>({ name: 'A' });
  attachHooks(agent, hooks, {
    principal(context) {
      expectTypeOf(context).toEqualTypeOf<{ user: string } | undefined>();
      return context && { id: context.user };
    },
  });
  const principal = (context?: { user: string }) => context && { id: context.user };
  hookedRunner(new Runner(), hooks, { principal });
  hookTool(look, hooks, { principal });
  // @ts-expect-error an id is text
  hookedRunner(new Runner(), hooks, { principal: () => ({ id: 1 }) });
});

test('`.for` knows the input of a tool', () => {
  hooks.on(BeforeToolCall.for(look), ({ input }) => {
    expectTypeOf(input).toEqualTypeOf<{ at: string }>();
    return proceed();
  });
  // @ts-expect-error `at` is a string
  hooks.on(BeforeToolCall.for(look), () => modify({ input: { at: 1 } }));
});

test('`.for` knows the output of a tool, which may be the text of its errorFunction', () => {
  hooks.on(AfterToolCall.for(defined), ({ output }) => {
    expectTypeOf(output).toEqualTypeOf<Awaited<ReturnType<typeof defined.invoke>> | undefined>();
    return proceed();
  });
});
