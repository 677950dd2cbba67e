import { createServer } from 'node:http';
import { createHandler } from './handler.ts';
import type { ModelRequest } from './request.ts';
import { inOrder, type Script, type Step } from './script.ts';
import { ScriptedModel } from './scripted-model.ts';

/** Options of `startModelServer`. */
export interface ModelServerOptions {
  /** The model's answers. A list is short for `inOrder(list)`. */
  readonly script: Script | readonly Step[];
}

/** A running server. */
export interface ModelServer extends AsyncDisposable {
  /** The base URL to give to a client: `http://127.0.0.1:<port>/v1`. */
  readonly url: string;
  /** Every well-formed request so far, in order of arrival. */
  readonly requests: readonly ModelRequest[];
  /** Closes open connections and stops listening. `await using` does the same. */
  readonly close: () => Promise<void>;
}

/**
 * Starts an OpenAI-compatible model server on a free port of the loopback interface. It serves `POST
 * /v1/chat/completions` and `POST /v1/responses`, plain and streamed, with the script's answers.
 *
 * A request that the real API would refuse, or that the script does not answer, gets a 400 with the reason. Clients show
 * it and do not retry. Any API key is accepted.
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
  // No timers: a client on a busy machine may take its time between requests.
  const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0 }, createHandler(model));
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
