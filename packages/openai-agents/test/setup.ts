import {
  type ModelRequest,
  type ModelServer,
  type Script,
  type ScriptedToolCall,
  type Step,
  startModelServer,
  toolResults,
} from '@hooks/conformance';
import {
  type Agent,
  OpenAIChatCompletionsModel,
  type OpenAIResponsesModel,
  Runner,
  RunState,
  setTracingDisabled,
} from '@openai/agents';
import OpenAI from 'openai';

// Or the SDK would send its traces to OpenAI.
setTracingDisabled(true);

/** A scripted model behind real HTTP, and a runner whose agents use it. */
export interface Setup extends AsyncDisposable {
  readonly server: ModelServer;
  readonly runner: Runner;
}

export async function setup(
  script: Script | readonly Step[],
  Model: typeof OpenAIChatCompletionsModel | typeof OpenAIResponsesModel = OpenAIChatCompletionsModel,
): Promise<Setup> {
  const server = await startModelServer({ script });
  const client = new OpenAI({ baseURL: server.url, apiKey: 'none', maxRetries: 0 });
  const runner = new Runner({
    modelProvider: { getModel: (name) => new Model(client, name || 'scripted') },
    tracingDisabled: true,
  });
  return { server, runner, [Symbol.asyncDispose]: () => server.close() };
}

/** A call that the model proposes. */
export function call(name: string, args: object | string, id: string = `call_${name}`): ScriptedToolCall {
  return { id, name, arguments: args };
}

/** The request of that number; without one, the last. */
export function requestAt({ server }: Setup, index: number = server.requests.length - 1): ModelRequest {
  const request = server.requests[index];
  if (request === undefined) throw new Error(`There is no request ${index}, only ${server.requests.length}.`);
  return request;
}

/** What the model read of its tool calls, by call id, in its last request. */
export function results(setup: Setup): Readonly<Record<string, string>> {
  return toolResults(requestAt(setup));
}

/** The state of a run that was saved, as another process has it. */
export function restore<A extends Agent>(agent: A, text: string): Promise<RunState<undefined, A>> {
  return RunState.fromString<undefined, A>(agent, text);
}
