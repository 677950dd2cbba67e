import { BeforeToolCall, block, createHooks, type Hooks, proceed, requireApproval } from '@hooks/core';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, ToolMessage } from '@langchain/core/messages';
import type { ClientTool } from '@langchain/core/tools';
import { Command, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { createAgent, createMiddleware, tool } from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createHookedAgent, hooksMiddleware, hookTool, pendingApprovals } from '../src/index.ts';
import type { HookableTool } from '../src/tool/tool.ts';
import { scripted, user } from './fixtures.ts';
import { Saying } from './saying.ts';

/** Everything that a value shows, inherited fields and classes, too. */
function shown(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const fields: unknown[] = Reflect.ownKeys(value).map((key) => [
    String(key),
    shown(Reflect.get(value, key)),
  ]);
  for (let owner = Object.getPrototypeOf(value); owner !== null; owner = Object.getPrototypeOf(owner))
    if (owner !== Object.prototype && owner !== Array.prototype)
      fields.push(['inherits', shown({ ...owner })]);
  return fields;
}

const schemas = {
  'JSON Schema': { type: 'object', properties: { command: { type: 'string' } } },
  Zod: z.looseObject({ command: z.string().optional() }),
} as const;

/** A tool `shell` that notes what it ran with. */
function shellTool(schema: keyof typeof schemas = 'JSON Schema') {
  const ran: unknown[] = [];
  const run = (input: unknown) => {
    ran.push(input);
    return 'done';
  };
  return {
    ran,
    shell: tool(run as never, { name: 'shell', description: 'Runs.', schema: schemas[schema] as never }),
  };
}

/** Hooks that note the inputs of calls. */
function noting() {
  const hooks = createHooks({ onWarning: () => {} });
  const seen: unknown[] = [];
  hooks.guard(BeforeToolCall, ({ input }) => {
    seen.push(input);
    return proceed();
  });
  return { hooks, seen };
}

/** Arguments that a model may write. A call runs with what is written, or not at all. */
const texts = {
  runs: {
    'a field `__proto__`': '{"__proto__":{"command":"rm"}}',
    'it, escaped': '{"\\u005f_proto__":{"command":"rm"}}',
    'it, nested': '{"list":[{"__proto__":{"command":"rm"}}]}',
    'it, twice': '{"__proto__":{"command":"ls"},"__proto__":{"command":"rm"}}',
    'it, holding null': '{"__proto__":{},"__proto__":null,"command":"ls"}',
    constructor: '{"constructor":{"prototype":{"command":"rm"}},"toString":"x","valueOf":1}',
    'a field twice': '{"command":"ls","command":"rm"}',
    'the shape of a task': '{"node":"tools","args":{"command":"rm"},"command":"ls"}',
    'the shape of a task, nested': '{"steps":[{"node":"tools","args":{"__proto__":1},"timeout":5,"why":1}]}',
    'the shape of a serialized object':
      '{"lc":1,"type":"constructor","id":["langchain_core","messages","HumanMessage"],"kwargs":{"content":"rm"}}',
  },
  'is refused': {
    'a field `__proto__`, cut off': '{"__proto__":{"command":"rm"',
    'the shape of a tool call': '{"type":"tool_call","id":"c9","name":"shell","args":{"command":"rm"}}',
    'the shape of a command': '{"lg_name":"Command","update":{"command":"rm"}}',
    'a number without a JSON form': '{"number":1e400,"command":"rm"}',
    'too many levels': `{"command":"rm","list":${'['.repeat(300)}${']'.repeat(300)}}`,
  },
} as const;

const agents = {
  createHookedAgent: (params: Params, hooks: Hooks) => createHookedAgent(params, hooks),
  'createHookedAgent, behind a middleware': (params: Params, hooks: Hooks) =>
    createHookedAgent({ ...params, middleware: [passing] }, hooks),
  "createHookedAgent, version 'v1'": (params: Params, hooks: Hooks) =>
    createHookedAgent({ ...params, version: 'v1' }, hooks),
  hooksMiddleware: (params: Params, hooks: Hooks) =>
    createAgent({ ...params, middleware: [hooksMiddleware(hooks)] }),
  hookTool: (params: Params, hooks: Hooks) =>
    createAgent({ ...params, tools: params.tools.map((one) => hookTool(one, hooks)) }),
};

interface Params {
  readonly model: BaseChatModel;
  readonly tools: ClientTool[];
}

const passing = createMiddleware({ name: 'passing', wrapToolCall: (call, run) => run({ ...call }) });

