import { AfterModelCall, block, createHooks, type Hooks, modify, proceed, retry } from '@hooks/core';
import {
  Agent,
  type AgentOutputItem,
  MemorySession,
  type Model,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  Runner,
  setTraceProcessors,
  setTracingDisabled,
  tool,
  Usage,
} from '@openai/agents';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedRunner } from '../src/index.ts';
import { call, setup } from './setup.ts';

const SECRET = 'tangerine';

setTracingDisabled(false);
const spans: unknown[] = [];
setTraceProcessors([
  {
    onTraceStart: async () => {},
    onTraceEnd: async () => {},
    onSpanStart: async () => {},
    onSpanEnd: async (span) => void spans.push(JSON.stringify([span.toJSON(), span.spanData])),
    shutdown: async () => {},
    forceFlush: async () => {},
  },
]);

const look = tool({
  name: 'look',
  description: '',
  parameters: z.object({ at: z.string() }),
  execute: ({ at }) => `seen ${at}`,
});

/** Speaks and calls a tool in one answer, as models do, then speaks again. */
const script = [
  { text: 'I look at it.', toolCalls: [call('look', { at: SECRET })] },
  { text: `It is a ${SECRET}.` },
];

/** Where in what was seen a text stands. */
const placesOf = (seen: object, text: string) =>
  Object.entries(seen)
    .filter(([, value]) => JSON.stringify(value).includes(text))
    .map(([place]) => place);

const clean = (text: string) => text.replaceAll(SECRET, 'peach');

function hide(hooks: Hooks, what: 'text' | 'arguments' | 'all') {
  hooks.on(AfterModelCall, ({ response }) => {
    const text = what === 'arguments' ? response.text : clean(response.text);
    const toolCalls = response.toolCalls.map((one) =>
      what === 'text' ? one : { ...one, input: JSON.parse(clean(JSON.stringify(one.input))) },
    );
    return modify({ response: { text, toolCalls } });
  });
}

describe.each([
  { stream: false, Model: OpenAIChatCompletionsModel },
  { stream: true, Model: OpenAIChatCompletionsModel },
  { stream: false, Model: OpenAIResponsesModel },
  { stream: true, Model: OpenAIResponsesModel },
])(
  'An answer that a hook put another in the place of ($Model.name, streamed: $stream)',
  ({ stream, Model }) => {
    /** Everything that a user of the SDK can get of a run. */
    const seenOf = async (hooks: Hooks, steps: Parameters<typeof setup>[0] = script) => {
      await using s = await setup(steps, Model);
      const runner = new Runner({ ...s.runner.config, tracingDisabled: false });
      const hooked = hookedRunner(runner, hooks);
      const told: unknown[] = [];
      for (const event of ['agent_start', 'agent_end', 'agent_tool_start', 'agent_tool_end'] as const)
        runner.on(event, (...args: readonly unknown[]) => void told.push(JSON.stringify(args.slice(1))));
      spans.length = 0;
      const session = new MemorySession();
      const agent = new Agent({ name: 'A', tools: [look] });
      const streamed: unknown[] = [];
      const run = async () => {
        if (!stream) return hooked.run(agent, 'go', { session });
        const running = await hooked.run(agent, 'go', { session, stream });
        for await (const event of running) streamed.push(event);
        await running.completed;
        return running;
      };
      const result = await run();
      const { newItems, rawResponses, history, output, state, finalOutput } = result;
      return {
        finalOutput,
        newItems,
        rawResponses,
        history,
        output,
        state: state.toString(),
        items: await session.getItems(),
        streamed,
        told,
        spans: [...spans],
        requests: s.server.requests,
      };
    };

    test('is nowhere: not in items, responses, history, state, session, stream, listeners, traces, requests', async () => {
      const hooks = createHooks();
      hide(hooks, 'all');
      const seen = await seenOf(hooks);
      expect(seen.finalOutput).toBe('It is a peach.');
      expect(placesOf(seen, SECRET)).toEqual([]);
      expect(placesOf(seen, 'peach')).toEqual(expect.arrayContaining(['newItems', 'history', 'items']));
      expect(seen.spans.length).toBeGreaterThan(2);
    });

    test('hides arguments also where the text beside them stays', async () => {
      const hooks = createHooks();
      hide(hooks, 'arguments');
      const [first] = script;
      const seen = await seenOf(hooks, [first, { text: 'Done.' }] as typeof script);
      expect(placesOf(seen, SECRET)).toEqual([]);
      expect(placesOf(seen, 'I look at it.')).toEqual(
        expect.arrayContaining(['newItems', 'history', 'items']),
      );
    });

    test('is nowhere either where it was withheld, or the model asked again', async () => {
      for (const decision of [block('No fruit.'), retry('no fruit')]) {
        const hooks = createHooks();
        hooks.on(AfterModelCall, ({ response }) => (response.text.includes(SECRET) ? decision : proceed()));
        const steps = [
          ({ attempt }: { attempt: number }) => ({ text: attempt === 1 ? `A ${SECRET}.` : 'A peach.' }),
        ];
        const seen = await seenOf(hooks, steps);
        expect(seen.finalOutput).toBe(decision.kind === 'block' ? 'No fruit.' : 'A peach.');
        expect(placesOf(seen, SECRET)).toEqual([]);
      }
    });
  },
);

