import { BeforeToolCall, createHooks, HookEvent, type Hooks, proceed } from '@hooks/core';
import { measure, report } from '@hooks/testing/bench';
import {
  Agent,
  type AgentOutputItem,
  defineToolInputGuardrail,
  type Model,
  type ModelResponse,
  Runner,
  type StreamEvent,
  setTracingDisabled,
  ToolGuardrailFunctionOutputFactory,
  tool,
  Usage,
} from '@openai/agents';
import { z } from 'zod';
import { hookedRunner } from '../src/index.ts';

setTracingDisabled(true);

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

const CALLED: AgentOutputItem = {
  type: 'function_call',
  name: 'add',
  callId: 'c1',
  status: 'completed',
  arguments: '{"a":1,"b":2}',
};
const SAID: AgentOutputItem = {
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Done.' }],
};

function agentWith(guardrails: number): Agent {
  const allow = defineToolInputGuardrail({
    name: 'allow',
    run: async () => ToolGuardrailFunctionOutputFactory.allow(),
  });
  const add = tool({
    name: 'add',
    description: 'Adds.',
    parameters: z.object({ a: z.number(), b: z.number() }),
    execute: async ({ a, b }) => a + b,
    inputGuardrails: Array.from({ length: guardrails }, () => allow),
  });
  return new Agent({ name: 'A', instructions: 'Add.', tools: [add] });
}

const model = new ScriptedModel();
const bareRunner = () => new Runner({ modelProvider: { getModel: () => model }, tracingDisabled: true });

function contestant(name: string, runner: Runner, agent = agentWith(0)) {
  const run = async (times: number) => {
    for (let time = 0; time < times; time++) await runner.run(agent, 'go');
  };
  return { name, run };
}

function toolHooks(count: number): Hooks {
  const hooks = createHooks();
  for (let hook = 0; hook < count; hook++) hooks.on(BeforeToolCall, () => proceed(), { id: `hook-${hook}` });
  return hooks;
}

const everything = createHooks();
everything.observe(HookEvent, () => {});

const results = await measure(
  [
    contestant('bare runner', bareRunner()),
    contestant('hooked, no hook registered', hookedRunner(bareRunner(), createHooks())),
    contestant('1 tool hook', hookedRunner(bareRunner(), toolHooks(1))),
    contestant('10 tool hooks', hookedRunner(bareRunner(), toolHooks(10))),
    contestant('every event observed', hookedRunner(bareRunner(), everything)),
    contestant('bare, 1 tool guardrail', bareRunner(), agentWith(1)),
    contestant('bare, 10 tool guardrails', bareRunner(), agentWith(10)),
  ],
  8,
  200,
);
report('A run with one tool call', results, { 'hooked, no hook registered': 1.03, '10 tool hooks': 1.12 });
