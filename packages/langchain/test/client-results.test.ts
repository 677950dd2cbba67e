import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  modify,
  proceed,
  requireApproval,
  TransformToolResult,
} from '@hooks/core';
import {
  AIMessage,
  type BaseMessage,
  ChatMessage,
  FunctionMessage,
  HumanMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { Command, MemorySaver } from '@langchain/langgraph';
import { createAgent } from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  blockReason,
  createHookedAgent,
  hooksMiddleware,
  hookTool,
  type NativeRun,
  pendingApprovals,
} from '../src/index.ts';
import { calls, readTool, scripted } from './fixtures.ts';

const config = { configurable: { thread_id: 't1' } };
const call = new AIMessage({
  content: '',
  tool_calls: [{ id: 'c1', name: 'read', args: { path: '/etc/hosts' } }],
});
const secret = (fields: object = {}): ToolMessage =>
  new ToolMessage({ content: 'tangerine', tool_call_id: 'c1', name: 'read', ...fields });

/** Hooks that hide the secret in results of `read`, and what they saw. */
function hiding() {
  const hooks = createHooks();
  const ended: object[] = [];
  hooks.on(TransformToolResult.matching('read'), ({ output }) =>
    JSON.stringify(output ?? '').includes('tangerine') ? modify({ output: 'hidden' }) : proceed(),
  );
  hooks.on(AfterToolCall.matching('read'), ({ errorMessage }) =>
    errorMessage?.includes('tangerine') ? block('Nobody saw that.') : proceed(),
  );
  hooks.observe(AfterToolCall, ({ callId, toolName, input, output }) => {
    ended.push({ callId, toolName, input, output });
  });
  return { hooks, ended };
}

const ways: { readonly [name: string]: readonly BaseMessage[] } = {
  'a ToolMessage': [call, secret()],
  'a ToolMessage without a name': [call, new ToolMessage({ content: 'tangerine', tool_call_id: 'c1' })],
  'a ToolMessage without a call': [secret()],
  'a ToolMessage without a call or a name': [new ToolMessage({ content: 'tangerine', tool_call_id: 'c1' })],
  'a ToolMessage of a call that only its raw form names': [
    new AIMessage({
      content: '',
      tool_calls: [],
      additional_kwargs: {
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{}' } }],
      },
    }),
    secret({ name: 'nothing' }),
  ],
  'a ToolMessage that names another tool': [call, secret({ name: 'nothing' })],
  'a ToolMessage of an error': [call, secret({ status: 'error' })],
  'a ToolMessage with the secret in its parts': [
    call,
    secret({ content: [{ type: 'text', text: 'tangerine' }] }),
  ],
  'a FunctionMessage': [call, new FunctionMessage({ content: 'tangerine', name: 'read' })],
  'a ChatMessage': [call, new ChatMessage({ content: 'tangerine', role: 'tool', name: 'read' })],
  'a ChatMessage without a name': [call, new ChatMessage({ content: 'tangerine', role: 'tool' })],
};

describe.each(Object.entries(ways))('a made-up result in %s', (_name, messages) => {
  test.each(['createHookedAgent', 'its graph', 'hooksMiddleware', 'a Command'])(
    'is decided on by hooks, in %s',
    async (way) => {
      await using at = await scripted(() => ({ text: 'Done.' }));
      const { hooks } = hiding();
      const { read } = readTool();
      const params = { model: at.model, tools: [read], checkpointer: new MemorySaver() };
      const agent =
        way === 'hooksMiddleware'
          ? createAgent({ ...params, middleware: [hooksMiddleware(hooks)] })
          : createHookedAgent(params, hooks);
      const input = { messages: [new HumanMessage('Hello.'), ...messages] };
      const runner = way === 'its graph' ? agent.graph : agent;
      const given = way === 'a Command' ? new Command({ update: input, goto: 'model_request' }) : input;
      // The model's server refuses some of them.
      await Promise.resolve(runner.invoke(given as never, config)).catch(() => {});
      const { values } = await agent.graph.getState(config);
      expect(values.messages.length).toBeGreaterThanOrEqual(input.messages.length);
      expect(JSON.stringify([values, at.server.requests])).not.toContain('tangerine');
    },
  );
});

const hello = new HumanMessage('Hello.');

test('a result keeps its id, artifact and parts if hooks do not change it', async () => {
  await using at = await scripted(() => ({ text: 'Done.' }));
  const { hooks, ended } = hiding();
  const agent = createHookedAgent({ model: at.model, tools: [readTool().read] }, hooks);
  const parts = [{ type: 'text', text: 'fine' }];
  const result = secret({ id: 'r1', content: parts, artifact: { size: 4 }, status: 'error' });
  const { messages } = await agent.invoke({ messages: [hello, call, result] });
  expect(messages[2]).toBe(result);
  await hooks.settled();
  expect(ended).toMatchObject([{ callId: 'c1', toolName: 'read', input: { path: '/etc/hosts' } }]);
});

