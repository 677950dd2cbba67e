import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { onTestFinished } from 'vitest';
import { type AnyClient, clientOf, type Kind, type Person, program } from './connect.ts';

/** Starts a program that prints its port. */
async function start(file: string, argument: string, env = process.env) {
  const args = ['--conditions=@hooks/source', program(file), argument];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(child.stdout, 'data');
  return { origin: `http://127.0.0.1:${String(port).trim()}`, stop: () => child.kill() };
}

/** Starts `server.ts` for HTTP as a process and returns its address. */
export async function startServer(mode: 'sessions' | 'modern'): Promise<{ url: string; stop: () => void }> {
  const { origin, stop } = await start('server.ts', mode);
  return { url: `${origin}/mcp`, stop };
}

/** Starts a gateway as a process, until the test is over, and returns its address. */
export async function startGateway(upstream: string, env: NodeJS.ProcessEnv): Promise<string> {
  const { origin, stop } = await start('gateway.ts', upstream, env);
  onTestFinished(() => void stop());
  return origin;
}

/** Serves requests in this process until the test is over, and returns the address. */
export async function serve(handle: RequestListener): Promise<string> {
  const server = createServer(handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address?.port}`;
}

/** A client of a kind that talks HTTP. */
export async function connectTo(
  url: string,
  kind: Kind,
  { person, headers = {} }: { readonly person?: Person; readonly headers?: Record<string, string> } = {},
): Promise<{ client: AnyClient; transport: AnyClient; notified: string[] }> {
  const { client, notified } = await clientOf(kind, person);
  const Transport = kind === 'v1' ? HttpV1 : StreamableHTTPClientTransport;
  const transport = new Transport(new URL(url), { requestInit: { headers } });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, transport, notified };
}
