/** Sessions of graphs that run without a thread. A client chooses the ids of its messages, and the model those of its calls. */
import {
  BeforeToolCall,
  createHooks,
  HookEvent,
  type Hooks,
  proceed,
  Stop,
  sessionKey,
  UserPromptSubmit,
} from '@hooks/core';
import { HumanMessage } from '@langchain/core/messages';
import { MessagesAnnotation, RunControl, START, StateGraph } from '@langchain/langgraph';
import type { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createHookedAgent, hooksMiddleware } from '../src/index.ts';
import { readTool, scripted } from './fixtures.ts';

/** Two calls of `read`, and then an answer: by how many results the model was told. */
const reads: Parameters<typeof scripted>[0] = ({ messages }) => {
  const told = messages.filter(({ role }) => role === 'tool').length;
  return told < 2
    ? { toolCalls: [{ id: `c${told}`, name: 'read', arguments: { path: 'a' } }] }
    : { text: 'Done.' };
};

/** The same from each client. */
const posted = (): { messages: HumanMessage[] } => ({
  messages: [new HumanMessage({ id: 'm1', content: 'hi' })],
});

/** Hooks that count the calls of a session, and note of each event its session. */
function counting() {
  const hooks = createHooks();
  const key = sessionKey<{ calls: number }>('count');
  const counts: number[] = [];
  const sessions = new Set<string>();
  const parents = new Set<string | undefined>();
  hooks.on(UserPromptSubmit, () => proceed());
  hooks.on(Stop, () => proceed());
  hooks.on(BeforeToolCall, ({ session }) => {
    const count = session.get(key, () => ({ calls: 0 }));
    counts.push(++count.calls);
    return proceed();
  });
  hooks.observe(HookEvent, ({ session }) => {
    sessions.add(session.id);
    parents.add(session.parent?.id);
  });
  return { hooks, counts, sessions, parents };
}

interface Graph {
  invoke(state: object, config?: object): Promise<unknown>;
  stream(state: object, config?: object): Promise<AsyncIterable<unknown>>;
  streamEvents(state: object, config: object): AsyncIterable<unknown>;
  batch(states: object[], config?: object): Promise<unknown>;
}

const graphs: { readonly [what: string]: (model: ChatOpenAI, hooks: Hooks) => Graph } = {
  'an agent with a middleware': (model, hooks) =>
    createAgent({ model, tools: [readTool().read], middleware: [hooksMiddleware(hooks)] })
      .graph as object as Graph,
  'the graph of a hooked agent': (model, hooks) =>
    createHookedAgent({ model, tools: [readTool().read] }, hooks).graph as object as Graph,
  'a node with the graph of a hooked agent': (model, hooks) =>
    new StateGraph(MessagesAnnotation)
      .addNode('agent', createHookedAgent({ model, tools: [readTool().read] }, hooks).graph as never)
      .addEdge(START, 'agent')
      .compile() as object as Graph,
  'a hooked agent': (model, hooks) =>
    createHookedAgent({ model, tools: [readTool().read] }, hooks) as object as Graph,
};

async function drained(chunks: AsyncIterable<unknown>): Promise<void> {
  for await (const _chunk of chunks);
}

const control = new RunControl();
const writer = (): void => {};

/** Two clients, one after the other or at once. */
const ways: { readonly [what: string]: (graph: Graph) => Promise<unknown> } = {
  'one after the other': async (graph) => {
    await graph.invoke(posted());
    await graph.invoke(posted());
  },
  'with one and the same message object': async (graph) => {
    const input = posted();
    await graph.invoke(input);
    await graph.invoke(input);
  },
  'at once': (graph) => Promise.all([graph.invoke(posted()), graph.invoke(posted())]),
  streamed: async (graph) => {
    await drained(await graph.stream(posted()));
    await drained(await graph.stream(posted(), { streamMode: ['messages', 'custom'] }));
  },
  'as events v1 and v2': async (graph) => {
    await drained(graph.streamEvents(posted(), { version: 'v1' }));
    await drained(graph.streamEvents(posted(), { version: 'v2' }));
  },
  'streamed with subgraphs': async (graph) => {
    await drained(await graph.stream(posted(), { subgraphs: true }));
    await drained(await graph.stream(posted(), { subgraphs: true, streamMode: 'updates' }));
  },
  'with one RunControl': async (graph) => {
    await graph.invoke(posted(), { control });
    await graph.invoke(posted(), { control });
  },
  'with one writer': async (graph) => {
    await graph.invoke(posted(), { writer });
    await graph.invoke(posted(), { writer });
  },
  'with one run id': async (graph) => {
    const runId = '0199d1a0-0000-7000-8000-000000000001';
    await graph.invoke(posted(), { runId });
    await graph.invoke(posted(), { runId });
  },
};

