import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  type Answer,
  type ModelServer,
  type Script,
  startModelServer,
  toolResults,
} from '@hooks/conformance';
import type { Agent, AgentConfig } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import { noopLogger } from '@mastra/core/logger';
import { createTool, type Tool, type ToolExecutionContext } from '@mastra/core/tools';
import { z } from 'zod';

/** The real client against the scripted server. Its types are newer than the copy of them inside Mastra. */
export function modelOf({ url }: Pick<ModelServer, 'url'>): MastraModelConfig {
  return createOpenAICompatible({ name: 'scripted', baseURL: url })('gpt-5') as MastraModelConfig;
}

/** Runs the agent to its end, plain or streamed, and gives the full output. */
export async function runAgent(
  agent: Agent<string, never, undefined, never> | Pick<Agent, 'generate' | 'stream'>,
  prompt: string,
  streaming: boolean,
  options: Record<string, unknown> = {},
): Promise<Output> {
  const given = { modelSettings: { maxRetries: 0 }, ...options };
  const generate: Start = Reflect.get(agent, 'generate').bind(agent);
  const stream: Start = Reflect.get(agent, 'stream').bind(agent);
  if (!streaming) return (await generate(prompt, given)) as Output;
  const output = (await stream(prompt, given)) as { getFullOutput(): Promise<Output> };
  return output.getFullOutput();
}

type Start = (prompt: string, options: object) => Promise<unknown>;

export interface Output {
  readonly text: string;
  readonly finishReason: string;
  readonly runId: string;
  readonly tripwire?: { readonly reason: string };
  readonly error?: Error;
  readonly usage?: object;
}

/** Keeps Mastra's own log out of the test's output. */
export function quiet<A extends { __setLogger(logger: typeof noopLogger): void }>(agent: A): A {
  agent.__setLogger(noopLogger);
  return agent;
}

/** One tool call, then a text. */
export function callThenText(name: string, args: object | string, text = 'Done.'): readonly Answer[] {
  return [{ toolCalls: [{ id: 'c1', name, arguments: args }] }, { text }];
}

/** What the model read as results in its request number `turn`. */
export function readByModel(server: ModelServer, turn = 1): Readonly<Record<string, string>> {
  const request = server.requests[turn];
  if (request === undefined) throw new Error(`The model was asked ${server.requests.length} times only.`);
  return toolResults(request);
}

export const serve = (script: Script | readonly Answer[]): Promise<ModelServer> =>
  startModelServer({ script });

/** Adds, with a default; keeps what it ran with. */
export function makeAdd(): { readonly ran: unknown[]; readonly add: AddTool } {
  const ran: unknown[] = [];
  const add = createTool({
    id: 'add',
    description: 'Adds.',
    inputSchema: z.object({ a: z.number(), b: z.number().default(7) }),
    execute: async ({ a, b }) => {
      ran.push({ a, b });
      return { sum: a + b };
    },
  });
  return { ran, add };
}

type AddTool = Tool<{ a: number; b: number }, unknown, unknown, unknown, ToolExecutionContext, 'add'>;

/** Of the tool and the workflow that tell the weather of a city. */
export const citySchemas: CitySchemas = {
  inputSchema: z.object({ city: z.string() }),
  outputSchema: z.object({ in: z.string() }),
};

interface CitySchemas {
  readonly inputSchema: z.ZodObject<{ city: z.ZodString }>;
  readonly outputSchema: z.ZodObject<{ in: z.ZodString }>;
}

/** Tells the weather; keeps the cities that it was asked for. */
export function weather(ran: string[]): WeatherTool {
  return createTool({
    id: 'weather',
    description: 'Tells the weather.',
    ...citySchemas,
    execute: async ({ city }) => {
      ran.push(city);
      return { in: city };
    },
  });
}

type WeatherTool = Tool<{ city: string }, { in: string }, unknown, unknown, ToolExecutionContext, 'weather'>;

/** Whether an input is about Oslo or still about Rome. */
export const cityIn = (input: unknown): string => (JSON.stringify(input).includes('Oslo') ? 'Oslo' : 'Rome');

/** The config of an agent that can add, whose model this server is. */
export const addingAgent = (server: Pick<ModelServer, 'url'>): AgentConfig<'a', { add: AddTool }> => ({
  id: 'a',
  name: 'a',
  instructions: '',
  model: modelOf(server),
  tools: { add: makeAdd().add },
});
