import { BeforeToolCall, createHooks, type Hooks, proceed } from '@hooks/core';
import { AIMessage, AIMessageChunk } from '@langchain/core/messages';
import { parseToolCall } from '@langchain/core/output_parsers/openai_tools';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import fc from 'fast-check';
import { createMiddleware, tool } from 'langchain';
import { expect, test } from 'vitest';
import { createHookedAgent, hookTool } from '../src/index.ts';
import { user } from './fixtures.ts';
import { Saying } from './saying.ts';

/** The text of JSON that a model may write: keys with a meaning elsewhere, escaped, twice, numbers without a JSON form. */
const { value } = fc.letrec<{ value: string; list: string; fields: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(
      '1',
      '-0',
      '1e400',
      '1e-400',
      'null',
      'true',
      '"x"',
      '"\\ud800"',
      '"tool_call"',
      '"Command"',
    ),
    tie('list'),
    tie('fields'),
  ),
  list: fc.array(tie('value'), { maxLength: 3 }).map((entries) => `[${entries.join()}]`),
  fields: fc
    .array(fc.tuple(keys(), tie('value')), { maxLength: 4 })
    .map((fields) => `{${fields.map(([key, field]) => `"${key}":${field}`).join()}}`),
}));

function keys(): fc.Arbitrary<string> {
  const names = [
    '__proto__',
    'constructor',
    'prototype',
    'command',
    'type',
    'args',
    'node',
    'lg_name',
    'lc',
    'id',
    'toJSON',
    'then',
    'a',
    '',
  ];
  const escaped = (name: string): string =>
    name.replace(/^./, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return fc
    .tuple(fc.constantFrom(...names), fc.boolean())
    .map(([name, hidden]) => (hidden ? escaped(name) : name));
}

/** The arguments of a call: some fields, whole or cut off. */
const text = fc
  .tuple(
    fc.array(fc.tuple(keys(), value), { maxLength: 4 }),
    fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, fc.nat({ max: 60 })),
  )
  .map(([fields, cut]) => {
    const whole = `{${fields.map(([key, field]) => `"${key}":${field}`).join()}}`;
    return cut === null ? whole : whole.slice(0, Math.max(1, whole.length - cut));
  });

/** A model's answer with one call, as clients make it of a whole or a streamed answer. */
const parsed = {
  whole(args: string): AIMessage {
    const raw = { id: 'c1', type: 'function', function: { name: 'shell', arguments: args } } as const;
    try {
      const call = parseToolCall(raw, { returnId: true });
      return new AIMessage({
        content: '',
        tool_calls: [call as never],
        additional_kwargs: { tool_calls: [raw] },
      });
    } catch {
      return new AIMessage('');
    }
  },
  streamed(args: string): AIMessage {
    const half = Math.floor(args.length / 2);
    const chunk = (part: string, id?: string): AIMessageChunk =>
      new AIMessageChunk({
        content: '',
        tool_call_chunks: [
          { type: 'tool_call_chunk', index: 0, args: part, ...(id && { id, name: 'shell' }) },
        ],
      });
    return chunk(args.slice(0, half), 'c1').concat(chunk(args.slice(half)));
  },
};

/** Ways of a call to a tool. */
const ways = {
  async agent(message: AIMessage, shell: Shell, hooks: Hooks): Promise<void> {
    await createHookedAgent({ model: new Saying(message), tools: [shell] }, hooks).invoke(user('go'));
  },
  async 'agent with middleware'(message: AIMessage, shell: Shell, hooks: Hooks): Promise<void> {
    const middleware = [createMiddleware({ name: 'passing', wrapToolCall: (call, run) => run({ ...call }) })];
    await createHookedAgent({ model: new Saying(message), tools: [shell], middleware }, hooks).invoke(
      user('go'),
    );
  },
  async 'agent with a hooked tool'(message: AIMessage, shell: Shell, hooks: Hooks): Promise<void> {
    const params = { model: new Saying(message), tools: [hookTool(shell, hooks)] };
    await createHookedAgent(params, createHooks()).invoke(user('go'));
  },
  async ToolNode(message: AIMessage, shell: Shell, hooks: Hooks): Promise<void> {
    await new ToolNode([hookTool(shell, hooks)]).invoke({ messages: [message] });
  },
  async 'tool.invoke'(message: AIMessage, shell: Shell, hooks: Hooks): Promise<void> {
    for (const { args } of message.tool_calls ?? [])
      await hookTool(shell, hooks)
        .invoke(args as never)
        .catch(() => {});
  },
};

const anything = { type: 'object', properties: {} } as const;

type Shell = ReturnType<typeof shellOf>;

function shellOf(ran: unknown[]) {
  return tool(
    (input: unknown) => {
      ran.push(input);
      return 'done';
    },
    { name: 'shell', description: 'Runs.', schema: anything },
  );
}

/** All that a value shows to whoever reads its fields, own or not, in order of their names. */
function everything(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return Object.is(data, -0) ? 0 : data;
  const fields: string[] = [];
  for (const key in data) fields.push(key);
  const prototype: unknown = Object.getPrototypeOf(data);
  const plain = prototype === null || prototype === Object.prototype || Array.isArray(data);
  return [plain, fields.sort().map((key) => [key, everything(Reflect.get(data, key))])];
}

test.each(
  Object.entries(ways).flatMap(([way, call]) =>
    Object.entries(parsed).map(([how, parse]) => [way, how, call, parse] as const),
  ),
)('hooks see the arguments that run, whatever a model writes (%s, %s)', async (_way, _how, call, parse) => {
  let times = 0;
  await fc.assert(
    fc.asyncProperty(text, async (args) => {
      const hooks = createHooks({ onWarning: () => {} });
      const seen: unknown[] = [];
      const ran: unknown[] = [];
      hooks.guard(BeforeToolCall, ({ input }) => {
        seen.push(JSON.parse(JSON.stringify(input)));
        return proceed();
      });
      await call(parse(args), shellOf(ran), hooks);
      // What a hook reads as JSON is all that the tool finds.
      if (ran.length > 0) expect(ran.map(everything)).toEqual(seen.map(everything));
      times += ran.length;
    }),
    { numRuns: 60 },
  );
  expect(times).toBeGreaterThan(3);
});

test.each(['content', 'content_and_artifact'] as const)(
  'arguments that JSON cannot show are answered, and reject no promise of a stream that nobody may read (%s)',
  async (responseFormat) => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, () => proceed());
    const shell = tool((): never => expect.unreachable(), {
      name: 'shell',
      schema: anything,
      responseFormat,
    });
    const agent = createHookedAgent(
      { model: new Saying(parsed.whole('{"command":1e400}')), tools: [shell] },
      hooks,
    );
    const run = await agent.streamEvents(user('go'), { version: 'v3' });
    const outputs: unknown[] = [];
    for await (const { output } of run.toolCalls) outputs.push(await output);
    expect(outputs).toEqual([expect.stringMatching(/cannot be shown as JSON: input.command is Infinity/)]);
    const { messages } = await run.output;
    expect(messages.at(-2)).toMatchObject({ status: 'error', content: outputs[0] });
  },
);