describe.each(Object.entries(graphs))('two clients whose messages have the same id, of %s', (_what, make) => {
  test.each(Object.entries(ways))('have sessions of their own: %s', async (_way, run) => {
    await using at = await scripted(reads);
    const { hooks, counts, sessions } = counting();
    await run(make(at.model, hooks));
    await hooks.settled();
    expect(counts.toSorted()).toEqual([1, 1, 2, 2]);
    expect(sessions.size).toBe(2);
    expect([...sessions].join()).not.toContain('m1');
  });
});

test.each(Object.keys(graphs).slice(0, 2))('a batch of %s has a session for each input', async (what) => {
  await using at = await scripted(reads);
  const { hooks, counts, sessions } = counting();
  await graphs[what]?.(at.model, hooks).batch([posted(), posted(), posted()]);
  await hooks.settled();
  expect(counts.toSorted()).toEqual([1, 1, 1, 2, 2, 2]);
  expect(sessions.size).toBe(3);
});

describe('a sub-agent that runs without a thread of its own', () => {
  const helper = (graph: Graph, times: number) =>
    tool(
      async () => {
        for (let nth = 0; nth < times; nth++) await graph.invoke(posted());
        return 'helped';
      },
      { name: 'read', description: 'Helps.', schema: z.object({ path: z.string() }) },
    );

  test.each([
    ['without a thread', {}],
    ['in a thread', { configurable: { thread_id: 't' } }],
  ])(
    'has a session for each of its runs, whose parent is that of the outer agent: %s',
    async (_how, config) => {
      await using at = await scripted(reads);
      const { hooks, counts, sessions, parents } = counting();
      const inner = graphs['an agent with a middleware']?.(at.model, hooks) as Graph;
      const outer = createHookedAgent({ model: at.model, tools: [helper(inner, 2)] }, hooks);
      await outer.invoke(posted(), config);
      await hooks.settled();
      // The outer agent calls its tool twice, and that runs the inner one twice.
      expect(counts.toSorted()).toEqual([1, 1, 1, 1, 1, 2, 2, 2, 2, 2]);
      expect(sessions.size).toBe(5);
      const outermost = [...parents].filter((id) => id !== undefined);
      expect(outermost).toHaveLength(1);
      expect(sessions).toContain(outermost[0]);
    },
  );

  test('has a session for each of its runs in one node of a graph', async () => {
    await using at = await scripted(reads);
    const { hooks, counts, sessions } = counting();
    const inner = graphs['an agent with a middleware']?.(at.model, hooks) as Graph;
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('twice', async () => {
        await inner.invoke(posted());
        await inner.invoke(posted());
        return {};
      })
      .addEdge(START, 'twice')
      .compile();
    await graph.invoke(posted() as never);
    await hooks.settled();
    expect(counts).toEqual([1, 2, 1, 2]);
    expect(sessions.size).toBe(2);
  });

  test('has a session for each of its runs that are there at once', async () => {
    await using at = await scripted(reads);
    const { hooks, counts, sessions } = counting();
    const inner = graphs['an agent with a middleware']?.(at.model, hooks) as Graph;
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('twice', async () => {
        await Promise.all([inner.invoke(posted()), inner.invoke(posted())]);
        return {};
      })
      .addEdge(START, 'twice')
      .compile();
    await graph.invoke(posted() as never);
    await hooks.settled();
    expect(counts.toSorted()).toEqual([1, 1, 2, 2]);
    expect(sessions.size).toBe(2);
  });
});
