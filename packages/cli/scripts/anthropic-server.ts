import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type ScriptedModel, startScripted } from './scripted-model.ts';

/** A model behind the messages API of Anthropic that calls one shell command, and then is done. */
export function startAnthropic(command: string): Promise<ScriptedModel> {
  return startScripted(async (results, request, response) => {
    const body = await text(request);
    if (!request.url?.startsWith('/v1/messages') || request.url.includes('count_tokens')) {
      response.setHeader('content-type', 'application/json').end('{"input_tokens": 1}');
      return;
    }
    const { messages = [], tools = [] }: Request = JSON.parse(body);
    const last = messages.at(-1)?.content;
    const found = Array.isArray(last) ? last.filter(({ type }) => type === 'tool_result') : [];
    for (const result of found) results.push(JSON.stringify(result.content));
    const calls = tools.some(({ name }) => name === 'Bash') && found.length === 0 && results.length === 0;
    answer(response, calls ? { command, description: 'Clean up' } : undefined);
  });
}

interface Request {
  readonly messages?: readonly {
    readonly content: string | readonly { type: string; content?: unknown }[];
  }[];
  readonly tools?: readonly { readonly name: string }[];
}

/** As a stream of events: the call, or a text. */
function answer(response: ServerResponse, input: object | undefined): void {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', content: [], usage };
  const block = input
    ? { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} }
    : { type: 'text', text: '' };
  const delta = input
    ? { type: 'input_json_delta', partial_json: JSON.stringify(input) }
    : { type: 'text_delta', text: 'Done.' };
  const stop = { stop_reason: input ? 'tool_use' : 'end_turn', stop_sequence: null };
  const events: readonly [string, object][] = [
    ['message_start', { message }],
    ['content_block_start', { index: 0, content_block: block }],
    ['content_block_delta', { index: 0, delta }],
    ['content_block_stop', { index: 0 }],
    ['message_delta', { delta: stop, usage }],
    ['message_stop', {}],
  ];
  response.setHeader('content-type', 'text/event-stream');
  for (const [type, data] of events)
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  response.end();
}
