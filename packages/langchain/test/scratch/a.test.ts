import * as H from '@hooks/core';
import { AIMessage, ChatMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { Command, interrupt, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { createAgent, createMiddleware, humanInTheLoopMiddleware, tool } from 'langchain';
import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  blockReason,
  createHookedAgent,
  hooksMiddleware,
  hookTool,
  hookTools,
  pendingApprovals,
} from '../../src/index.ts';
import { calls, readTool, resultsOf, scripted, user } from '../fixtures.ts';

const {
  createHooks,
  BeforeToolCall,
  requireApproval,
  grantApproval,
  PermissionRequest,
  modify,
  proceed,
  block,
} = H;
const config = { configurable: { thread_id: 't1' } };
const readBoth = calls(
  { name: 'read', arguments: { path: 'a' }, id: 'c1' },
  { name: 'read', arguments: { path: 'b' }, id: 'c2' },
);
const readOne = calls({ name: 'read', arguments: { path: 'a' }, id: 'c1' });
const hitl = () => [humanInTheLoopMiddleware({ interruptOn: { read: true } } as never) as never];

test('T1 native, own pause, third process, rewrites only there', async () => {
  for (const third of ['same', 'rewrites'] as const) {
    await using at = await scripted(readOne);
    const { read, ran } = readTool((p) => `${p} ${interrupt('which?')}`);
    const checkpointer = new MemorySaver();
    const proc = (rewrite = false) => {
      const hooks = createHooks();
      const seen: unknown[] = [];
      hooks.on(BeforeToolCall, ({ resumed, input }) => {
        seen.push(resumed ?? 'first');
        return rewrite
          ? modify({ input: { path: 'z' }, approval: { kind: 'required', reason: 'x' } })
          : requireApproval('x');
      });
      return {
        seen,
        agent: createHookedAgent({ model: at.model, tools: [read], checkpointer }, hooks, {
          approval: 'native',
        }),
      };
    };
    const p1 = proc();
    const r1 = await p1.agent.invoke(user('go'), config);
    const [p] = pendingApprovals(r1);
    const p2 = proc();
    const r2 = await p2.agent.invoke(
      new Command({ resume: { c1: { decision: 'allow', hash: p!.hash } } }),
      config,
    );
    console.log('r2', JSON.stringify(Reflect.get(r2, '__interrupt__')), p2.seen);
    const p3 = proc(third === 'rewrites');
    const r3 = await p3.agent.invoke(new Command({ resume: 'page' }), config);
    console.log(
      third,
      'r3',
      JSON.stringify(Reflect.get(r3, '__interrupt__')),
      p3.seen,
      ran,
      resultsOf(at.server),
    );
  }
});

test('S1 hitl no, then interruptBefore tools / crash, third process', async () => {
  await using at = await scripted(readBoth);
  const { read, ran } = readTool();
  const checkpointer = new MemorySaver();
  const proc = () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => proceed());
    return createHookedAgent({ model: at.model, tools: [read], checkpointer, middleware: hitl() }, hooks);
  };
  await proc().invoke(user('go'), config);
  await proc().invoke(
    new Command({ resume: { decisions: [{ type: 'approve' }, { type: 'reject', message: 'Not b.' }] } }),
    { ...config, interruptBefore: ['tools'] } as never,
  );
  console.log('S1 ran before', ran);
  const r = await proc().invoke(null as never, config);
  console.log('S1 ran', ran, resultsOf(at.server));
});

test('S2 hitl no + partial, third process grants', async () => {
  await using at = await scripted(readBoth);
  const { read, ran } = readTool();
  const checkpointer = new MemorySaver();
  const proc = (register: (h: H.Hooks) => void) => {
    const hooks = createHooks();
    register(hooks);
    return createHookedAgent({ model: at.model, tools: [read], checkpointer, middleware: hitl() }, hooks);
  };
  await proc((h) => h.on(BeforeToolCall, () => proceed())).invoke(user('go'), config);
  const rw = (h: H.Hooks) => {
    h.on(BeforeToolCall, ({ callId }) =>
      callId === 'c1' ? modify({ input: { path: 'other' } }) : proceed(),
    );
  };
  const r2 = await proc(rw).invoke(
    new Command({ resume: { decisions: [{ type: 'approve' }, { type: 'reject', message: 'Not b.' }] } }),
    config,
  );
  console.log(
    'S2 pending',
    pendingApprovals(r2).map((p) => p.callId),
  );
  const r3 = await proc((h) => {
    rw(h);
    h.on(PermissionRequest, ({ callId }) => (callId === 'c2' ? grantApproval('free') : proceed()));
  }).invoke(new Command({ resume: { decisions: [{ type: 'approve' }] } }), config);
  console.log(
    'S2',
    ran,
    pendingApprovals(r3).map((p) => p.callId),
    resultsOf(at.server),
  );
});

