import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** A tool call of the model. */
export interface ModelCall {
  readonly name: string;
  /** The group of the tool, if the agent has groups. */
  readonly namespace?: string;
  readonly input: object;
}

/** One answer of the model: calls, or a text. */
export type Answer = { readonly calls: readonly ModelCall[] } | { readonly text: string };

/** Answers a request of the agent's loop, given the names of the tools that it offers and the results so far. */
export type Script = (tools: readonly string[], results: readonly string[]) => Answer;

/** A model on loopback, and the requests to it. */
export interface ScriptedModel {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** The body of every request. */
  readonly bodies: readonly string[];
  /** The results of its calls, in order, each once. */
  readonly results: readonly string[];
  readonly close: () => Promise<void>;
}

/** The protocol of one vendor's API. */
export interface Wire {
  /** The tools and the results in a request to the model; undefined for other requests. */
  readonly read: (path: string, body: unknown) => ReadRequest | undefined;
  /** The answer, as server-sent events. */
  readonly stream: (answer: Answer, id: number) => string;
  /** The response to any other request. */
  readonly otherwise: object;
}

interface ReadRequest {
  readonly tools: readonly string[];
  /** All results so far, by the id of the call. */
  readonly results: ReadonlyMap<string, string>;
  /** Builds the response, if the request does not stream. */
  readonly whole?: (answer: Answer) => object;
}

/** Starts a model with this protocol. Requests without tools are side jobs of the agent, such as finding a title. */
export async function startModel(wire: Wire, script: Script): Promise<ScriptedModel> {
  const bodies: string[] = [];
  const results = new Map<string, string>();
  let answers = 0;
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    bodies.push(body);
    const read = wire.read(request.url ?? '', parsed(body));
    if (!read) return void json(response, wire.otherwise);
    for (const [id, result] of read.results) results.set(id, result);
    const answer = read.tools.length > 0 ? script(read.tools, [...results.values()]) : { text: 'A title' };
    if (read.whole) return void json(response, read.whole(answer));
    response.setHeader('content-type', 'text/event-stream').end(wire.stream(answer, ++answers));
  };
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => response.writeHead(400).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    bodies,
    get results() {
      return [...results.values()];
    },
    close: async () => {
      const closed = server[Symbol.asyncDispose]();
      server.closeAllConnections();
      await closed;
    },
  };
}

function json(response: ServerResponse, value: object): void {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
}

/** Some requests have no body, or one that is not JSON: health checks and events of the client. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return {};
  }
}
