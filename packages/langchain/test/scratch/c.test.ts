import * as H from '@hooks/core';
import { Command, getStore, InMemoryStore, interrupt, MemorySaver, StateGraph, MessagesAnnotation, START, type LangGraphRunnableConfig } from '@langchain/langgraph';
import { AIMessage, HumanMessage, ToolMessage, SystemMessage } from '@langchain/core/messages';
import { createAgent, createMiddleware, initChatModel, tool } from 'langchain';
import { test } from 'vitest';
import { z } from 'zod';
import { createHookedAgent, hookTool, hooksMiddleware, hookedSummarization, blockReason } from '../../src/index.ts';
import { calls, readTool, resultsOf, scripted, user } from '../fixtures.ts';
const { createHooks, BeforeToolCall, modify, proceed, block, BeforeCompaction } = H;
const config = { configurable: { thread_id: 't1' } };
const readOne = calls({ name: 'read', arguments: { path: 'a' }, id: 'c1' });

test('Y10 compaction without a summary call', async () => {
  await using at = await scripted(() => ({ text: 'Hello.' }));
  const hooks = createHooks();
  const seen: string[] = [];
  hooks.on(BeforeCompaction, () => { seen.push('before'); return block('keep it'); });
  hooks.observe(H.AfterCompaction, () => void seen.push('after'));
  const agent = createHookedAgent({ model: at.model, middleware: [hookedSummarization({ model: at.model, trigger: { messages: 2 }, keep: { messages: 1 }, trimTokensToSummarize: 1 }, hooks)] }, hooks);
  const r = await agent.invoke({ messages: [new HumanMessage('one '.repeat(50)), new AIMessage('two '.repeat(50)), new HumanMessage('three')] });
  console.log('Y10', seen, r.messages.map((m) => m.text.slice(0, 60)));
});

test('Y14 v3 left early', async () => {
  await using at = await scripted(readOne);
  const hooks = createHooks();
  const seen: string[] = [];
  hooks.observe(H.HookEvent, (e) => void seen.push(e.type));
  const agent = createHookedAgent({ model: at.model, tools: [readTool().read] }, hooks);
  const run = await agent.streamEvents(user('go'), { version: 'v3' });
  for await (const _ of run as never as AsyncIterable<unknown>) break;
  await new Promise((r) => setTimeout(r, 300));
  console.log('Y14', seen);
});

test('Y19 settings by name', async () => {
  await using at = await scripted(() => ({ text: 'Hello.' }));
  for (const event of ['before_run', 'before_model_call'] as const) {
    const hooks = createHooks();
    if (event === 'before_run') hooks.on(H.BeforeRun, () => modify({ model: 'other', settings: { temperature: 0.5 } }));
    else hooks.on(H.BeforeModelCall, () => modify({ settings: { temperature: 0.5 } }));
    const model = await initChatModel('openai:scripted', { apiKey: 'none', maxRetries: 0, configuration: { baseURL: at.server.url } });
    const r = await createHookedAgent({ model }, hooks).invoke(user('go')).catch((e) => e);
    console.log('Y19', event, r instanceof Error ? r.message : JSON.stringify(at.server.requests.at(-1)?.body));
  }
});

test('Y38 store, context, state, writer', async () => {
  for (const kind of ['bare', 'before', 'after', 'tool'] as const) {
    await using at = await scripted(calls({ name: 'look', arguments: {}, id: 'c1' }));
    const hooks = createHooks();
    if (kind === 'before' || kind === 'tool') hooks.on(BeforeToolCall, () => proceed());
    if (kind === 'after' || kind === 'tool') hooks.on(H.AfterToolCall, () => proceed());
    const look = tool(async (_i, c) => { const r = c as never as { store: unknown; context: unknown; state: { messages: unknown[] }; toolCallId: string; writer: unknown }; return JSON.stringify({ store: !!r.store, getStore: (() => { try { return !!getStore(); } catch (e) { return String(e).slice(0, 30); } })(), context: r.context, state: r.state?.messages?.length, id: r.toolCallId, writer: typeof r.writer, keys: Object.keys(r).sort().join() }); }, { name: 'look', description: 'l', schema: z.object({}) });
    const params = { model: at.model, tools: [kind === 'tool' ? hookTool(look, hooks) : look], store: new InMemoryStore(), contextSchema: z.object({ user: z.string() }) };
    const agent = kind === 'bare' || kind === 'tool' ? createAgent(params) : createHookedAgent(params, hooks);
    await agent.invoke(user('go'), { context: { user: 'ann' } } as never);
    console.log('Y38', kind, resultsOf(at.server));
  }
});

