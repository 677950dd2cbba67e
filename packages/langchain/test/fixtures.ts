import {
  type Answer,
  type ModelServer,
  type Script,
  type Step,
  startModelServer,
  toolResults,
} from '@hooks/conformance';
import { ChatOpenAI } from '@langchain/openai';
import { type DynamicStructuredTool, tool } from 'langchain';
import { z } from 'zod';

/** The real client on the scripted server. */
const modelOf = (server: ModelServer): ChatOpenAI =>
  new ChatOpenAI({
    model: 'scripted',
    apiKey: 'none',
    maxRetries: 0,
    configuration: { baseURL: server.url },
  });

/** A server, and the model that talks to it. */
export async function scripted(
  script: Script | readonly Step[],
): Promise<AsyncDisposable & { readonly server: ModelServer; readonly model: ChatOpenAI }> {
  const server = await startModelServer({ script });
  return { server, model: modelOf(server), [Symbol.asyncDispose]: server.close };
}

/** A script that calls tools once, all at once, and then is done. */
export const calls = (
  ...toolCalls: readonly { readonly name: string; readonly arguments: object; readonly id?: string }[]
): Answer[] => [{ toolCalls }, { text: 'Done.' }];

export const user = (content: string): { messages: { role: 'user'; content: string }[] } => ({
  messages: [{ role: 'user', content }],
});

/** A tool `read` that answers with its path, and notes what it ran with. */
export function readTool(answer: (path: string) => unknown = (path) => `content of ${path}`): {
  readonly read: DynamicStructuredTool;
  readonly ran: unknown[];
} {
  const ran: unknown[] = [];
  const read = tool(
    async (input: { path: string }) => {
      ran.push(input);
      return answer(input.path);
    },
    { name: 'read', description: 'Reads a file.', schema: z.object({ path: z.string() }) },
  );
  return { read: read as DynamicStructuredTool, ran };
}

/** What the model was told of its tool calls, by call id. */
export function resultsOf(server: ModelServer): { readonly [callId: string]: unknown } {
  const last = server.requests.at(-1);
  return last === undefined ? {} : toolResults(last);
}