test('S3 edit + grant in another process', async () => {
  for (const how of ['hitl', 'native'] as const) {
    await using at = await scripted(readOne);
    const { read, ran } = readTool();
    const checkpointer = new MemorySaver();
    const proc = (register: (h: H.Hooks) => void) => {
      const hooks = createHooks();
      register(hooks);
      return createHookedAgent(
        { model: at.model, tools: [read], checkpointer, middleware: how === 'hitl' ? hitl() : [] },
        hooks,
        { approval: 'native' },
      );
    };
    const r1 = await proc((h) => h.on(BeforeToolCall, () => requireApproval('x'))).invoke(user('go'), config);
    const [p] = pendingApprovals(r1);
    await proc((h) => {
      h.on(BeforeToolCall, () => proceed());
      h.on(PermissionRequest, () => grantApproval('free'));
    }).invoke(
      new Command({ resume: { c1: { decision: 'allow', input: { path: 'edited' }, hash: p!.hash } } }),
      config,
    );
    console.log('S3', how, ran, resultsOf(at.server));
  }
});

test('S63 two registries native', async () => {
  await using at = await scripted(readOne);
  const { read, ran } = readTool();
  const checkpointer = new MemorySaver();
  const mk = () => {
    const h = createHooks();
    h.on(BeforeToolCall, () => requireApproval('x'));
    return h;
  };
  const inner = mk();
  const outer = mk();
  const agent = createHookedAgent(
    {
      model: at.model,
      tools: [read],
      checkpointer,
      middleware: [hooksMiddleware(inner, { approval: 'native' })],
    },
    outer,
    { approval: 'native' },
  );
  let r: object = await agent.invoke(user('go'), config);
  for (let i = 0; i < 3; i++) {
    console.log('S63', JSON.stringify(Reflect.get(r, '__interrupt__')), ran);
    const ps = pendingApprovals(r);
    if (ps.length === 0) break;
    r = await agent.invoke(
      new Command({
        resume: Object.fromEntries(ps.map((p) => [p.callId, { decision: 'allow', hash: p.hash }])),
      }),
      config,
    );
  }
  console.log('S63 end', JSON.stringify(Reflect.get(r, '__interrupt__')), ran, resultsOf(at.server));
});

test('F2 own ToolNode, native, two calls in one task', async () => {
  const { read, ran } = readTool();
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => requireApproval('x'));
  const node = new ToolNode(hookTools([read], hooks, { approval: 'native' }));
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('tools', node)
    .addEdge(START, 'tools')
    .compile({ checkpointer: new MemorySaver() });
  const call = (id: string, path: string) => ({
    type: 'tool_call' as const,
    id,
    name: 'read',
    args: { path },
  });
  let r: object = await graph.invoke(
    { messages: [new AIMessage({ content: '', tool_calls: [call('c1', 'a'), call('c2', 'b')] })] },
    config,
  );
  for (let i = 0; i < 4; i++) {
    const ps = pendingApprovals(r);
    console.log('F2', JSON.stringify(Reflect.get(r, '__interrupt__')), ran);
    if (ps.length === 0) break;
    r = await graph.invoke(
      new Command({
        resume: Object.fromEntries(ps.map((p) => [p.callId, { decision: 'allow', hash: p.hash }])),
      }),
      config,
    );
  }
  console.log('F2 end', JSON.stringify(r));
});

test('S66 bare call without id in a node, native', async () => {
  const { read, ran } = readTool();
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => requireApproval('x'));
  const [hooked] = hookTools([read], hooks, { approval: 'native' });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('n', async () => {
      const out = await hooked!.invoke({ path: 'a' });
      return { messages: [new HumanMessage(String(out))] };
    })
    .addEdge(START, 'n')
    .compile({ checkpointer: new MemorySaver() });
  let r: object = await graph.invoke({ messages: [] }, config);
  for (let i = 0; i < 3; i++) {
    const ps = pendingApprovals(r);
    console.log('S66', ps, ran);
    if (ps.length === 0) break;
    r = await graph.invoke(
      new Command({
        resume: Object.fromEntries(ps.map((p) => [p.callId, { decision: 'allow', hash: p.hash }])),
      }),
      config,
    );
  }
});

test('S74 withConfig thread', async () => {
  await using at = await scripted(readOne);
  const { read } = readTool();
  const hooks = createHooks();
  const ids: string[] = [];
  hooks.observe(H.SessionStart, ({ session }) => void ids.push(session.id));
  const agent = createHookedAgent(
    { model: at.model, tools: [read], checkpointer: new MemorySaver() },
    hooks,
  ).withConfig(config as never);
  await agent.invoke(user('go'));
  console.log('S74', ids);
});

test('S48 prompts by Command.update, S49, S50', async () => {
  const hooks = createHooks();
  const prompts: string[] = [];
  hooks.on(H.UserPromptSubmit, ({ prompt }) => {
    prompts.push(prompt);
    return block('no');
  });
  for (const input of [
    new Command({ update: { messages: [new HumanMessage('by command')] } }),
    { messages: [new HumanMessage('before system'), new SystemMessage('sys')] },
    { messages: [new ChatMessage('chat', 'user')] },
    { messages: [new HumanMessage('two'), new AIMessage('prefill')] },
  ]) {
    await using at = await scripted(() => ({ text: 'Hello.' }));
    const agent = createHookedAgent({ model: at.model, checkpointer: new MemorySaver() }, hooks);
    const result = await agent.invoke(input as never, config).catch((e) => e);
    console.log(
      'S48',
      prompts.splice(0),
      at.server.requests.length,
      blockReason(result),
      result instanceof Error ? result : '',
    );
  }
});