test('Y50 two agents with hooksMiddleware on one thread', async () => {
  await using at = await scripted(readOne);
  const hooks = createHooks();
  const seen: string[] = [];
  hooks.observe(BeforeToolCall, (e) => void seen.push(`${e.agent} ${e.turn} ${e.session.id}`));
  const { read } = readTool();
  const a = createAgent({ name: 'a', model: at.model, tools: [read], middleware: [hooksMiddleware(hooks)] });
  const b = createAgent({ name: 'b', model: at.model, tools: [read], middleware: [hooksMiddleware(hooks)] });
  const graph = new StateGraph(MessagesAnnotation).addNode('a', async (s) => { await a.invoke({ messages: s.messages }); return {}; }).addNode('b', async (s) => { await b.invoke({ messages: s.messages }); return {}; }).addEdge(START, 'a').addEdge('a', 'b').compile({ checkpointer: new MemorySaver() });
  await graph.invoke(user('go'), config);
  console.log('Y50', seen);
});

test('Y52 runs without a user message', async () => {
  await using at = await scripted(() => ({ text: 'Hello.' }));
  const hooks = createHooks();
  const seen: string[] = [];
  hooks.observe(H.TurnStart, (e) => void seen.push(`${e.session.id} ${e.iteration} ${e.turn}`));
  const a = createAgent({ model: at.model, middleware: [hooksMiddleware(hooks)] });
  await a.invoke({ messages: [new SystemMessage('x')] }).catch(() => {});
  await a.invoke({ messages: [new SystemMessage('y')] }).catch(() => {});
  console.log('Y52', seen);
});

test('Y53 nested graph subgraphs stream redaction', async () => {
  await using inner = await scripted(calls({ name: 'secret', arguments: {}, id: 'c1' }));
  await using outer = await scripted(calls({ name: 'ask', arguments: {}, id: 'c0' }));
  const hooks = createHooks();
  hooks.on(H.TransformToolResult.matching('secret'), () => modify({ output: '***' }));
  const secret = tool(async () => 'tangerine', { name: 'secret', description: 's', schema: z.object({}) });
  const sub = createHookedAgent({ name: 'sub', model: inner.model, tools: [secret] }, hooks);
  const ask = tool(async () => (await sub.invoke(user('x'))).messages.at(-1)?.text ?? '', { name: 'ask', description: 'a', schema: z.object({}) });
  const agent = createHookedAgent({ model: outer.model, tools: [ask] }, hooks);
  let seen = '';
  for await (const c of await agent.stream(user('go'), { subgraphs: true, streamMode: ['messages', 'values', 'updates', 'tools', 'custom', 'debug'] } as never)) seen += JSON.stringify(c);
  console.log('Y53', seen.includes('tangerine'), seen.includes('***'));
});

test('Y54 content and artifact pair of a block array; mcp like', async () => {
  await using at = await scripted(calls({ name: 'look', arguments: {}, id: 'c1' }));
  const hooks = createHooks();
  let out: unknown;
  hooks.on(H.TransformToolResult, ({ output }) => { out = output; return modify({ output: [{ type: 'text', text: '1' }, { type: 'text', text: '2' }] }); });
  const look = tool(async () => [[{ type: 'text', text: 'a' }], { raw: 'x' }], { name: 'look', description: 'l', schema: z.object({}), responseFormat: 'content_and_artifact' });
  const r = await createHookedAgent({ model: at.model, tools: [look] }, hooks).invoke(user('go'));
  console.log('Y54', JSON.stringify(out), JSON.stringify(r.messages[2]));
});

test('Y55 stop with returnDirect sibling', async () => {
  await using at = await scripted(calls({ name: 'read', arguments: { path: 'a' }, id: 'c1' }, { name: 'direct', arguments: {}, id: 'c2' }));
  const hooks = createHooks();
  hooks.on(BeforeToolCall.matching('read'), () => block('Enough.', { stop: true }));
  const direct = tool(async () => 'direct', { name: 'direct', description: 'd', schema: z.object({}), returnDirect: true });
  const r = await createHookedAgent({ model: at.model, tools: [readTool().read, direct] }, hooks).invoke(user('go'));
  console.log('Y55', at.server.requests.length, blockReason(r), r.messages.map((m) => m.text));
});

test('Y56 v1 tool behaviour, parallel, redaction, stop', async () => {
  await using at = await scripted(calls({ name: 'read', arguments: { path: 'a' }, id: 'c1' }, { name: 'read', arguments: { path: 'b' }, id: 'c2' }));
  const hooks = createHooks();
  hooks.on(BeforeToolCall, ({ callId }) => callId === 'c1' ? block('no a') : modify({ input: { path: 'z' } }));
  const { read, ran } = readTool();
  const r = await createHookedAgent({ model: at.model, tools: [read], version: 'v1' } as never, hooks).invoke(user('go'));
  console.log('Y56', ran, resultsOf(at.server), JSON.stringify((r.messages[1] as AIMessage).tool_calls));
});
