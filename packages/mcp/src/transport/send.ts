import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { failureOf, TransportFailure } from './failure.ts';

/** A server's answer, whose body is decompressed. */
export interface Answer {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: Headers;
  /** Read it, or destroy it: it occupies a connection until then. */
  readonly body: Readable;
}

/** A request to a server. */
export interface ServerRequest {
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string | Uint8Array;
  /** Aborts the request, or the body of its answer. */
  readonly signal: AbortSignal;
}

/** Loads `undici`, which whoever hooks a transport does not need. */
async function openConnections() {
  const { Agent, EnvHttpProxyAgent, fetch, request } = await import('undici');
  // Reads `HTTP_PROXY` and its kind where Node's own `fetch` would.
  const Connections = process.env['NODE_USE_ENV_PROXY'] === '1' ? EnvHttpProxyAgent : Agent;
  // A tool may run for hours, and its client decides how long it waits.
  const dispatcher = new Connections({ headersTimeout: 0, bodyTimeout: 0 });
  return { fetch, request, dispatcher };
}

/** The connections that this process keeps to servers. */
let opened: ReturnType<typeof openConnections> | undefined;
const connections = () => (opened ??= openConnections());

/**
 * Sends a request to a server, and does not follow redirects. `fetch` takes half as much time again.
 *
 * @throws TransportFailure if the server cannot be reached
 */
export async function send(url: string | URL, { headers, ...sent }: ServerRequest): Promise<Answer> {
  headers.set('accept-encoding', Object.keys(DECODERS).join(', '));
  const { request, dispatcher } = await connections();
  try {
    const answer = await request(url, {
      ...sent,
      method: sent.method as Dispatcher.HttpMethod,
      headers,
      dispatcher,
    });
    const status = answer.statusCode;
    const received = new Headers();
    for (const [name, values = []] of Object.entries(answer.headers))
      for (const value of [values].flat()) received.append(name, value);
    // Who reads the body gets its errors. Without a listener, a body that nobody reads would end the process.
    answer.body.on('error', () => {});
    const body = decompressed(answer.body, received.get('content-encoding') ?? '');
    return { status, ok: status >= 200 && status < 300, headers: received, body };
  } catch (error) {
    throw failureOf(error);
  }
}

/** `fetch` on the same connections, for the official client's transport, whose bodies are texts. */
export async function fetchFrom(url: string | URL, init: RequestInit): Promise<Response> {
  const { method = 'GET', headers, body, signal = null, redirect = 'follow' } = init;
  const { fetch, dispatcher } = await connections();
  return fetch(url, {
    method,
    headers: [...new Headers(headers)],
    body: typeof body === 'string' ? body : null,
    signal,
    redirect,
    dispatcher,
  });
}

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** As many as `fetch` undoes. Each takes memory, whatever it decodes. */
const MOST_ENCODINGS = 5;

/** An encoding that is not known stays, and its bytes are no message. */
function decompressed(body: Readable, header: string): Readable {
  const encodings = header.toLowerCase().split(/\s*,\s*/);
  if (encodings.length > MOST_ENCODINGS) {
    body.destroy();
    throw new TransportFailure(`the server compressed its answer more than ${MOST_ENCODINGS} times`);
  }
  let decoded = body;
  for (const encoding of encodings.toReversed()) {
    const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding]?.() : undefined;
    // Who reads the last stream gets the error of each.
    if (decoder) decoded = pipeline(decoded, decoder, () => {});
  }
  return decoded;
}
