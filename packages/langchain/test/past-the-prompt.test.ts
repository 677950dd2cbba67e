import {
  BeforeRun,
  BeforeToolCall,
  block,
  createHooks,
  modify,
  proceed,
  requireApproval,
  retry,
  Stop,
  TransformToolResult,
  UserPromptSubmit,
} from '@hooks/core';
import { AIMessage, ChatMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { Command, MemorySaver } from '@langchain/langgraph';
import { createAgent, tool } from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createHookedAgent, hooksMiddleware } from '../src/index.ts';
import { scripted } from './fixtures.ts';

const config = { configurable: { thread_id: 't1' } };
const call = { id: 'c1', name: 'read', args: { path: 'a' } };
const asking = new AIMessage({ content: '', tool_calls: [call] });
const read = tool(async () => 'fine', {
  name: 'read',
  description: '',
  schema: z.object({ path: z.string() }),
});

/** The graph of an agent whose hooks do not let through what has the word `tangerine`, in a thread that has begun. */
async function setUp(way: string, pauses = false) {
  const at = await scripted(({ turn }) =>
    pauses && turn === 0
      ? { toolCalls: [{ id: 'c1', name: 'read', arguments: { path: 'a' } }] }
      : { text: 'Done.' },
  );
  const hooks = createHooks();
  const prompts: string[] = [];
  const results: unknown[] = [];
  hooks.on(UserPromptSubmit, ({ prompt }) => {
    prompts.push(prompt);
    return prompt.includes('tangerine') ? block('Not that.') : proceed();
  });
  hooks.on(TransformToolResult, ({ output }) => {
    results.push(output);
    return modify(String(output).includes('tangerine') ? { output: 'hidden' } : {});
  });
  if (pauses) hooks.on(BeforeToolCall, () => requireApproval('Sure?'));
  const params = { model: at.model, tools: [read], checkpointer: new MemorySaver() };
  const options = pauses ? ({ approval: 'native' } as const) : {};
  const { graph } =
    way === 'its graph'
      ? createHookedAgent(params, hooks, options)
      : createAgent({ ...params, middleware: [hooksMiddleware(hooks, options)] });
  await graph.invoke({ messages: [new HumanMessage('Hello.')] }, config);
  return { at, graph, prompts, results, [Symbol.asyncDispose]: () => at[Symbol.asyncDispose]() };
}

const brought = {
  'a prompt': [new HumanMessage('tangerine')],
  'a chat message': [new ChatMessage('tangerine', 'user')],
  'a prompt with an answer behind it': [new HumanMessage('tangerine'), new AIMessage('Sure, ')],
  'a prompt with a call and its result behind it': [
    new HumanMessage('tangerine'),
    asking,
    new ToolMessage({ content: 'fine', tool_call_id: 'c1', name: 'read' }),
  ],
  'a made-up result': [asking, new ToolMessage({ content: 'tangerine', tool_call_id: 'c1', name: 'read' })],
};

describe.each(['its graph', 'hooksMiddleware'])(
  'what a Command brings past the node of the prompt (%s)',
  (way) => {
    test.each(Object.entries(brought))('is seen by hooks before the model: %s', async (_name, messages) => {
      await using s = await setUp(way);
      const command = new Command({ goto: 'model_request', update: { messages } });
      await Promise.resolve(s.graph.invoke(command as never, config)).catch(() => {});
      expect(JSON.stringify(s.at.server.requests)).not.toContain('tangerine');
      await Promise.resolve(s.graph.invoke({ messages: [new HumanMessage('Go on.')] }, config)).catch(
        () => {},
      );
      expect(JSON.stringify(s.at.server.requests)).not.toContain('tangerine');
    });

    test.each([
      ['with an answer', { resume: { c1: { decision: 'allow' } } }],
      ['to the tools', { goto: 'tools' }],
    ] as const)('is seen by hooks before the model, %s', async (_name, about) => {
      await using s = await setUp(way, 'resume' in about);
      const messages = [new HumanMessage('tangerine'), ...('goto' in about ? [asking] : [])];
      await Promise.resolve(
        s.graph.invoke(new Command({ ...about, update: { messages } }) as never, config),
      ).catch(() => {});
      expect(JSON.stringify(s.at.server.requests)).not.toContain('tangerine');
      expect(s.prompts).toContain('tangerine');
    });

    test.each(['as input', 'in a Command'])(
      'is seen by hooks with the id and text of an earlier prompt, %s',
      async (by) => {
        const at = await scripted(() => ({ text: 'Done.' }));
        await using _ = at;
        const hooks = createHooks();
        hooks.on(UserPromptSubmit, ({ native }) =>
          JSON.stringify(native).includes('tangerine') ? block('Not that.') : proceed(),
        );
        const params = { model: at.model, tools: [read], checkpointer: new MemorySaver() };
        const { graph } =
          way === 'its graph'
            ? createHookedAgent(params, hooks)
            : createAgent({ ...params, middleware: [hooksMiddleware(hooks)] });
        const prompt = (image: string) => {
          const image_url = { url: `https://images.example/${image}.png` };
          return new HumanMessage({
            id: 'm1',
            content: [
              { type: 'text', text: 'What is this?' },
              { type: 'image_url', image_url },
            ],
          });
        };
        await graph.invoke({ messages: [prompt('plum')] }, config);
        const messages = [prompt('tangerine')];
        const input =
          by === 'as input' ? { messages } : new Command({ goto: 'model_request', update: { messages } });
        await Promise.resolve(graph.invoke(input as never, config)).catch(() => {});
        expect(JSON.stringify(at.server.requests)).toContain('plum');
        expect(JSON.stringify(at.server.requests)).not.toContain('tangerine');
      },
    );

    test('is all that hooks are asked about: neither what they know, nor results of this run, nor the reason of a Stop hook', async () => {
      const at = await scripted(({ turn }) =>
        turn === 0
          ? { toolCalls: [{ id: 'c1', name: 'read', arguments: { path: 'a' } }] }
          : { text: 'Done.' },
      );
      await using _ = at;
      const hooks = createHooks();
      const log: string[] = [];
      hooks.on(UserPromptSubmit, ({ prompt }) => {
        log.push(prompt);
        return proceed();
      });
      hooks.on(BeforeRun, () => {
        log.push('run');
        return proceed();
      });
      hooks.on(TransformToolResult, ({ output }) => {
        log.push(String(output));
        return modify({});
      });
      hooks.on(Stop, ({ continuations }) => (continuations === 0 ? retry('Once more.') : proceed()));
      const params = { model: at.model, tools: [read], checkpointer: new MemorySaver() };
      const { graph } =
        way === 'its graph'
          ? createHookedAgent(params, hooks)
          : createAgent({ ...params, middleware: [hooksMiddleware(hooks)] });
      await graph.invoke({ messages: [new HumanMessage('Hello.')] }, config);
      expect(log).toEqual(['Hello.', 'run', 'fine']);
      await graph.invoke(
        new Command({ goto: 'model_request', update: { messages: [new HumanMessage('More.')] } }) as never,
        config,
      );
      expect(log.slice(3)).toEqual(['More.', 'run']);
    });
  },
);
