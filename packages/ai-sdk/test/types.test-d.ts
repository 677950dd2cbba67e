import { createHooks } from '@hooks/core';
import {
  generateText,
  hasToolCall,
  isLoopFinished,
  isStepCount,
  Output,
  pruneMessages,
  type StopCondition,
  smoothStream,
  streamText,
  ToolLoopAgent,
  tool,
} from 'ai';
import { describe, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent, hookedCall, hookModel, hookTools } from '../src/index.ts';

const hooks = createHooks();
const add = tool({ inputSchema: z.object({ a: z.number() }), execute: async ({ a }) => ({ sum: a + 1 }) });
const search = tool({ inputSchema: z.object({ query: z.string() }), execute: async ({ query }) => [query] });
const weather = tool({
  inputSchema: z.object({ city: z.string() }),
  contextSchema: z.object({ apiKey: z.string() }),
  execute: async ({ city }, { context }) => ({ city, key: context.apiKey }),
});
const tools = { add, search };
const model = hookModel('openai/gpt-5', hooks);
const prompt = 'Add.';

test('hookTools keeps the types of the tools', () => {
  expectTypeOf(hookTools(tools, hooks)).toEqualTypeOf(tools);
});

describe('hookedAgent takes what the SDK takes', () => {
  test('and gives the agent that its settings would make', () => {
    const agent = hookedAgent({ model, tools: { add } }, hooks);
    expectTypeOf(agent).toEqualTypeOf(new ToolLoopAgent({ model, tools: { add } }));
    expectTypeOf(hookedAgent(agent, hooks)).toEqualTypeOf(agent);
    expectTypeOf(hookedAgent({ model }, hooks)).toEqualTypeOf(new ToolLoopAgent({ model }));
  });

  test('with conditions to stop', () => {
    const hasAnswer: StopCondition<typeof tools> = ({ steps }) =>
      steps.some(({ text }) => text.includes('!'));
    hookedAgent({ model, tools, stopWhen: isLoopFinished() }, hooks);
    hookedAgent(
      { model, tools, stopWhen: [isStepCount(20), hasToolCall('add', 'search'), hasAnswer] },
      hooks,
    );
  });

  test('with an inline prepareStep that chooses model, tools, settings and messages', () => {
    hookedAgent(
      {
        model,
        tools,
        prepareStep: async ({ stepNumber, messages, steps }) => {
          expectTypeOf(stepNumber).toEqualTypeOf<number>();
          if (stepNumber === 0) return { activeTools: ['search'], toolChoice: 'required' };
          if (stepNumber === 1) return { toolChoice: { type: 'tool', toolName: 'add' } };
          if (stepNumber === 2) return { model: 'openai/gpt-6', temperature: 0, maxOutputTokens: 300 };
          if (steps.length > 3) return { messages: pruneMessages({ messages, reasoning: 'all' }) };
          return {};
        },
      },
      hooks,
    );
    hookedAgent(
      {
        model,
        tools,
        // @ts-expect-error There is no such tool.
        prepareStep: async () => ({ activeTools: ['serach'] }),
      },
      hooks,
    );
  });

  test('with call options, an output and a context of its tools', async () => {
    const agent = hookedAgent(
      {
        model,
        tools: { weather },
        toolsContext: { weather: { apiKey: 'k' } },
        callOptionsSchema: z.object({ user: z.string() }),
        prepareCall: ({ options, ...settings }) => ({ ...settings, instructions: `For ${options.user}.` }),
        output: Output.object({ schema: z.object({ celsius: z.number() }) }),
        onStepEnd: ({ toolResults }) => {
          const [first] = toolResults;
          if (first?.dynamic !== true)
            expectTypeOf(first?.output).toEqualTypeOf<{ city: string; key: string } | undefined>();
        },
      },
      hooks,
    );
    const { output } = await agent.generate({ prompt, options: { user: 'ann' } });
    expectTypeOf(output).toEqualTypeOf<{ celsius: number }>();
    // @ts-expect-error The call options are required.
    await agent.generate({ prompt });
    // @ts-expect-error They have a schema.
    await agent.generate({ prompt, options: { user: 1 } });
  });

  test('and refuses what the SDK refuses', () => {
    // @ts-expect-error It is called `tools`.
    hookedAgent({ model, tolls: tools }, hooks);
    // @ts-expect-error A model is required.
    hookedAgent({ tools }, hooks);
    // @ts-expect-error The tool needs a context.
    hookedAgent({ model, tools: { weather } }, hooks);
    // @ts-expect-error It is called `approval`.
    hookedAgent({ model, tools }, hooks, { aproval: 'deny' });
  });
});

