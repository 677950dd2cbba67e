import { BeforeToolCall, createHooks, HookEvent, type Hooks, proceed } from '@hooks/core';
import { type Contestant, measure, processorClock, report } from '@hooks/testing/bench';
import {
  generateText,
  isStepCount,
  type LanguageModel,
  streamText,
  type ToolExecutionOptions,
  ToolLoopAgent,
  tool,
  wrapLanguageModel,
} from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { z } from 'zod';
import { hookedAgent, hookedCall, hookTools } from '../src/index.ts';

const usage = {
  inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 2, text: 2, reasoning: 0 },
};
const calls = {
  type: 'tool-call',
  toolCallId: 'c1',
  toolName: 'add',
  input: '{"a":1,"b":2}',
} as const;

/** Asks for one tool call, then answers; in this process, so that nothing but the SDK and the hooks is measured. */
class ScriptedModel extends MockLanguageModelV4 {
  override doGenerate: MockLanguageModelV4['doGenerate'] = async ({ prompt }) => {
    const called = prompt.some(({ role }) => role === 'tool');
    return {
      content: called ? [{ type: 'text', text: 'Done.' }] : [calls],
      finishReason: { unified: called ? 'stop' : 'tool-calls', raw: undefined },
      usage,
      warnings: [],
    };
  };

  override doStream: MockLanguageModelV4['doStream'] = async ({ prompt }) => {
    const called = prompt.some(({ role }) => role === 'tool');
    const text = [
      { type: 'text-start', id: 't' },
      ...Array.from({ length: 20 }, () => ({ type: 'text-delta', id: 't', delta: 'Done. ' }) as const),
      { type: 'text-end', id: 't' },
    ] as const;
    return {
      stream: ReadableStream.from([
        { type: 'stream-start' as const, warnings: [] },
        ...(called ? text : [calls]),
        {
          type: 'finish' as const,
          finishReason: { unified: called ? ('stop' as const) : ('tool-calls' as const), raw: undefined },
          usage,
        },
      ]),
    };
  };
}

const model = new ScriptedModel();
const add = tool({
  description: 'Adds.',
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  execute: async ({ a, b }) => a + b,
});

function toolHooks(count: number): Hooks {
  const hooks = createHooks();
  for (let hook = 0; hook < count; hook++) hooks.on(BeforeToolCall, () => proceed(), { id: `hook-${hook}` });
  return hooks;
}

const everything = createHooks();
everything.observe(HookEvent, () => {});

/** The SDK's own way around model calls. */
const wrapped = wrapLanguageModel({
  model,
  middleware: Array.from({ length: 10 }, () => ({
    specificationVersion: 'v4' as const,
    wrapGenerate: ({ doGenerate }) => doGenerate(),
    wrapStream: ({ doStream }) => doStream(),
  })),
});

/** By name: no adapter at all, or hooks of some kind. */
const kinds: readonly (readonly [name: string, hooks?: Hooks | undefined, own?: LanguageModel])[] = [
  ['bare'],
  ["bare, ten of the SDK's own model middlewares", undefined, wrapped],
  ['bare, once more'],
  ['hooked, no hook registered', createHooks()],
  ['hooked, 1 tool hook', toolHooks(1)],
  ['hooked, 10 tool hooks', toolHooks(10)],
  ['hooked, every event observed', everything],
];

const settings = { model: model as LanguageModel, tools: { add }, stopWhen: isStepCount(5) };
type Settings = typeof settings;

function contestants(
  make: (hooks: Hooks | undefined, settings: Settings) => () => PromiseLike<unknown>,
): readonly Contestant[] {
  return kinds.map(([name, hooks, own = model]) => {
    const act = make(hooks, { ...settings, model: own });
    return {
      name,
      run: async (times) => {
        for (let time = 0; time < times; time++) await act();
      },
    };
  });
}

const agentOf = (hooks: Hooks | undefined, settings: Settings) =>
  hooks === undefined ? new ToolLoopAgent(settings) : hookedAgent(settings, hooks);

const agents = contestants((hooks, settings) => {
  const agent = agentOf(hooks, settings);
  return () => agent.generate({ prompt: 'go' });
});
const streams = contestants((hooks, settings) => {
  const agent = agentOf(hooks, settings);
  return async () => (await agent.stream({ prompt: 'go' })).consumeStream();
});
const functions = contestants((hooks, settings) => () => {
  const options = { ...settings, prompt: 'go' };
  return generateText(hooks === undefined ? options : hookedCall(options, hooks));
});
const functionStreams = contestants((hooks, settings) => () => {
  const options = { ...settings, prompt: 'go' };
  return streamText(hooks === undefined ? options : hookedCall(options, hooks)).consumeStream();
});
const bareCalls = contestants((hooks) => {
  const tools = hooks === undefined ? { add } : hookTools({ add }, hooks);
  const options: Omit<ToolExecutionOptions<never>, 'context'> = { toolCallId: 'c1', messages: [] };
  return async () => tools.add.execute?.({ a: 1, b: 2 }, options as never);
});

const targets = { 'hooked, no hook registered': 1.03, 'hooked, 10 tool hooks': 1.1 };

// V8 compiles better what is called more often.
await measure([...agents, ...streams, ...functions, ...functionStreams], 1000, 1);
const of = (contestants: readonly Contestant[]) => measure(contestants, 50, 25, processorClock);
report('ToolLoopAgent.generate with one tool call', await of(agents), targets);
report('ToolLoopAgent.stream with one tool call', await of(streams), targets);
report('generateText with one tool call', await of(functions), targets);
report('streamText with one tool call', await of(functionStreams), targets);

await measure(bareCalls, 10_000, 1);
report('A call of a bare tool', await measure(bareCalls, 100, 200));
