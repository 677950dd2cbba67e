import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { Hooks } from '@hooks/core';
import { createHookedAgent, supports as langchainSupports } from '@hooks/langchain';
import { hookedAgent } from '@hooks/mastra';
import { hookedRunner } from '@hooks/openai-agents';
import { ChatOpenAI } from '@langchain/openai';
import type { MastraModelConfig } from '@mastra/core/llm';
import { noopLogger } from '@mastra/core/logger';
import { createTool } from '@mastra/core/tools';
import {
  Agent,
  MemorySession,
  OpenAIChatCompletionsModel,
  Runner,
  setTracingDisabled,
  tool,
} from '@openai/agents';
import { tool as langchainTool } from 'langchain';
import OpenAI from 'openai';
import { z } from 'zod';

/** The function of a tool `bash`, which each framework below wraps the way its users would. */
type Shell = (command: string) => string;

/** Runs an agent of the framework, with hooks attached, on a prompt. Returns what the framework throws. */
export type Framework = (
  hooks: Hooks,
  setup: {
    readonly modelUrl: string;
    readonly shell: Shell;
    readonly prompt: string;
    readonly thread?: string;
  },
) => Promise<unknown>;

// Otherwise the SDK sends its traces to OpenAI.
setTracingDisabled(true);

const schema = z.object({ command: z.string() });
const description = 'Runs a command.';

/** The frameworks that have an adapter. */
export const FRAMEWORKS: Readonly<Record<string, Framework>> = {
  LangChain: async (hooks, { modelUrl, shell, prompt, thread }) => {
    const model = new ChatOpenAI({
      model: 'scripted',
      apiKey: 'none',
      maxRetries: 0,
      configuration: { baseURL: modelUrl },
    });
    const bash = langchainTool(({ command }) => shell(command), { name: 'bash', description, schema });
    const agent = createHookedAgent({ model, tools: [bash], systemPrompt: 'Help.' }, hooks);
    const config = thread === undefined ? {} : { configurable: { thread_id: thread } };
    return settle(agent.invoke({ messages: [{ role: 'user', content: prompt }] }, config));
  },
  'OpenAI Agents': async (hooks, { modelUrl, shell, prompt, thread }) => {
    const client = new OpenAI({ baseURL: modelUrl, apiKey: 'none', maxRetries: 0 });
    const runner = new Runner({
      modelProvider: { getModel: () => new OpenAIChatCompletionsModel(client, 'scripted') },
      tracingDisabled: true,
    });
    const bash = tool({
      name: 'bash',
      description,
      parameters: schema,
      execute: ({ command }) => shell(command),
    });
    const agent = new Agent({ name: 'root', instructions: 'Help.', tools: [bash] });
    const session = thread === undefined ? {} : { session: new MemorySession({ sessionId: thread }) };
    return settle(hookedRunner(runner, hooks).run(agent, prompt, session));
  },
  Mastra: async (hooks, { modelUrl, shell, prompt, thread }) => {
    // The client's types are newer than Mastra's own copy.
    const model = createOpenAICompatible({ name: 'scripted', baseURL: modelUrl })(
      'gpt-5',
    ) as MastraModelConfig;
    const bash = createTool({
      id: 'bash',
      description,
      inputSchema: schema,
      execute: async ({ command }) => shell(command),
    });
    const agent = hookedAgent(
      { id: 'root', name: 'root', instructions: 'Help.', model, tools: { bash } },
      hooks,
    );
    agent.__setLogger(noopLogger);
    const memory = thread === undefined ? {} : { memory: { thread, resource: 'ann' } };
    return settle(agent.generate(prompt, { modelSettings: { maxRetries: 0 }, ...memory }));
  },
};

function settle(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch((error: unknown) => error);
}

/** Whether the framework's adapter fires an event. */
export function fires(framework: string, event: string): boolean {
  return framework !== 'LangChain' || langchainSupports.events[event]?.fires.level !== 'none';
}
