import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { chatCompletions } from './chat-completions.ts';
import { type Endpoint, textPieces } from './endpoint.ts';
import { BadRequest } from './json.ts';
import { createResponses } from './responses.ts';
import { isFailure } from './script.ts';
import type { ScriptedModel } from './scripted-model.ts';

/** Answers HTTP requests to this model, plain or streamed. Never rejects. */
export function createHandler(
  model: ScriptedModel,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const endpoints: ReadonlyMap<string | undefined, Endpoint> = new Map([
    ['/v1/chat/completions', chatCompletions],
    ['/v1/responses', createResponses()],
  ]);

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const endpoint = request.method === 'POST' ? endpoints.get(request.url) : undefined;
    if (!endpoint) {
      const known = [...endpoints.keys()].map((path) => `POST ${path}`).join(' and ');
      return fail(response, 404, `There is no ${request.method} ${request.url}; there is ${known}.`);
    }
    const body = parse(await text(request));
    const wire = endpoint.read(body);
    const answer = await model.answer(wire, body);
    if (isFailure(answer)) return fail(response, answer.status, answer.error);
    if (wire.stream) return stream(response, endpoint.streamed(answer));
    let spoken = '';
    for await (const piece of textPieces(answer)) spoken += piece;
    send(response, 200, endpoint.whole(answer, spoken));
  }

  return (request, response) =>
    respond(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else fail(response, 400, error instanceof BadRequest ? error.message : `The script failed: ${error}`);
    });
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    throw new BadRequest(`The body is not JSON: ${error instanceof Error ? error.message : error}.`);
  }
}

async function stream(response: ServerResponse, events: ReturnType<Endpoint['streamed']>): Promise<void> {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
  });
  for await (const { event, data } of events) {
    if (response.destroyed) return;
    const name = event === undefined ? '' : `event: ${event}\n`;
    response.write(`${name}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  }
  response.end();
}

/** An error in the real API's format. Clients that read `retry-after-ms` retry without a delay. */
function fail(response: ServerResponse, status: number, message: string): void {
  const type = status < 500 ? 'invalid_request_error' : 'server_error';
  response.setHeader('retry-after-ms', '0');
  send(response, status, { error: { message, type, param: null, code: null } });
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
