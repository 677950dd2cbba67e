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

/** Headers that apply to a single hop or depend on the body. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  ...['host', 'connection', 'keep-alive', 'transfer-encoding', 'te', 'trailer', 'upgrade', 'expect'],
  ...['content-length', 'accept-encoding', 'proxy-authorization', 'proxy-authenticate', 'proxy-connection'],
]);

/** Sends a request, with the keys that it has. */
export function send(
  base: string,
  { method, path, headers, body }: UpstreamRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const url = new URL(base.replace(/\/+$/, '') + path);
  const request = url.protocol === 'http:' ? requestHttp : requestHttps;
  const sent = { ...passedOn(headers), 'accept-encoding': 'identity' };
  return new Promise((resolve, reject) => {
    // An error after the answer has begun rejects nothing any more: it ends the stream of the answer.
    const outgoing = request(url, { method, headers: sent, signal }, resolve).on('error', reject);
    if (body.length === 0) outgoing.end();
    else outgoing.setHeader('content-length', Buffer.byteLength(body)).end(body);
  });
}

/** Passes an answer on as it is: its status, its headers and its body. */
export async function relay(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  writeHead(answer, response);
  await pipeline(answer, response);
}

/** Writes the status and the headers of an answer, but no redirect: it would lead Claude Code past the hooks. */
export function writeHead(answer: IncomingMessage, response: ServerResponse): void {
  const { statusCode = 502 } = answer;
  const isRedirect = statusCode >= 300 && statusCode < 400;
  const { location: _, ...headers } = passedOn(answer.headers);
  response.writeHead(isRedirect ? 502 : statusCode, headers);
}

function passedOn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name)));
}

/** Answers with an error in the form of the API. */
export function fail(response: ServerResponse, status: number, type: string, message: string): void {
  const body = JSON.stringify({ type: 'error', error: { type, message } });
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}
