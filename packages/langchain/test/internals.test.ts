/** Each private part of LangChain and LangGraph that `src/internals.ts` uses: a test fails by its name where a version moves it. */
import { isDeepStrictEqual } from 'node:util';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { HumanMessage } from '@langchain/core/messages';
import { RunnableBinding } from '@langchain/core/runnables';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import {
  Command,
  GraphInterrupt,
  GraphRecursionError,
  interrupt,
  type LangGraphRunnableConfig,
  MemorySaver,
  MessagesAnnotation,
  Send,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, createMiddleware, initChatModel, modelCallLimitMiddleware, tool } from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ambientConfig } from '../src/config.ts';
import {
  agentName,
  attemptOf,
  boundModel,
  type ChatModel,
  checkpointOf,
  chosenLater,
  eventsOfChunks,
  forgetResume,
  graphAround,
  hasCheckpointer,
  inputOfNode,
  invokesBody,
  isChatModel,
  isCommand,
  isCommandResult,
  isControlFlow,
  isGivenById,
  isLimit,
  isPause,
  isResumed,
  isResumedById,
  isResumedForAll,
  isSharedNode,
  isStorable,
  isToolCall,
  jsonOfTask,
  lastInterrupts,
  modelWith,
  nodeOf,
  objectsOfRun,
  PRIVATE,
  resumedWith,
  scratchpadOf,
  streamsChunks,
  TELLS,
  takenOf,
  taskOf,
  waitingInterrupts,
} from '../src/internals.ts';
import { calls, readTool, scripted, user } from './fixtures.ts';

const config = { configurable: { thread_id: 't1' } };

/** A graph whose node notes its config and then waits for two answers. */
function pausing() {
  const seen: {
    readonly resumed: readonly unknown[];
    readonly taken: number;
    readonly byId: boolean;
    readonly shown: readonly unknown[];
  }[] = [];
  let pauses = false;
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('node', async (_state, node: LangGraphRunnableConfig) => {
      const resumed = [...resumedWith(node)];
      pauses = hasCheckpointer(node);
      const shown = await lastInterrupts(node);
      interrupt('first?');
      seen.push({ resumed, taken: takenOf(node), byId: isResumedById(node), shown });
      interrupt('second?');
      return {};
    })
    .addEdge(START, 'node')
    .compile({ checkpointer: new MemorySaver() });
  return { graph, seen, pauses: () => pauses };
}