const cases = (of: keyof typeof texts) =>
  Object.entries(agents).flatMap(([how, make]) =>
    Object.entries(texts[of]).map(([what, text]) => [how, what, text, make] as const),
  );

/** What hooks saw and what the tool got of a call with these arguments, whole and streamed. */
async function play(
  make: (typeof agents)[keyof typeof agents],
  text: string,
  schema: keyof typeof schemas = 'JSON Schema',
) {
  const { hooks, seen } = noting();
  const { shell, ran } = shellTool(schema);
  for (const stream of [false, true]) {
    await using at = await scripted([
      { toolCalls: [{ name: 'shell', arguments: text, id: 'c1' }] },
      { text: 'Done.' },
    ]);
    const agent = make({ model: at.model, tools: [shell] }, hooks);
    if (stream) for await (const _ of await agent.stream(user('go'), { streamMode: 'messages' }));
    else await agent.invoke(user('go'));
  }
  return { seen, ran };
}

describe('a call with arguments of the model', () => {
  test.each(cases('runs'))('runs with what hooks saw (%s): %s', async (_how, _what, text, make) => {
    const { seen, ran } = await play(make, text);
    const written = shown(JSON.parse(text));
    expect(seen.map(shown)).toEqual([written, written]);
    expect(ran.map(shown)).toEqual([written, written]);
  });

  test.each(cases('is refused'))(
    'is refused, and the run goes on (%s): %s',
    async (how, what, text, make) => {
      const { seen, ran } = await play(make, text);
      // LangGraph copies the arguments into a task, except in this version.
      const asWritten = how.endsWith("'v1'") && what === 'the shape of a command';
      expect(ran.map(shown)).toEqual(asWritten ? seen.map(shown) : []);
    },
  );

  test.each(Object.entries(texts.runs))(
    'runs with what a Zod schema makes of what hooks saw: %s',
    async (_what, text) => {
      const { seen, ran } = await play(agents.createHookedAgent, text, 'Zod');
      expect(ran.map(shown)).toEqual(seen.map((input) => shown(schemas.Zod.parse(input))));
      expect(ran).toHaveLength(2);
    },
  );
});

/** An answer with calls of these tools, in pairs of name and id. */
const calling = (...made: readonly (readonly [name: string, args: object, id: string | undefined])[]) =>
  new AIMessage({
    content: '',
    tool_calls: made.map(([name, args, id]) => ({
      type: 'tool_call',
      name,
      args,
      ...(id !== undefined && { id }),
    })) as never,
  });

test('a person is not asked about arguments that a checkpoint would change', async () => {
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => requireApproval('sure?'));
  const { shell, ran } = shellTool();
  const args: object = JSON.parse('{"__proto__":{"command":"rm"}}');
  const params = {
    model: new Saying(calling(['shell', args, 'c1'])),
    tools: [shell],
    checkpointer: new MemorySaver(),
  };
  const agent = createHookedAgent(params, hooks, { approval: 'native' });
  const result = await agent.invoke(user('go'), { configurable: { thread_id: 't' } });
  expect(await pendingApprovals(result)).toEqual([]);
  expect(ran).toEqual([]);
  expect(result.messages.find((message) => ToolMessage.isInstance(message))?.text).toContain('`__proto__`');
});