test('A changed answer leaves out the reasoning that led to the original, and what the provider sent beside it', async () => {
  const said: AgentOutputItem[] = [
    { type: 'reasoning', content: [], rawContent: [{ type: 'reasoning_text', text: `A ${SECRET}?` }] },
    {
      type: 'message',
      role: 'assistant',
      status: 'completed',
      id: 'm1',
      content: [{ type: 'output_text', text: 'I look.', providerData: { logprobs: [SECRET] } }],
      providerData: { draft: SECRET },
    },
    {
      type: 'function_call',
      callId: 'c1',
      id: 'f1',
      name: 'look',
      status: 'completed',
      arguments: JSON.stringify({ at: SECRET }),
      providerData: { parsed: { at: SECRET } },
    },
  ];
  const own: Model = {
    getResponse: async ({ input }) => ({
      usage: new Usage(),
      output: input.length > 1 ? [] : structuredClone(said),
    }),
    getStreamedResponse: () => {
      throw new Error('not streamed here');
    },
  };
  const hooks = createHooks();
  hide(hooks, 'arguments');
  const runner = new Runner({ modelProvider: { getModel: () => own } });
  const agent = new Agent({ name: 'A', tools: [look], toolUseBehavior: 'stop_on_first_tool' });
  const { history, finalOutput } = await hookedRunner(runner, hooks).run(agent, 'go');
  expect(finalOutput).toBe('seen peach');
  expect(JSON.stringify(history)).not.toContain(SECRET);
  expect(history.slice(1, 3)).toEqual([
    {
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'I look.' }],
    },
    { type: 'function_call', callId: 'c1', name: 'look', status: 'completed', arguments: '{"at":"peach"}' },
  ]);
});

test.each<[string, object]>([
  ['the words of a refusal', { type: 'refusal', refusal: SECRET }],
  ['what it says aloud', { type: 'audio', audio: SECRET, transcript: SECRET }],
])('A changed answer leaves out %s', async (_what, part) => {
  const content = [part] as Extract<AgentOutputItem, { role: 'assistant' }>['content'];
  const said: AgentOutputItem = { type: 'message', role: 'assistant', status: 'completed', content };
  const own: Model = {
    getResponse: async () => ({ usage: new Usage(), output: [said] }),
    getStreamedResponse: () => {
      throw new Error('not streamed here');
    },
  };
  const hooks = createHooks();
  const texts: string[] = [];
  hooks.on(AfterModelCall, ({ response }) => {
    texts.push(response.text);
    return modify({ response: { ...response, text: 'Ask me something else.' } });
  });
  const runner = new Runner({ modelProvider: { getModel: () => own } });
  const { finalOutput, state } = await hookedRunner(runner, hooks).run(new Agent({ name: 'A' }), 'go');
  expect(finalOutput).toBe('Ask me something else.');
  expect(state.toString()).not.toContain(SECRET);
  expect(texts).toEqual(['refusal' in part ? SECRET : '']);
});