describe("a node's config", () => {
  test('__pregel_checkpointer tells that it may pause', async () => {
    const { graph, pauses } = pausing();
    await graph.invoke({ messages: [] }, config);
    expect(pauses()).toBe(true);
  });

  test('checkpoint_ns names the node', async () => {
    let node: string | undefined;
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('node', () => {
        node = nodeOf(ambientConfig());
        return {};
      })
      .addEdge(START, 'node')
      .compile();
    await graph.invoke({ messages: [] });
    expect(node).toMatch(/^node:/);
  });

  test('checkpoint_ns names the graph inside a node', async () => {
    const seen: (string | undefined)[] = [];
    const note = () => {
      seen.push(graphAround(ambientConfig()));
      return {};
    };
    const inner = new StateGraph(MessagesAnnotation).addNode('inner', note).addEdge(START, 'inner').compile();
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('first', note)
      .addNode('node', inner)
      .addEdge(START, 'first')
      .addEdge('first', 'node')
      .compile();
    for (const _run of [1, 2]) await graph.invoke({ messages: [] });
    expect(seen).toEqual([undefined, expect.stringMatching(/^node:/), undefined, expect.any(String)]);
    expect(seen[1]).not.toBe(seen[3]);
  });

  test('control and writer are those of the run, in all its nodes', async () => {
    const seen: (readonly (object | undefined)[])[] = [];
    const note = () => {
      seen.push(objectsOfRun(ambientConfig()));
      return {};
    };
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('first', note)
      .addNode('second', note)
      .addEdge(START, 'first')
      .addEdge('first', 'second')
      .compile();
    for (const _run of [1, 2]) await graph.invoke({ messages: [] });
    const [first, second, third, fourth] = seen;
    expect([first, third].flat()).toEqual(Array.from({ length: 4 }, () => expect.anything()));
    for (const nth of [0, 1]) {
      expect(first?.[nth]).toBe(second?.[nth]);
      expect(third?.[nth]).toBe(fourth?.[nth]);
      expect(first?.[nth]).not.toBe(third?.[nth]);
    }
  });

  test('__pregel_scratchpad has what it was resumed with, and how many of that it has taken', async () => {
    const { graph, seen } = pausing();
    await graph.invoke({ messages: [] }, config);
    await graph.invoke(new Command({ resume: 1 }) as never, config);
    await graph.invoke(new Command({ resume: 2 }) as never, config);
    expect(seen).toMatchObject([
      { resumed: [1], taken: 1, byId: false },
      { resumed: [1, 2], taken: 1, byId: false },
    ]);
  });

  test('__pregel_task_id and checkpoint_map name the task and the step; the scratchpad is that of one execution', async () => {
    const seen: { task: unknown; step: unknown; execution: object | undefined }[] = [];
    const note = (node: LangGraphRunnableConfig) =>
      seen.push({ task: taskOf(node), step: checkpointOf(node), execution: scratchpadOf(node) });
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('first', async (_state, node: LangGraphRunnableConfig) => {
        note(node);
        interrupt('what?');
        return {};
      })
      .addNode('second', async (_state, node: LangGraphRunnableConfig) => {
        note(node);
        return {};
      })
      .addEdge(START, 'first')
      .addEdge('first', 'second')
      .compile({ checkpointer: new MemorySaver() });
    await graph.invoke({ messages: [] }, config);
    await graph.invoke(new Command({ resume: 'this' }) as never, config);
    const [before, after, next] = seen;
    expect(before).toMatchObject({ task: expect.any(String), step: expect.any(String) });
    expect([after?.task, after?.step]).toEqual([before?.task, before?.step]);
    expect(after?.execution).not.toBe(before?.execution);
    expect(next?.task).not.toBe(before?.task);
    expect(next?.step).not.toBe(before?.step);
  });

  test('executionInfo.nodeAttempt counts the attempts of a retry policy, which share the scratchpad', async () => {
    const seen: { attempt: number | undefined; execution: object | undefined }[] = [];
    const graph = new StateGraph(MessagesAnnotation)
      .addNode(
        'node',
        () => {
          const node = ambientConfig();
          seen.push({ attempt: attemptOf(node), execution: scratchpadOf(node) });
          if (seen.length === 1) throw new Error('the node fails');
          return {};
        },
        { retryPolicy: { maxAttempts: 2, initialInterval: 1, jitter: false, logWarning: false } },
      )
      .addEdge(START, 'node')
      .compile({ checkpointer: new MemorySaver() });
    await graph.invoke({ messages: [] }, config);
    expect(seen.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(seen[1]?.execution).toBe(seen[0]?.execution);
  });

  test('langgraph_path tells a node for several calls from one that a Send started', async () => {
    const seen: boolean[] = [];
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('one', () => ({}))
      .addNode('node', () => {
        seen.push(isSharedNode(ambientConfig()));
        return {};
      })
      .addEdge(START, 'one')
      .addConditionalEdges('one', () => ['node', new Send('node', { messages: [] })] as never)
      .compile();
    await graph.invoke({ messages: [] });
    expect(seen.toSorted()).toEqual([false, true]);
  });

  test('a resume value that is taken out of the checkpoint is given to no later run', async () => {
    const seen: unknown[] = [];
    let refuses = true;
    const node = async (_state: unknown, within: LangGraphRunnableConfig) => {
      seen.push([isResumedForAll(within), ...resumedWith(within)]);
      if (refuses && isResumed(within)) throw new Error(`forgotten: ${await forgetResume(within)}`);
      return { messages: [new HumanMessage(interrupt('what?'))] };
    };
    const inner = new StateGraph(MessagesAnnotation).addNode('inner', node).addEdge(START, 'inner').compile();
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('outer', inner)
      .addEdge(START, 'outer')
      .compile({ checkpointer: new MemorySaver() });
    await graph.invoke({ messages: [] }, config);
    await expect(graph.invoke(new Command({ resume: 'this' }) as never, config)).rejects.toThrow(
      'forgotten: true',
    );
    refuses = false;
    await graph.invoke(null as never, config);
    const { messages } = await graph.invoke(new Command({ resume: 'that' }) as never, config);
    expect(messages.map(({ text }) => text)).toEqual(['that']);
    expect(seen).toEqual([[false], [true, 'this'], [false], [true, 'that']]);
  });

  test('currentTaskInput is the input of the node', async () => {
    let input: unknown;
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('node', (_state, node: LangGraphRunnableConfig) => {
        input = inputOfNode(node);
        return {};
      })
      .addEdge(START, 'node')
      .compile();
    await graph.invoke({ messages: 'go' });
    expect(input).toMatchObject({ messages: [{ text: 'go' }] });
  });

  test('__pregel_resuming is set where a node runs again, also without a value', async () => {
    const seen: boolean[] = [];
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('node', () => {
        seen.push(isResumed(ambientConfig()));
        interrupt('what?');
        return {};
      })
      .addEdge(START, 'node')
      .compile({ checkpointer: new MemorySaver() });
    await graph.invoke({ messages: [] }, config);
    await graph.invoke(null, config);
    await graph.invoke(new Command({ resume: 1 }) as never, config);
    expect(seen).toEqual([false, true, true]);
  });

  test('__pregel_resume_map is there where an interrupt was answered by its id', async () => {
    const { graph, seen } = pausing();
    const paused = await graph.invoke({ messages: [] }, config);
    const [{ id }] = Reflect.get(paused, '__interrupt__');
    await graph.invoke(new Command({ resume: { [id]: 1 } }) as never, config);
    expect(seen).toMatchObject([{ resumed: [1], byId: true }]);
  });

  test('__pregel_task_id, checkpoint_ns and checkpoint_map find what the node has shown last', async () => {
    const { graph, seen } = pausing();
    await graph.invoke({ messages: [] }, config);
    await graph.invoke(new Command({ resume: 1 }) as never, config);
    await graph.invoke(new Command({ resume: 2 }) as never, config);
    expect(seen.map(({ shown }) => shown)).toEqual([['first?'], ['second?']]);
  });

  test('metadata.lc_agent_name is the name of the agent', async () => {
    await using at = await scripted(() => ({ text: 'Hello.' }));
    let name: string | undefined;
    const naming = createMiddleware({
      name: 'naming',
      wrapModelCall: (request, handler) => {
        name = agentName(ambientConfig());
        return handler(request);
      },
    });
    await createAgent({ model: at.model, middleware: [naming], name: 'ann' }).invoke(user('hi') as never);
    expect(name).toBe('ann');
  });
});

describe('what is thrown', () => {
  test('is_bubble_up marks control flow, and `interrupts` a pause', () => {
    expect(isPause(new GraphInterrupt([{ value: 1 }]))).toBe(true);
    expect(isControlFlow(new GraphInterrupt())).toBe(true);
    expect(isControlFlow(new Error('no'))).toBe(false);
  });

  test('GraphRecursionError and ModelCallLimitMiddlewareError are limits by their names', async () => {
    expect(isLimit(new GraphRecursionError('too many'))).toBe(true);
    await using at = await scripted(calls({ name: 'read', arguments: { path: 'a' } }));
    const limit = modelCallLimitMiddleware({ runLimit: 1, exitBehavior: 'error' } as never) as never;
    const agent = createAgent({ model: at.model, tools: [readTool().read], middleware: [limit] });
    const error = await agent.invoke(user('go') as never).catch((thrown: unknown) => thrown);
    expect(isLimit(error)).toBe(true);
  });
});

test('lg_name tells a Command', () => {
  expect(isCommand(new Command({ update: {} }))).toBe(true);
  expect(isCommand(new HumanMessage('hi'))).toBe(false);
});

test('_updateAsTuples tells a Command from JSON of the same shape', () => {
  const command = new Command({ update: { messages: [] } });
  expect(isCommandResult(command)).toBe(true);
  expect(isCommandResult(JSON.parse(JSON.stringify(command)))).toBe(false);
});

test("a tool's invoke ends in _call, which gets the tool call in its config", async () => {
  const got: unknown[] = [];
  const read = tool(async () => 'content', {
    name: 'read',
    description: 'Reads.',
    schema: z.object({ path: z.string() }),
  });
  expect(invokesBody(read)).toBe(true);
  const call = { type: 'tool_call', id: 'c1', name: 'read', args: { path: 'a' } } as const;
  const around = new Proxy(read, {
    get: (target, property) =>
      property === '_call'
        ? (...args: unknown[]) => {
            got.push(args[0], Reflect.get(Object(args[2]), 'toolCall'));
            return 'content';
          }
        : Reflect.get(target, property, target),
  });
  await around.invoke(call);
  expect(got).toEqual([{ path: 'a' }, call]);
});

describe('a chat model', () => {
  const model = new ChatOpenAI({ model: 'one', apiKey: 'none', temperature: 1 });

  test.each([PRIVATE.answer, PRIVATE.chunks, PRIVATE.events])('has %s', (member) => {
    expect(Reflect.get(model, member), member).toBeTypeOf('function');
    expect(isChatModel(model)).toBe(true);
  });

  test('with chunks of its own is told by _streamResponseChunks, and every model makes events of them', () => {
    const whole = new FakeListChatModel({ responses: ['Hello.'] });
    Reflect.set(whole, PRIVATE.chunks, BaseChatModel.prototype._streamResponseChunks);
    expect([model, whole].map((one) => streamsChunks(one as unknown as ChatModel))).toEqual([true, false]);
    expect(eventsOfChunks).toBeTypeOf('function');
  });

  test.each([...TELLS])('tells of itself by %s', (member) => {
    expect(Reflect.get(model, member), String(member)).toBeTypeOf('function');
  });

  test('answers through the members that stand in the place of its own', async () => {
    await using at = await scripted(() => ({ text: 'Hello.' }));
    const asked: PropertyKey[] = [];
    const watched = new Proxy(at.model, {
      get(target, member) {
        asked.push(member);
        return Reflect.get(target, member);
      },
    });
    await watched.invoke('hi');
    for await (const _ of await watched.stream('hi'));
    expect(asked).toEqual(expect.arrayContaining([PRIVATE.answer, PRIVATE.chunks]));
  });

  test('has lc_kwargs, of which it is made anew', () => {
    expect(modelWith(model, { model: 'two', settings: { temperature: 0 } })).toMatchObject({
      model: 'two',
      temperature: 0,
    });
  });

  test('is `bound` in a RunnableBinding', () => {
    expect(boundModel(new RunnableBinding({ bound: model, config: {}, kwargs: {} }))).toBeInstanceOf(
      ChatOpenAI,
    );
  });

  test('that is chosen by name is made by _getModelInstance, of lc_kwargs.defaultConfig', async () => {
    const chosen = await initChatModel('openai:one', { apiKey: 'none', configurableFields: 'any' } as never);
    expect(isChatModel((await chosenLater(chosen)?.()) ?? {})).toBe(true);
    const changed = modelWith(chosen, { model: 'two' });
    expect(await chosenLater(changed ?? {})?.()).toMatchObject({ model: 'two' });
  });
});

test('a task has a copy of its arguments, in which `__proto__` is no field and what looks like a task is one', () => {
  const args: unknown = JSON.parse(
    '{"a":{"__proto__":{"b":1}},"list":[{"node":"n","args":{"c":1},"d":1}],"n":null}',
  );
  const task: Send<string, { readonly args: { readonly a?: object } }> = new Send('tools', {
    args: Object(args),
  });
  expect(Reflect.get(Object(task.args.args.a), 'b')).toBe(1);
  expect(jsonOfTask(task.args.args)).toBe(jsonOfTask(args));
  expect(jsonOfTask(task.args.args)).toBe(
    '{"a":{},"list":[{"lg_name":"Send","node":"n","args":{"c":1}}],"n":null}',
  );
});

test('a tool takes arguments that isToolCall recognizes for a call, and runs with what is inside', async () => {
  const ran: unknown[] = [];
  const schema = { type: 'object', properties: {} } as const;
  const run = (input: unknown) => void ran.push(input);
  const note = tool(run, { name: 'note', description: 'Notes.', schema });
  const inner = { type: 'tool_call', id: 'c2', name: 'note', args: { a: 1 } };
  await note.invoke({ type: 'tool_call', id: 'c1', name: 'note', args: inner });
  expect(isToolCall(inner)).toBe(true);
  expect(ran).toEqual([{ a: 1 }]);
});

test.each([
  ['{"__proto__":{"a":1}}', false],
  ['{"a":[-0]}', false],
  ['{"a":[{"lc":2,"type":"undefined"}]}', false],
  [
    '{"lc":1,"type":"constructor","id":["langchain_core","messages","HumanMessage"],"kwargs":{"content":"a"}}',
    false,
  ],
  ['{"a":{"lg_name":"Send","node":"n","args":{},"b":1}}', false],
  [
    '{"a":[{"node":"n","args":{"c":1},"type":"constructor","id":["Set"]}],"constructor":{"prototype":1}}',
    true,
  ],
])('a checkpoint keeps the data %s as it is: %s', async (text, kept) => {
  const data: unknown = JSON.parse(text);
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('node', () => ({ messages: interrupt(data) ? [] : [] }))
    .addEdge(START, 'node')
    .compile({ checkpointer: new MemorySaver() });
  await graph.invoke({ messages: [] }, config);
  const { tasks } = await graph.getState(config);
  const stored = tasks[0]?.interrupts[0]?.value;
  // JSON.stringify has no -0.
  expect(JSON.stringify(stored) === text && isDeepStrictEqual(stored, data)).toBe(kept);
  expect(isStorable(data)).toBe(kept);
});

test('the interrupts of a thread wait in its checkpoint, and a value by id is for one of them', async () => {
  const seen: unknown[] = [];
  const pausing = (name: string) => async (_state: unknown, node: LangGraphRunnableConfig) => {
    const value = resumedWith(node).at(-1);
    if (value !== undefined) seen.push([name, isGivenById(node, value), await waitingInterrupts(node)]);
    return { messages: interrupt(name) ? [] : [] };
  };
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('a', pausing('asks a'))
    .addNode('b', pausing('asks b'))
    .addEdge(START, 'a')
    .addEdge(START, 'b')
    .compile({ checkpointer: new MemorySaver() });
  await graph.invoke({ messages: [] }, config);
  const { tasks } = await graph.getState(config);
  const [first] = tasks.flatMap(({ interrupts }) => interrupts);
  await graph.invoke(new Command({ resume: { [first?.id ?? '']: { yes: true } } }), config);
  await graph.invoke(new Command({ resume: { no: true } }), config);
  expect(seen).toEqual([
    ['asks a', true, ['asks a', 'asks b']],
    ['asks b', false, ['asks b']],
  ]);
});
