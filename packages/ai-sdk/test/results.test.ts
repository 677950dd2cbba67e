import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import {
  AfterModelCall,
  AfterToolCall,
  answer,
  BeforeToolCall,
  block,
  type Hooks,
  modify,
  proceed,
  TransformToolResult,
} from '@hooks/core';
import {
  isStepCount,
  type ModelMessage,
  streamText,
  type TextStreamPart,
  type ToolSet,
  tool,
  toUIMessageStream,
} from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent, hookTools } from '../src/index.ts';
import { pays, payTool, read, serve, watched } from './fixtures.ts';

const inputSchema = z.object({ sum: z.number() });

async function partsOf(stream: AsyncIterable<TextStreamPart<ToolSet>>): Promise<TextStreamPart<ToolSet>[]> {
  const parts: TextStreamPart<ToolSet>[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

describe('a tool that is a generator', () => {
  const pay = tool({
    inputSchema,
    async *execute() {
      yield 'asking the bank';
      yield 'paid';
    },
  });

  test('is held back where a hook may change or refuse its result', async () => {
    await using served = await serve(pays);
    const { hooks } = watched();
    hooks.on(TransformToolResult, ({ output }) => modify({ output: `${output}, it says` }));
    const agent = hookedAgent({ model: served.model, tools: { pay } }, hooks);
    const results = (await partsOf((await agent.stream({ prompt: 'Pay.' })).stream)).filter(
      ({ type }) => type === 'tool-result',
    );
    expect(results).toMatchObject([{ output: 'paid, it says' }]);
    expect(results[0]).not.toHaveProperty('preliminary');
    expect(read(served.server)).toEqual({ c1: 'paid, it says' });
  });

  test('yields what it yields where hooks only decide whether it runs', async () => {
    await using served = await serve(pays);
    const { hooks } = watched();
    hooks.guard(BeforeToolCall, () => proceed());
    const agent = hookedAgent({ model: served.model, tools: { pay } }, hooks);
    const results = (await partsOf((await agent.stream({ prompt: 'Pay.' })).stream)).filter(
      ({ type }) => type === 'tool-result',
    );
    expect(results).toMatchObject([
      { output: 'asking the bank', preliminary: true },
      { output: 'paid', preliminary: true },
      { output: 'paid' },
    ]);
  });

  describe.each<[string, (hooks: Hooks) => void]>([
    ['without a hook', () => {}],
    [
      'under a hook on another tool',
      (hooks) => hooks.guard(BeforeToolCall.matching('other'), () => block('No.')),
    ],
    ['under an observer', (hooks) => hooks.observe(BeforeToolCall, () => {})],
    ['under a guard', (hooks) => hooks.guard(BeforeToolCall, () => proceed())],
  ])('hooked by itself, %s', (_what, add) => {
    const fails = tool({
      inputSchema,
      async *execute() {
        yield 'asking the bank';
        throw new Error('The bank is closed.');
      },
    });
    test.each([
      [
        'yields what it yields',
        pay,
        [{ output: 'asking the bank' }, { output: 'paid' }, { output: 'paid' }],
        'paid',
      ],
      [
        'fails as it fails',
        fails,
        [{ output: 'asking the bank' }, { type: 'tool-error' }],
        'The bank is closed.',
      ],
    ])('%s', async (_does, bare, expected, text) => {
      await using served = await serve(pays);
      const { hooks } = watched();
      hooks.clear();
      add(hooks);
      const tools = hookTools({ pay: bare } as ToolSet, hooks);
      const settings = {
        model: served.model,
        tools,
        prompt: 'Pay.',
        stopWhen: isStepCount(2),
        onError: () => {},
      };
      const results = (await partsOf(streamText(settings).stream)).filter(
        ({ type }) => type === 'tool-result' || type === 'tool-error',
      );
      expect(results).toMatchObject(expected);
      expect(read(served.server)['c1']).toContain(text);
    });
  });

  test('yields nothing of a value that a hook conceals, also in pieces, before its result', async () => {
    await using served = await serve(pays);
    const { hooks } = watched();
    const concealed = {
      reveal: () => ({ sum: 7777 }),
      hide: (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll('7777', 'P')),
    };
    hooks.on(BeforeToolCall, () => modify({ concealed }));
    const echo = tool({
      inputSchema,
      async *execute({ sum }) {
        const digits = String(sum);
        yield `asking for ${sum}`;
        yield digits.slice(0, 2);
        yield digits.slice(2);
        yield `paid ${sum}`;
      },
    });
    const agent = hookedAgent({ model: served.model, tools: { pay: echo } }, hooks);
    const inAgent = await partsOf((await agent.stream({ prompt: 'Pay.' })).stream);
    await using again = await serve(pays);
    const alone = { model: again.model, tools: hookTools({ pay: echo }, hooks), prompt: 'Pay.' };
    for (const parts of [inAgent, await partsOf(streamText(alone).stream)])
      expect(parts.filter(({ type }) => type === 'tool-result')).toMatchObject([
        { output: 'paid P', preliminary: true },
        { output: 'paid P' },
      ]);
  });

  test('that is blocked yields nothing', async () => {
    await using served = await serve(pays);
    const { hooks } = watched();
    hooks.guard(BeforeToolCall, () => block('Not today.'));
    const agent = hookedAgent({ model: served.model, tools: { pay } }, hooks);
    const parts = await partsOf((await agent.stream({ prompt: 'Pay.' })).stream);
    expect(parts.filter(({ type }) => type === 'tool-result')).toEqual([]);
    expect(read(served.server)).toEqual({ c1: 'Not today.' });
  });
});

describe('a result that a client sends back', () => {
  const ask = {
    description: 'Asks the user.',
    inputSchema: z.object({ question: z.string() }),
    outputSchema: z.string(),
  };
  const history = (output: string): ModelMessage[] => [
    { role: 'user', content: 'Pay.' },
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'ask', input: { question: 'How much?' } }],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'c1', toolName: 'ask', output: { type: 'text', value: output } },
      ],
    },
  ];

  test('is put to hooks: they see the call and may replace or withhold the result', async () => {
    for (const [hook, expected] of [
      [() => modify({ output: '5 [checked]' }), '5 [checked]'],
      [() => block('That is no sum.'), expect.stringContaining('That is no sum.')],
    ] as const) {
      await using served = await serve(() => ({ text: 'Paid.' }));
      const { hooks, events } = watched();
      hooks.on(AfterToolCall, hook);
      const agent = hookedAgent({ model: served.model, tools: { ask } }, hooks);
      await agent.generate({ messages: history('5') });
      expect(read(served.server)).toEqual({ c1: expected });
      expect(events.find(({ type }) => type === 'after_tool_call')).toMatchObject({
        callId: 'c1',
        toolName: 'ask',
        input: { question: 'How much?' },
      });
    }
  });

  test('is as it was where no hook minds', async () => {
    await using served = await serve(() => ({ text: 'Paid.' }));
    const { hooks } = watched();
    await hookedAgent({ model: served.model, tools: { ask } }, hooks).generate({ messages: history('5') });
    expect(read(served.server)).toEqual({ c1: '5' });
  });

  test('cannot come of a call that a hook has blocked before the client saw it', async () => {
    await using served = await serve([
      { toolCalls: [{ id: 'c1', name: 'ask', arguments: { question: 'How much?' } }] },
      { text: 'I may not ask.' },
    ]);
    const { hooks } = watched();
    hooks.on(BeforeToolCall, () => block('Ask nobody.'));
    const agent = hookedAgent({ model: served.model, tools: { ask } }, hooks);
    expect((await agent.generate({ prompt: 'Pay.' })).text).toBe('I may not ask.');
    expect(read(served.server)).toEqual({ c1: 'Ask nobody.' });
  });

  test('is not run with an input that a hook has changed, since the client is not told of it', async () => {
    await using served = await serve([
      { toolCalls: [{ id: 'c1', name: 'ask', arguments: { question: 'How much?' } }] },
      { text: 'I may not ask.' },
    ]);
    const { hooks } = watched();
    hooks.on(BeforeToolCall, () => modify({ input: { question: 'Nothing?' } }));
    await hookedAgent({ model: served.model, tools: { ask } }, hooks).generate({ prompt: 'Pay.' });
    expect(read(served.server)['c1']).toContain('cannot hand to the client');
  });
});