describe('hookedCall takes what generateText and streamText take', () => {
  test('and keeps the types of the tools', async () => {
    const options = hookedCall({ model, tools: { add }, prompt, stopWhen: isStepCount(3) }, hooks);
    const result = await generateText(options);
    const bare = await generateText({ model, tools: { add }, prompt, stopWhen: isStepCount(3) });
    expectTypeOf(result.toolResults).toEqualTypeOf(bare.toolResults);
    expectTypeOf(result.steps).toEqualTypeOf(bare.steps);
    const [first] = result.toolResults;
    if (first?.dynamic !== true) expectTypeOf(first?.output).toEqualTypeOf<{ sum: number } | undefined>();
    expectTypeOf(streamText(options).text).toExtend<PromiseLike<string>>();
    expectTypeOf(await generateText(hookedCall(options, hooks))).toEqualTypeOf(result);
  });

  test('without tools', async () => {
    const { text, toolCalls } = await generateText(hookedCall({ model, prompt }, hooks));
    expectTypeOf(text).toEqualTypeOf<string>();
    expectTypeOf(toolCalls).toEqualTypeOf((await generateText({ model, prompt })).toolCalls);
    for await (const text of streamText(hookedCall({ model, prompt }, hooks)).textStream)
      expectTypeOf(text).toEqualTypeOf<string>();
  });

  test('with an inline prepareStep that chooses tools', async () => {
    const step = { model, tools, prompt } as const;
    await generateText(
      hookedCall(
        {
          ...step,
          prepareStep: async ({ stepNumber, steps, messages }) => {
            expectTypeOf(steps.length).toEqualTypeOf<number>();
            if (stepNumber === 0) return { activeTools: ['search'], toolChoice: 'required' };
            if (stepNumber === 1) return { toolChoice: { type: 'tool', toolName: 'add' } };
            return { messages: messages.slice(-10), instructions: 'Be brief.' };
          },
        },
        hooks,
      ),
    );
    streamText(
      hookedCall(
        {
          ...step,
          prepareStep: ({ stepNumber }) =>
            stepNumber === 0 ? { activeTools: ['search'], toolChoice: 'required' } : {},
          onChunk: ({ chunk }) => void chunk.type,
          onError: ({ error }) => console.error(error),
          experimental_transform: smoothStream(),
          streamRetries: 1,
        },
        hooks,
      ),
    );
    // @ts-expect-error There is no such tool.
    hookedCall({ ...step, prepareStep: () => ({ activeTools: ['serach'] }) }, hooks);
    // @ts-expect-error There is no such tool.
    hookedCall({ ...step, activeTools: ['serach'] }, hooks);
    // @ts-expect-error There is no such choice.
    hookedCall({ ...step, toolChoice: 'requird' }, hooks);
  });

  test('with an output', async () => {
    const output = Output.object({ schema: z.object({ name: z.string() }) });
    const { output: object } = await generateText(hookedCall({ model, prompt, output }, hooks));
    expectTypeOf(object).toEqualTypeOf<{ name: string }>();
    const choice = Output.choice({ options: ['sunny', 'rainy'] });
    expectTypeOf(
      (await generateText(hookedCall({ model, prompt, output: choice }, hooks))).output,
    ).toEqualTypeOf<'sunny' | 'rainy'>();
    const list = Output.array({ element: z.object({ name: z.string() }) });
    const stream = streamText(hookedCall({ model, tools, prompt, output: list }, hooks));
    for await (const element of stream.elementStream) expectTypeOf(element).toEqualTypeOf<{ name: string }>();
  });

  test('with a context of the run and of its tools', async () => {
    await generateText(
      hookedCall(
        {
          model,
          tools: { weather },
          toolsContext: { weather: { apiKey: 'k' } },
          runtimeContext: { user: 'ann' },
          prompt,
          prepareStep: ({ runtimeContext, toolsContext }) => {
            expectTypeOf(runtimeContext).toEqualTypeOf<{ user: string }>();
            expectTypeOf(toolsContext).toEqualTypeOf<{ weather: { apiKey: string } }>();
            return { runtimeContext: { user: 'bob' } };
          },
        },
        hooks,
      ),
    );
    // @ts-expect-error The tool needs a context.
    hookedCall({ model, tools: { weather }, prompt }, hooks);
  });

  test('with approval of its tools, and what the SDK calls on the way', async () => {
    await generateText(
      hookedCall(
        {
          model,
          tools,
          prompt,
          toolApproval: { add: ({ a }) => (a > 100 ? 'user-approval' : 'approved'), search: 'approved' },
          experimental_refineToolInput: { search: ({ query }) => ({ query: query.trim() }) },
          onStepStart: ({ stepNumber }) => void stepNumber,
          onStepEnd: ({ usage, toolCalls }) => void [usage.inputTokens, toolCalls.length],
          onEnd: ({ text, steps }) => void [text, steps.length],
          repairToolCall: async ({ toolCall, error }) => (error.message === '' ? null : toolCall),
          telemetry: { functionId: 'add' },
          timeout: { totalMs: 1000, toolMs: 10, tools: { addMs: 5 } },
          headers: { 'x-user': 'ann' },
          providerOptions: { openai: { store: false } },
        },
        hooks,
      ),
    );
    streamText(
      hookedCall(
        {
          model,
          tools,
          prompt,
          timeout: { firstChunkMs: 100, chunkMs: 100 },
          onAbort: ({ steps }) => void steps.length,
          onEnd: ({ finishReason }) => void finishReason,
          onFinish: ({ totalUsage }) => void totalUsage.totalTokens,
        },
        hooks,
      ),
    );
    // @ts-expect-error There is no such tool.
    hookedCall({ model, tools, prompt, toolApproval: { sub: 'approved' } }, hooks);
    // @ts-expect-error There is no such tool.
    hookedCall({ model, tools, prompt, timeout: { tools: { subMs: 5 } } }, hooks);
  });

  test('and refuses what they refuse', () => {
    // @ts-expect-error It is called `prompt`.
    hookedCall({ model, promt: 'Add.' }, hooks);
    // @ts-expect-error It is called `maxOutputTokens`.
    hookedCall({ model, prompt, maxTokens: 5 }, hooks);
    // @ts-expect-error It is called `stopWhen`.
    hookedCall({ model, tools, prompt, stopwhen: isStepCount(3) }, hooks);
    // @ts-expect-error It takes a prompt or messages.
    hookedCall({ model, prompt, messages: [] }, hooks);
    // @ts-expect-error A model is required.
    hookedCall({ prompt }, hooks);
    // @ts-expect-error It is called `session`.
    hookedCall({ model, prompt }, hooks, { sesion: () => 'a' });
  });
});
