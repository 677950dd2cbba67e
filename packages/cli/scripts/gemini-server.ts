import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

/** A model behind the API of Gemini that calls one shell command, and then is done. */
export interface ScriptedGemini {
  readonly url: string;
  /** What the model read as results of its calls. */
  readonly results: string[];
  close(): void;
}

/** Starts it on the loopback. */
export async function startGemini(command: string): Promise<ScriptedGemini> {
  const results: string[] = [];
  const server = createServer(async (request, response) => {
    const { contents = [], tools = [] }: Request = JSON.parse((await text(request)) || '{}');
    const read = contents
      .flatMap(({ parts = [] }) => parts)
      .filter((part) => part.functionResponse !== undefined);
    for (const { functionResponse } of read) results.push(JSON.stringify(functionResponse));
    const names = tools
      .flatMap(({ functionDeclarations = [] }) => functionDeclarations)
      .map(({ name }) => name);
    const calls = names.includes('run_shell_command') && read.length === 0;
    const part = calls
      ? { functionCall: { name: 'run_shell_command', args: { command } } }
      : { text: 'Done.' };
    const answer = JSON.stringify({
      candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    });
    const streamed = request.url?.includes('alt=sse');
    response.setHeader('content-type', streamed ? 'text/event-stream' : 'application/json');
    response.end(streamed ? `data: ${answer}\n\n` : answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    results,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Request {
  readonly contents?: readonly { readonly parts?: readonly { readonly functionResponse?: unknown }[] }[];
  readonly tools?: readonly { readonly functionDeclarations?: readonly { readonly name: string }[] }[];
}
