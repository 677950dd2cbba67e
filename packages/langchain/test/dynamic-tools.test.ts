import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  modify,
  proceed,
  TransformToolResult,
} from '@hooks/core';
import { RunnableLambda } from '@langchain/core/runnables';
import type { ClientTool } from '@langchain/core/tools';
import { getWriter } from '@langchain/langgraph';
import { createMiddleware, tool } from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createHookedAgent, hooksMiddleware, hookTool } from '../src/index.ts';
import { calls, resultsOf, scripted, user } from './fixtures.ts';

const lookUp = calls({ name: 'look_up', arguments: { word: 'a' }, id: 'c1' });

/** A middleware that brings a tool which it alone knows. */
function bringing(hooked: (made: ClientTool) => ClientTool = (made) => made) {
  const ran: unknown[] = [];
  const found = hooked(
    tool(
      async (input: object) => {
        ran.push(input);
        getWriter()?.('a secret');
        return 'a secret';
      },
      { name: 'look_up', description: 'Looks up.', schema: z.object({ word: z.string() }) },
    ),
  );
  const middleware = createMiddleware({
    name: 'bringing',
    wrapModelCall: (request, handler) => handler({ ...request, tools: [...request.tools, found] }),
    wrapToolCall: (request, handler) => handler({ ...request, tool: found }),
  });
  return { middleware: [middleware], ran };
}

describe('a tool that only a middleware knows', () => {
  test.each<[string, (hooks: Hooks) => unknown, string]>([
    ['replaced', (hooks) => hooks.on(TransformToolResult, () => modify({ output: 'clean' })), 'clean'],
    [
      'withheld',
      (hooks) => hooks.on(AfterToolCall, () => block('No.')),
      'No. (The tool did run; its result is withheld.)',
    ],
  ])('a result that is %s is seen nowhere', async (_, policy, told) => {
    await using at = await scripted(lookUp);
    const hooks = createHooks();
    policy(hooks);
    const { middleware } = bringing();
    const agent = createHookedAgent({ model: at.model, middleware }, hooks);
    const seen: unknown[] = [];
    const callbacks = [{ handleToolEnd: (output: unknown) => void seen.push(output), awaitHandlers: true }];
    const streamMode = ['tools', 'custom', 'messages', 'values', 'updates', 'tasks', 'debug'] as const;
    for await (const chunk of await agent.stream(user('go'), { callbacks, streamMode: [...streamMode] }))
      seen.push(chunk);
    for await (const event of agent.streamEvents(user('go'), { version: 'v2' })) seen.push(event);
    expect(JSON.stringify(seen)).toContain(told);
    expect(JSON.stringify(seen)).not.toContain('secret');
    expect(resultsOf(at.server)).toEqual({ c1: told });
  });

  test.each([false, true])('hooks are asked once, also where it was hooked before: %s', async (before) => {
    await using at = await scripted(lookUp);
    const hooks = createHooks();
    const asked: unknown[] = [];
    hooks.on(BeforeToolCall, ({ input }) => {
      asked.push(input);
      return modify({ input: { word: 'b' } });
    });
    hooks.observe(AfterToolCall, ({ output }) => void asked.push(output));
    const { middleware, ran } = bringing((made) => (before ? hookTool(made, hooks) : made));
    await createHookedAgent({ model: at.model, middleware }, hooks).invoke(user('go'));
    expect(ran).toEqual([{ word: 'b' }]);
    expect(asked).toEqual([{ word: 'a' }, 'a secret']);
  });

  test('is not called where a guard refuses it', async () => {
    await using at = await scripted(lookUp);
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, ({ toolName }) => (toolName === 'look_up' ? block('No.') : proceed()));
    const { middleware, ran } = bringing();
    await createHookedAgent({ model: at.model, middleware }, hooks).invoke(user('go'));
    expect(ran).toEqual([]);
    expect(resultsOf(at.server)).toEqual({ c1: 'No.' });
  });

  test('is judged by its own name, whatever name the model called', async () => {
    await using at = await scripted(calls({ name: 'find', arguments: { word: 'a' }, id: 'c1' }));
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => proceed());
    hooks.guard(BeforeToolCall.matching('look_up'), () => block('No.'));
    const { middleware, ran } = bringing();
    await createHookedAgent({ model: at.model, middleware }, hooks).invoke(user('go'));
    expect(ran).toEqual([]);
    expect(resultsOf(at.server)).toEqual({ c1: 'No.' });
  });

  test('is judged by the input that it gets, also with an `invoke` of its own', async () => {
    await using at = await scripted(lookUp);
    const ran: unknown[] = [];
    const found = RunnableLambda.from(async (input: object) => `${ran.push(input)}`).asTool({
      name: 'look_up',
      schema: z.object({ word: z.string() }),
    });
    const middleware = createMiddleware({
      name: 'changing',
      wrapToolCall: ({ toolCall, ...request }, handler) =>
        handler({ ...request, tool: found as never, toolCall: { ...toolCall, args: { word: 'z' } } }),
    });
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, ({ input }) =>
      Reflect.get(Object(input), 'word') === 'z' ? block('Not z.') : proceed(),
    );
    await createHookedAgent({ model: at.model, middleware: [middleware] }, hooks).invoke(user('go'));
    expect(ran).toEqual([]);
    expect(resultsOf(at.server)).toEqual({ c1: 'Not z.' });
  });

  test('two registries decide on its result inside its run, the outer one last', async () => {
    await using at = await scripted(lookUp);
    const [inner, outer] = [createHooks(), createHooks()];
    inner.on(AfterToolCall, ({ output }) => modify({ output: `${output}`.replace('secret', 'hint') }));
    outer.on(AfterToolCall, ({ output }) => modify({ output: `${output}`.replace('hint', 'word') }));
    const { middleware } = bringing();
    const params = { model: at.model, middleware: [hooksMiddleware(inner), ...middleware] };
    const agent = createHookedAgent(params, outer);
    const seen: unknown[] = [];
    for await (const chunk of await agent.stream(user('go'), { streamMode: ['tools', 'values'] }))
      seen.push(chunk);
    expect(JSON.stringify(seen)).not.toMatch(/secret|hint/);
    expect(resultsOf(at.server)).toEqual({ c1: 'a word' });
  });
});
