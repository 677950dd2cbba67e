import { startModelServer, toolResults } from '@hooks/conformance';
import type { Script, ScriptedModel } from './scripted-model.ts';

/** The Responses API of OpenAI. */
export async function startResponses(script: Script): Promise<ScriptedModel> {
  const server = await startModelServer({
    script: ({ tools }) => {
      const answer = script(tools.map(({ name }) => name));
      if ('text' in answer) return answer;
      return { toolCalls: answer.calls.map(({ name, input }) => ({ name, arguments: input })) };
    },
  });
  return {
    url: server.url,
    get bodies() {
      return server.requests.map(({ body }) => JSON.stringify(body));
    },
    get results() {
      const byCall = server.requests.flatMap((request) => Object.entries(toolResults(request)));
      return [...new Map(byCall).values()];
    },
    close: server.close,
  };
}