describe('an id that a model uses twice', () => {
  const [x, y] = [{ command: 'x' }, { command: 'y' }];
  const twice: readonly (readonly [string, readonly AIMessage[]])[] = [
    ['in one answer', [calling(['shell', x, 'c1'], ['shell', y, 'c1'])]],
    ['in one answer, with another tool', [calling(['shell', x, 'c1'], ['other', x, 'c1'])]],
    ['in one answer, for the same', [calling(['shell', x, 'c1'], ['shell', x, 'c1'])]],
    ['in the next answer', [calling(['shell', x, 'c1']), calling(['shell', y, 'c1'])]],
    ['in the next answer, with another tool', [calling(['shell', x, 'c1']), calling(['other', x, 'c1'])]],
    ['in the next answer, for the same', [calling(['shell', x, 'c1']), calling(['shell', x, 'c1'])]],
    ['and that is empty', [calling(['shell', x, ''], ['other', x, ''])]],
    ['and that is missing', [calling(['shell', x, undefined], ['other', x, undefined])]],
  ];

  test.each(twice)('needs an approval for each call: %s', async (_when, answers) => {
    const hooks = createHooks();
    const asked: unknown[] = [];
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    const { shell, ran } = shellTool();
    const other = shellTool();
    other.shell.name = 'other';
    const agent = createHookedAgent({ model: new Saying(...answers), tools: [shell, other.shell] }, hooks, {
      approval: ({ toolName, input }) => ({
        decision: asked.push([toolName, input]) === 1 ? 'allow' : 'deny',
      }),
    });
    await agent.invoke(user('go'));
    expect(asked).toHaveLength(2);
    expect([...ran, ...other.ran]).toEqual([x]);
  });

  test.each(twice)('decides about each call: %s', async (_when, answers) => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.guard(BeforeToolCall, ({ toolName, input }) => {
      seen.push([toolName, input]);
      return seen.length === 1 ? proceed() : block('No.');
    });
    const { shell, ran } = shellTool();
    const other = shellTool();
    other.shell.name = 'other';
    const agent = createHookedAgent({ model: new Saying(...answers), tools: [shell, other.shell] }, hooks);
    const { messages } = await agent.invoke(user('go'));
    expect(seen).toHaveLength(2);
    expect([...ran, ...other.ran]).toEqual([x]);
    const results = messages.filter((message) => ToolMessage.isInstance(message));
    expect(results.map(({ name, text }) => [name, text])).toEqual([
      ['shell', 'done'],
      [answers.flatMap((one) => one.tool_calls ?? [])[1]?.name, expect.stringContaining('No.')],
    ]);
  });

  test.each(twice)('is answered for one call only, where a person is asked: %s', async (_when, answers) => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    const { shell, ran } = shellTool();
    const other = shellTool();
    other.shell.name = 'other';
    const params = {
      model: new Saying(...answers),
      tools: [shell, other.shell],
      checkpointer: new MemorySaver(),
    };
    const agent = createHookedAgent(params, hooks, { approval: 'native' });
    const config = { configurable: { thread_id: 't' } };
    let pending = await pendingApprovals(await agent.invoke(user('go'), config));
    const [first] = pending;
    if (first !== undefined) {
      const resume = { [first.callId]: { decision: 'allow', hash: first.hash } };
      pending = await pendingApprovals(await agent.invoke(new Command({ resume }), config));
    }
    expect([...ran, ...other.ran]).toEqual(first === undefined ? [] : [x]);
    const again = { c1: { decision: 'allow' } };
    if (pending.length > 0) expect(pending).toHaveLength(1);
    else await agent.invoke(new Command({ resume: again }), config);
    expect([...ran, ...other.ran]).toEqual(first === undefined ? [] : [x]);
  });
});

/** Runs the calls of a graph's last message with a tool. */
const nodes = {
  'a ToolNode': (pay: ClientTool) => new ToolNode([pay]),
  'a node of your own':
    (pay: ClientTool) =>
    async ({ messages }: typeof MessagesAnnotation.State) => {
      const asked = messages.at(-1);
      const results: ToolMessage[] = [];
      for (const one of AIMessage.isInstance(asked) ? (asked.tool_calls ?? []) : [])
        results.push((await (pay as HookableTool).invoke({ ...one, type: 'tool_call' })) as ToolMessage);
      return { messages: results };
    },
};

test.each(Object.entries(nodes))(
  'a yes for an id that two equal calls have runs neither in %s',
  async (_how, nodeOf) => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    const { shell, ran } = shellTool();
    const asked = calling(['shell', { command: 'x' }, 'c1'], ['shell', { command: 'x' }, 'c1']);
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('tools', nodeOf(hookTool(shell, hooks, { approval: 'native' })))
      .addEdge(START, 'tools')
      .compile({ checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: 't' } };
    const paused = await graph.invoke({ messages: [asked] }, config);
    expect(await pendingApprovals(paused)).toEqual([]);
    expect(paused.messages.map(({ text }) => text)).toEqual([
      '',
      expect.stringContaining('an answer could not name this call'),
      expect.stringContaining('an answer could not name this call'),
    ]);
    expect(ran).toEqual([]);
  },
);