test('S25 grandchild session', async () => {
  await using leaf = await scripted(readOne);
  await using mid = await scripted(calls({ name: 'ask_leaf', arguments: {}, id: 'm1' }));
  await using top = await scripted(calls({ name: 'ask_mid', arguments: {}, id: 't1' }));
  const hooks = createHooks();
  const starts: string[] = [];
  hooks.observe(
    H.SubagentStart,
    (e) => void starts.push(`${e.subagent} in ${e.session.id} own ${e.subagentSession}`),
  );
  hooks.observe(
    BeforeToolCall,
    (e) => void starts.push(`${e.toolName} session ${e.session.id} parent ${e.session.parent?.id}`),
  );
  const asTool = (name: string, agent: { invoke(s: never): Promise<{ messages: { text: string }[] }> }) =>
    tool(async () => (await agent.invoke(user('kick') as never)).messages.at(-1)?.text ?? '', {
      name,
      description: name,
      schema: z.object({}),
    });
  const { read } = readTool();
  const l = createHookedAgent({ name: 'leaf', model: leaf.model, tools: [read] }, hooks);
  const m = createHookedAgent(
    { name: 'mid', model: mid.model, tools: [asTool('ask_leaf', l as never)] },
    hooks,
  );
  const t = createHookedAgent(
    {
      name: 'top',
      model: top.model,
      tools: [asTool('ask_mid', m as never)],
      checkpointer: new MemorySaver(),
    },
    hooks,
  );
  await t.invoke(user('go'), config);
  console.log('S25', starts);
});

test('S20 rename to a hooked tool', async () => {
  await using at = await scripted(readOne);
  const hooks = createHooks();
  const asked: string[] = [];
  hooks.on(BeforeToolCall, ({ toolName, nativeToolName }) => {
    asked.push(`${nativeToolName}>${toolName}`);
    return toolName === 'read' ? modify({ toolName: 'see' }) : proceed();
  });
  hooks.observe(H.AfterToolCall, ({ toolName }) => void asked.push(`after ${toolName}`));
  const { read, ran } = readTool();
  const see = hookTool(
    tool(async ({ path }: { path: string }) => `saw ${path}`, {
      name: 'see',
      description: 's',
      schema: z.object({ path: z.string() }),
    }),
    hooks,
  );
  await createHookedAgent({ model: at.model, tools: [read, see] }, hooks).invoke(user('go'));
  console.log('S20', asked, ran, resultsOf(at.server));
});

test('S18 stop with a sibling command that adds a human message', async () => {
  await using at = await scripted(
    calls({ name: 'read', arguments: { path: 'a' }, id: 'c1' }, { name: 'note', arguments: {}, id: 'c2' }),
  );
  const hooks = createHooks();
  hooks.on(BeforeToolCall.matching('read'), () => block('Stop it.', { stop: true }));
  const { read } = readTool();
  const note = tool(
    async (_i, c) =>
      new Command({
        update: {
          messages: [
            new ToolMessage({
              content: 'noted',
              tool_call_id: (c as { toolCall: { id: string } }).toolCall.id,
            }),
            new HumanMessage('by the way'),
          ],
        },
      }),
    { name: 'note', description: 'n', schema: z.object({}) },
  );
  const r = await createHookedAgent({ model: at.model, tools: [read, note] }, hooks).invoke(user('go'));
  console.log('S18', at.server.requests.length, blockReason(r));
});

test('S47 model swapped by a middleware: what is streamed', async () => {
  await using at = await scripted(() => ({ text: 'tangerine secret' }));
  const hooks = createHooks();
  hooks.on(H.AfterModelCall, () => block('No.'));
  const swap = createMiddleware({
    name: 'swap',
    wrapModelCall: (request, handler) => handler({ ...request, model: at.model }),
  });
  const agent = createHookedAgent({ model: at.model, middleware: [swap] }, hooks);
  let seen = '';
  for await (const c of await agent.stream(user('go'), { streamMode: ['messages', 'values'] }))
    seen += JSON.stringify(c);
  console.log('S47 leaks', seen.includes('tangerine'), seen.includes('No.'));
});

test('S46 inner registry changes settings', async () => {
  await using at = await scripted(() => ({ text: 'tangerine secret' }));
  const outer = createHooks();
  const inner = createHooks();
  outer.on(H.AfterModelCall, () => block('No.'));
  inner.on(H.BeforeModelCall, () => modify({ settings: { temperature: 0.5 } }));
  const agent = createHookedAgent({ model: at.model, middleware: [hooksMiddleware(inner)] }, outer);
  let seen = '';
  for await (const c of await agent.stream(user('go'), { streamMode: ['messages', 'values'] }))
    seen += JSON.stringify(c);
  console.log('S46 leaks', seen.includes('tangerine'), seen.includes('No.'));
});
