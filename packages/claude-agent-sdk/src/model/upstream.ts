import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import { pipeline } from 'node:stream/promises';

/** A request of Claude Code, with the body that hooks left. */
export interface UpstreamRequest {
  readonly method: string;
  /** The path behind the base URL, with its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string | Buffer;
}

/** Headers of a request that apply to a single hop or depend on the body. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  ...['host', 'connection', 'keep-alive', 'transfer-encoding', 'te', 'trailer', 'upgrade', 'expect'],
  ...['content-length', 'accept-encoding', 'proxy-authorization', 'proxy-connection'],
]);

/** Sends a request, with the keys that it has. */
export function send(
  base: string,
  { method, path, headers, body }: UpstreamRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const url = new URL(base.replace(/\/+$/, '') + path);
  const request = url.protocol === 'http:' ? requestHttp : requestHttps;
  const sent = { ...only(headers, (name) => !OWN_HEADERS.has(name)), 'accept-encoding': 'identity' };
  return new Promise((resolve, reject) => {
    // An error after the answer has begun rejects nothing any more: it ends the stream of the answer.
    const outgoing = request(url, { method, headers: sent, signal }, resolve).on('error', reject);
    if (body.length === 0) outgoing.end();
    else outgoing.setHeader('content-length', Buffer.byteLength(body)).end(body);
  });
}

/** Headers that tell about an answer. Others could lead Claude Code past the hooks: `location`, `refresh`, `link`. */
const ABOUT_ANSWER =
  /^(?:content-(?:type|encoding)|date|retry-after(?:-ms)?|x-should-retry|(?:x-)?request-id|anthropic-.+)$/;

/** Passes an answer on: its status, the headers about it and its body. */
export async function relay(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  writeHead(answer, response);
  await pipeline(answer, response);
}

/** Writes the status and the headers of an answer, but no redirect. */
export function writeHead({ statusCode = 502, headers }: IncomingMessage, response: ServerResponse): void {
  const isRedirect = statusCode >= 300 && statusCode < 400;
  response.writeHead(
    isRedirect ? 502 : statusCode,
    only(headers, (name) => ABOUT_ANSWER.test(name)),
  );
}

function only(headers: IncomingHttpHeaders, isWanted: (name: string) => boolean): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isWanted(name)));
}

/** Answers with an error in the form of the API. */
export function fail(response: ServerResponse, status: number, type: string, message: string): void {
  const body = JSON.stringify({ type: 'error', error: { type, message } });
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}