describe('an id that two agents of a thread use at the same time', () => {
  const [x, y] = [{ command: 'x' }, { command: 'y' }];

  /** An agent that delegates to two others, each of which makes a call with the id `c1`. */
  function delegating(hooks: Hooks, inputs: readonly [object, object]) {
    const ran: unknown[] = [];
    const sub = (name: string, input: object) => {
      const { shell } = shellTool();
      shell.name = name;
      shell.func = async () => `${ran.push(name)}` as never;
      const agent = createAgent({
        model: new Saying(calling([name, input, 'c1'])),
        tools: [hookTool(shell, hooks, { approval: 'native' })],
      });
      const run = async () => (await agent.invoke(user('go'))).messages.at(-1)?.text ?? '';
      return tool(run, { name: `ask-${name}`, description: 'Asks.', schema: schemas['JSON Schema'] });
    };
    const agent = createAgent({
      model: new Saying(calling(['ask-pay', {}, 'd1'], ['ask-wipe', {}, 'd2'])),
      tools: [sub('pay', inputs[0]), sub('wipe', inputs[1])],
      checkpointer: new MemorySaver(),
    });
    const config = { configurable: { thread_id: 't' } };
    return { ran, go: (input: unknown) => agent.invoke(input as never, config) };
  }

  const requiring = () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('pay|wipe'), () => requireApproval('sure?'));
    return hooks;
  };

  test('is answered for the call with the approved hash', async () => {
    const { ran, go } = delegating(requiring(), [x, y]);
    const pending = await pendingApprovals(await go(user('go')));
    const pay = pending.find(({ toolName }) => toolName === 'pay');
    const left = await pendingApprovals(
      await go(new Command({ resume: { c1: { decision: 'allow', hash: pay?.hash } } })),
    );
    expect(ran).toEqual(['pay']);
    expect(left).toMatchObject([{ toolName: 'wipe' }]);
    await go(new Command({ resume: { c1: { decision: 'allow', hash: left[0]?.hash } } }));
    expect(ran).toEqual(['pay', 'wipe']);
  });

  /** The id of the interrupt by which a tool's call waits. */
  const idOf = (
    name: string,
    {
      __interrupt__: interrupts = [],
    }: { readonly __interrupt__?: readonly { readonly id?: string; readonly value?: unknown }[] },
  ): string => interrupts.find(({ value }) => Reflect.get(Object(value), 'toolName') === name)?.id ?? '';

  test('is answered for nobody where the answer fits both, until each interrupt gets its own', async () => {
    for (const inputs of [
      [x, y],
      [x, x],
    ] as const) {
      const { ran, go } = delegating(requiring(), inputs);
      const pending = await pendingApprovals(await go(user('go')));
      const hash = inputs[0] === inputs[1] ? pending[0]?.hash : undefined;
      const yes = { c1: { decision: 'allow', ...(hash !== undefined && { hash }) } };
      const asked = await go(new Command({ resume: yes }));
      expect(ran).toEqual([]);
      const left = await pendingApprovals(await go(new Command({ resume: { [idOf('wipe', asked)]: yes } })));
      expect(ran).toEqual(['wipe']);
      expect(left).toMatchObject([{ toolName: 'pay' }]);
      // LangGraph has kept the first answer, which looks the same, and may give it in the place of this one.
      const again = await go(new Command({ resume: yes }));
      expect(ran).toEqual(['wipe']);
      // Since 1.7, LangGraph gives an interrupt another id each time.
      await go(new Command({ resume: { [idOf('pay', again)]: yes } }));
      expect(ran).toEqual(['wipe', 'pay']);
    }
  });

  test("is not approved by a decision in LangChain's form that another call waits for, too", async () => {
    const { shell: wipe, ran } = shellTool();
    wipe.name = 'wipe';
    const sub = createHookedAgent(
      { model: new Saying(calling(['wipe', y, 'c2'])), tools: [wipe], checkpointer: true as never },
      createHooks(),
      { interruptOn: { wipe: true } },
    );
    const ask = tool(async () => (await sub.invoke(user('go'))).messages.at(-1)?.text ?? '', {
      name: 'ask',
      description: 'Asks.',
      schema: schemas['JSON Schema'],
    });
    const pay = shellTool();
    pay.shell.name = 'pay';
    const agent = createHookedAgent(
      {
        model: new Saying(calling(['pay', x, 'c1'], ['ask', {}, 'd1'])),
        tools: [pay.shell, ask],
        checkpointer: new MemorySaver(),
      },
      createHooks(),
      { interruptOn: { pay: true } },
    );
    const config = { configurable: { thread_id: 't' } };
    expect(await pendingApprovals(await agent.invoke(user('go'), config))).toHaveLength(2);
    const resume = { decisions: [{ type: 'approve' }] };
    await expect(agent.invoke(new Command({ resume }), config)).rejects.toThrow();
    expect([...pay.ran, ...ran]).toEqual([]);
  });
});