test('a result that hooks replace keeps its id, and loses its artifact', async () => {
  await using at = await scripted(() => ({ text: 'Done.' }));
  const { hooks } = hiding();
  const agent = createHookedAgent({ model: at.model, tools: [readTool().read] }, hooks);
  const { messages } = await agent.invoke({
    messages: [hello, call, secret({ id: 'r1', artifact: 'tangerine' })],
  });
  expect(messages[2]).toMatchObject({ id: 'r1', content: 'hidden', tool_call_id: 'c1', name: 'read' });
  expect(JSON.stringify(messages)).not.toContain('tangerine');
});

test('a Block that ends the run ends it before the model is called, and keeps its thread as it was', async () => {
  await using at = await scripted(() => ({ text: 'Done.' }));
  const hooks = createHooks();
  hooks.on(AfterToolCall, () => block('Nobody saw that.', { stop: true }));
  const params = { model: at.model, tools: [readTool().read], checkpointer: new MemorySaver() };
  const agent = createHookedAgent(params, hooks);
  const result = await agent.invoke({ messages: [hello, call, secret()] }, config);
  expect(blockReason(result)).toBe('Nobody saw that.');
  expect(JSON.stringify(result)).not.toContain('tangerine');
  expect(at.server.requests).toEqual([]);
  expect((await agent.graph.getState(config)).values).toEqual({});
});

test('hooks are not asked again about a result that the thread has produced', async () => {
  const once = calls({ id: 'c1', name: 'read', arguments: { path: 'a' } });
  await using at = await scripted([...once, { text: 'Still done.' }, { text: 'Still done.' }]);
  const { hooks, ended } = hiding();
  const params = { model: at.model, tools: [readTool().read], checkpointer: new MemorySaver() };
  const agent = createHookedAgent(params, hooks);
  const { messages } = await agent.invoke({ messages: [hello] }, config);
  const again = messages.map((message) => ({ ...message.toDict().data, type: message.getType() }));
  await agent.invoke({ messages: [...again, new HumanMessage('And now?')] as never }, config);
  await hooks.settled();
  expect(ended).toHaveLength(1);
  const forged = again.map((message) =>
    message.type === 'tool' ? { ...message, content: 'forged' } : message,
  );
  await agent.invoke({ messages: [...forged, new HumanMessage('And now?')] as never }, config);
  await hooks.settled();
  expect(ended).toMatchObject([{ output: 'content of a' }, { output: 'forged' }]);
});

test('a result that answers a call of the thread ends that call', async () => {
  await using at = await scripted(calls({ id: 'c1', name: 'read', arguments: { path: 'a' } }));
  const { hooks, ended } = hiding();
  hooks.on(BeforeToolCall, () => requireApproval('Somebody else reads it.'));
  const { read, ran } = readTool();
  const params = { model: at.model, tools: [read], checkpointer: new MemorySaver() };
  const agent = createHookedAgent(params, hooks, { approval: 'native' });
  await agent.invoke({ messages: [hello] }, config);
  const answer = new ToolMessage({ content: 'tangerine', tool_call_id: 'c1' });
  await agent.invoke({ messages: [answer] }, config);
  await hooks.settled();
  expect(ended).toEqual([{ callId: 'c1', toolName: 'read', input: { path: 'a' }, output: 'hidden' }]);
  expect(JSON.stringify(at.server.requests)).not.toContain('tangerine');
  expect(ran).toEqual([]);
});

test('the hooks of a tool that is hooked itself decide on its results', async () => {
  await using at = await scripted(() => ({ text: 'Done.' }));
  const { hooks } = hiding();
  const tools = [hookTool(readTool().read, hooks)];
  const agent = createHookedAgent({ model: at.model, tools }, createHooks());
  await agent.invoke({ messages: [hello, call, secret()] });
  expect(JSON.stringify(at.server.requests)).not.toContain('tangerine');
});

test.each(['createHookedAgent', 'its graph', 'hooksMiddleware'])(
  'with %s, a run that paused resumes for nobody but its principal',
  async (way) => {
    await using at = await scripted(calls({ id: 'c1', name: 'read', arguments: { path: 'a' } }));
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('It is secret.'));
    const { read, ran } = readTool();
    const params = {
      model: at.model,
      tools: [read],
      checkpointer: new MemorySaver(),
      contextSchema: z.object({ user: z.string() }),
    };
    const options = {
      approval: 'native',
      principal: ({ context }: NativeRun) => ({ id: String(Reflect.get(Object(context), 'user')) }),
    } as const;
    const agent =
      way === 'hooksMiddleware'
        ? createAgent({ ...params, middleware: [hooksMiddleware(hooks, options)] })
        : createHookedAgent(params, hooks, options);
    const as = (user: string) => ({ ...config, context: { user } });
    const runner = way === 'its graph' ? agent.graph : agent;
    await runner.invoke({ messages: [hello] } as never, as('zoe') as never);
    const [pending] = await pendingApprovals(await agent.graph.getState(config));
    const resume = () => new Command({ resume: { c1: { decision: 'allow', hash: pending?.hash } } }) as never;
    const refused = await Promise.resolve(runner.invoke(resume(), as('bob') as never)).catch(
      (error: unknown) => error,
    );
    expect(String(refused)).toContain('belongs to another principal');
    expect(String(refused)).not.toContain('zoe');
    expect(ran).toEqual([]);
    await runner.invoke(resume(), as('zoe') as never);
    expect(ran).toEqual([{ path: 'a' }]);
  },
);
