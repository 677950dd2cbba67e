import { text } from 'node:stream/consumers';
import { type ScriptedModel, startScripted } from './scripted-model.ts';

/** A model behind the API of Gemini that calls one shell command, and then is done. */
export function startGemini(command: string): Promise<ScriptedModel> {
  return startScripted(async (results, request, response) => {
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
}

interface Request {
  readonly contents?: readonly { readonly parts?: readonly { readonly functionResponse?: unknown }[] }[];
  readonly tools?: readonly { readonly functionDeclarations?: readonly { readonly name: string }[] }[];
}
