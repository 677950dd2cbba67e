import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { chatCompletions } from './chat-completions.ts';
import { type Endpoint, textPieces } from './endpoint.ts';
import { BadRequest } from './json.ts';
import type { ModelRequest } from './request.ts';
import { responses } from './responses.ts';
import { inOrder, isFailure, type Script, type Step } from './script.ts';
import { ScriptedModel } from './scripted-model.ts';

/** What `startModelServer` takes. */
export interface ModelServerOptions {
  /** What the model says; a list is `inOrder(list)`. */
  readonly script: Script | readonly Step[];
}

/** A running server. */
export interface ModelServer extends AsyncDisposable {
  /** The base URL to give to a client: `http://127.0.0.1:<port>/v1`. */
  readonly url: string;
  /** Every well-formed request so far, in the order in which they came. */
  readonly requests: readonly ModelRequest[];
  /** Cuts open connections and stops listening; so does `await using`. */
  readonly close: () => Promise<void>;
}

/**
 * Starts an OpenAI-compatible model server on a free port of the loopback, which answers
 * `POST /v1/chat/completions` and `POST /v1/responses`, at once or streamed, with what the script says.
 *
 * A request that the real API would refuse, or to which the script has no answer, gets a 400 whose message
 * says what is wrong; clients show it and do not ask again. Any API key is accepted.
 *
 * @example
 * await using server = await startModelServer({
 *   script: [{ toolCalls: [{ name: 'weather', arguments: { city: 'Rome' } }] }, { text: 'Sunny.' }],
 * });
 * const model = new ChatOpenAI({ model: 'scripted', apiKey: 'none', configuration: { baseURL: server.url } });
 */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const script = typeof options.script === 'function' ? options.script : inOrder(options.script);
  const model = new ScriptedModel(script);
  const server = createServer((request, response) => {
    respond(model, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else fail(response, 400, error instanceof BadRequest ? error.message : `The script failed: ${error}`);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const close = async () => {
    const closed = server[Symbol.asyncDispose]();
    server.closeAllConnections();
    await closed;
  };
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests: model.requests,
    close,
    [Symbol.asyncDispose]: close,
  };
}

const endpoints: ReadonlyMap<string | undefined, Endpoint> = new Map([
  ['/v1/chat/completions', chatCompletions],
  ['/v1/responses', responses],
]);

async function respond(
  model: ScriptedModel,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
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
  for await (const piece of textPieces(answer.text)) spoken += piece;
  send(response, 200, endpoint.whole(answer, spoken));
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

/** An error as the real API words it; clients that read `retry-after-ms` ask again without a pause. */
function fail(response: ServerResponse, status: number, message: string): void {
  const type = status < 500 ? 'invalid_request_error' : 'server_error';
  response.setHeader('retry-after-ms', '0');
  send(response, status, { error: { message, type, param: null, code: null } });
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
