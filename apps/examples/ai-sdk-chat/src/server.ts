import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import {
  createAgentUIStreamResponse,
  type ToolLoopAgent,
  type ToolSet,
} from 'ai';
import { build } from 'esbuild';
import { z } from 'zod';

const HTML =
  '<!doctype html><meta charset="utf-8"><title>Chat</title><div id="root"></div><script type="module" src="/page.js"></script>';

/** How many bytes a chat may have. */
const MAX_BYTES = 1_000_000;

/** How many messages and parts: many small ones hold the process longer than a large one. */
const MAX_MESSAGES = 200;
const MAX_PARTS = 1_000;

const Message = z.looseObject({ parts: z.array(z.unknown()) });
const Chat = z.object({ messages: z.array(Message) });

/** Serves the page, and the agent's answers under `/api/chat`. */
export async function chatServer<Tools extends ToolSet>(
  agent: ToolLoopAgent<never, Tools>,
): Promise<Server> {
  const script = await bundledPage();
  const answer = async (
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const { method, url, headers } = request;
    if (url === '/') return send(response, 'text/html', HTML);
    if (url === '/page.js') return send(response, 'text/javascript', script);
    if (url !== '/api/chat' || method !== 'POST')
      return void response.writeHead(404).end();
    if (!(Number(headers['content-length']) <= MAX_BYTES))
      return void response.writeHead(413).end();
    // Closes with the page, so that no run goes on for nobody.
    const left = new AbortController();
    response.once('close', () => left.abort());
    const { messages } = Chat.parse(await json(request));
    const parts = messages.reduce((sum, one) => sum + one.parts.length, 0);
    if (messages.length > MAX_MESSAGES || parts > MAX_PARTS)
      return void response.writeHead(413).end();
    const streamed = await createAgentUIStreamResponse({
      agent,
      uiMessages: messages,
      abortSignal: left.signal,
    });
    response.writeHead(streamed.status, Object.fromEntries(streamed.headers));
    if (streamed.body)
      await pipeline(Readable.fromWeb(streamed.body), response);
  };
  return createServer(async (request, response) => {
    try {
      await answer(request, response);
    } catch (error) {
      // The page has left.
      if (response.destroyed) return;
      console.error(error);
      if (!response.headersSent) response.writeHead(400);
      response.end();
    }
  });
}

function send(response: ServerResponse, type: string, body: string): void {
  response.writeHead(200, { 'content-type': type }).end(body);
}

async function bundledPage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../page/page.tsx', import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return outputFiles.map((file) => file.text).join('');
}