test('a text that a hook puts in the place of an output is read, though toModelOutput cannot read it', async () => {
  await using served = await serve(pays);
  const { hooks } = watched();
  hooks.on(BeforeToolCall, () => answer('remembered: paid'));
  const pay = tool({
    inputSchema,
    execute: async () => ({ lines: ['paid'] }),
    toModelOutput: ({ output }) => ({ type: 'text', value: output.lines.join() }),
  });
  const agent = hookedAgent({ model: served.model, tools: { pay } }, hooks);
  expect((await agent.generate({ prompt: 'Pay.' })).text).toBe('Paid.');
  expect(read(served.server)).toEqual({ c1: 'remembered: paid' });
});

test('a refused answer keeps its tool calls out of the stream, inputs included', async () => {
  await using served = await serve([
    { toolCalls: [{ id: 'c1', name: 'pay', arguments: { sum: 4242 } }] },
    { text: 'Paid.' },
  ]);
  const ran: unknown[] = [];
  const { hooks } = watched();
  hooks.on(AfterModelCall, ({ response }) =>
    response.toolCalls.length > 0
      ? modify({ response: { ...response, text: 'I may not pay.', toolCalls: [] } })
      : proceed(),
  );
  const agent = hookedAgent({ model: served.model, tools: { pay: payTool(ran) } }, hooks);
  const result = await agent.stream({ prompt: 'Pay.' });
  const chunks: unknown[] = [];
  for await (const chunk of toUIMessageStream({ stream: result.stream })) chunks.push(chunk);
  expect(JSON.stringify(chunks)).not.toContain('sum');
  expect(await result.text).toBe('I may not pay.');
  expect(ran).toEqual([]);
});

test('the reason for which a tool of an MCP server is refused reads as a refusal', async () => {
  await using served = await serve([
    { toolCalls: [{ id: 'c1', name: 'weather', arguments: { city: 'Rome' } }] },
    { text: 'Done.' },
  ]);
  const { hooks, events } = watched();
  hooks.guard(BeforeToolCall, () => block('No forecasts today.'));
  const file = new URL('./mcp-server.ts', import.meta.url).pathname;
  const transport = new Experimental_StdioMCPTransport({ command: process.execPath, args: [file] });
  const client = await createMCPClient({ transport, clientName: 'forecasts' });
  try {
    const agent = hookedAgent({ model: served.model, tools: await client.tools() }, hooks);
    const { steps } = await agent.generate({ prompt: 'How is the weather?' });
    expect(steps[0]?.content.find(({ type }) => type === 'tool-error')).toMatchObject({ toolCallId: 'c1' });
    expect(read(served.server)).toEqual({ c1: 'No forecasts today.' });
    expect(events.find(({ type }) => type === 'before_tool_call')).toMatchObject({
      tool: { kind: 'mcp', server: 'forecasts', annotations: { readOnlyHint: true } },
    });
  } finally {
    await client.close();
  }
});
