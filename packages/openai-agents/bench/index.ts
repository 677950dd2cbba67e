import { BeforeToolCall, createHooks, HookEvent, type Hooks, proceed } from '@hooks/core';
import { type Contestant, measure, report } from '@hooks/testing/bench';
import {
  Agent,
  type AgentOutputItem,
  BatchTraceProcessor,
  defineToolInputGuardrail,
  type Model,
  type ModelResponse,
  RunContext,
  Runner,
  type StreamEvent,
  setTraceProcessors,
  ToolGuardrailFunctionOutputFactory,
  tool,
  Usage,
} from '@openai/agents';
import { z } from 'zod';
import { hookedRunner, hookTool } from '../src/index.ts';

// As the SDK comes, traces are made and collected; only where its exporter would send them, nothing is sent.
setTraceProcessors([new BatchTraceProcessor({ export: async () => {} })]);

/** Asks for one tool call, then answers; in this process, so that nothing but the SDK and the hooks is measured. */
class ScriptedModel implements Model {
  async getResponse({ input }: Parameters<Model['getResponse']>[0]): Promise<ModelResponse> {
    const called = Array.isArray(input) && input.some(({ type }) => type === 'function_call_result');
    return { usage: new Usage(), output: [called ? SAID : CALLED] };
  }

  getStreamedResponse(): AsyncIterable<StreamEvent> {
    throw new Error('not streamed here');
  }
}

const CALLED = {
  type: 'function_call',
  name: 'add',
  callId: 'c1',
  status: 'completed',
  arguments: '{"a":1,"b":2}',
} satisfies AgentOutputItem;
const SAID: AgentOutputItem = {
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Done.' }],
};

function addTool(guardrails = 0) {
  const allow = defineToolInputGuardrail({
    name: 'allow',
    run: async () => ToolGuardrailFunctionOutputFactory.allow(),
  });
  return tool({
    name: 'add',
    description: 'Adds.',
    parameters: z.object({ a: z.number(), b: z.number() }),
    execute: async ({ a, b }) => a + b,
    inputGuardrails: Array.from({ length: guardrails }, () => allow),
  });
}

function toolHooks(count: number): Hooks {
  const hooks = createHooks();
  for (let hook = 0; hook < count; hook++) hooks.on(BeforeToolCall, () => proceed(), { id: `hook-${hook}` });
  return hooks;
}

const everything = createHooks();
everything.observe(HookEvent, () => {});

const model = new ScriptedModel();

/** Whole runs of an agent with one tool, which the model calls once. */
function runs(tracingDisabled: boolean): readonly Contestant[] {
  const run = (name: string, hooks?: Hooks, guardrails = 0): Contestant => {
    const bare = new Runner({ modelProvider: { getModel: () => model }, tracingDisabled });
    const runner = hooks === undefined ? bare : hookedRunner(bare, hooks);
    const agent = new Agent({ name: 'A', instructions: 'Add.', tools: [addTool(guardrails)] });
    return {
      name,
      run: async (times) => {
        for (let time = 0; time < times; time++) await runner.run(agent, 'go');
      },
    };
  };
  return [
    run('bare'),
    run('bare, once more'),
    run('hooked, no hook registered', createHooks()),
    run('hooked, 1 tool hook', toolHooks(1)),
    run('hooked, 10 tool hooks', toolHooks(10)),
    run('hooked, every event observed', everything),
    run("bare, 1 of the SDK's tool guardrails", undefined, 1),
    run("bare, 10 of the SDK's tool guardrails", undefined, 10),
  ];
}

/** Calls of a tool that stands for itself. */
function calls(): readonly Contestant[] {
  const context = new RunContext({});
  const call = (name: string, { invoke }: Pick<ReturnType<typeof addTool>, 'invoke'>): Contestant => ({
    name,
    run: async (times) => {
      for (let time = 0; time < times; time++) await invoke(context, CALLED.arguments);
    },
  });
  return [
    call('bare', addTool()),
    call('hooked, no hook registered', hookTool(addTool(), createHooks())),
    call('hooked, 1 tool hook', hookTool(addTool(), toolHooks(1))),
    call('hooked, 10 tool hooks', hookTool(addTool(), toolHooks(10))),
  ];
}

const targets = { 'hooked, no hook registered': 1.03, 'hooked, 10 tool hooks': 1.12 };

const [traced, untraced, bareCalls] = [runs(false), runs(true), calls()];

// Until all is compiled, what the contestants share, and so run most often, would be ahead of what is ours: V8 takes some
// thousand runs to optimize what a run does once.
await measure([...traced, ...untraced], 1500, 1);
report('A run with one tool call, as the SDK comes: traced', await measure(traced, 4, 200), targets);
report('A run with one tool call, not traced', await measure(untraced, 4, 200), targets);

await measure(bareCalls, 10_000, 1);
report('A call of a bare tool', await measure(bareCalls, 100, 200));
