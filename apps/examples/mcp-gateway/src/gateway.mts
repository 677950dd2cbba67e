import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadHooks } from '@hooks/config';
import { createHooks, type Principal } from '@hooks/core';
import { isBlank } from '@hooks/core/adapter';
import { gateway } from '@hooks/mcp';
import { z } from 'zod';

const {
  CLIENTS = '',
  HOST,
  HOSTS,
  PORT,
  UPSTREAM_AUTHORIZATION = '',
  UPSTREAM_URL = 'http://127.0.0.1:3001/mcp',
} = process.env;

/** How many bytes a message of a client may have. */
const MAX_BYTES = 1_000_000;

const port = Number(PORT?.trim() || 8080);
if (!Number.isInteger(port) || port < 0 || port > 65_535)
  fail(
    `PORT is ${JSON.stringify(PORT)}. It has to be a number from 0 to 65535.`,
  );

const hosts = (HOSTS?.trim() || 'localhost,127.0.0.1')
  .split(',')
  .map((host) => host.trim());

/** The names of the clients by their tokens. Put your own check here. */
const names = new Map(Object.entries(clientsIn(CLIENTS)));

/** What JSON.parse and Zod say of a wrong value holds tokens, so that it is not printed. */
function clientsIn(text: string): Record<string, string> {
  try {
    // A header has no other characters, so no client could show another token.
    const token = z.string().regex(/^[!-~]+$/);
    const name = z
      .string()
      .trim()
      .refine((text) => !isBlank(text));
    const Clients = z
      .record(token, name)
      .refine((clients) => Object.keys(clients).length > 0);
    const clients = Clients.parse(JSON.parse(text));
    // Of a token that stands twice, JSON.parse gives the last name only.
    const strings = text.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
    if (strings.length === 2 * Object.keys(clients).length) return clients;
  } catch {
    // Below.
  }
  return fail(
    'CLIENTS has to be a JSON object: the name of each client by its token, which stands once and has neither spaces nor letters with accents.',
  );
}

function principal({ headers }: IncomingMessage): Principal | undefined {
  const [, token = ''] =
    /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? [];
  const id = names.get(token);
  return id === undefined ? undefined : { id };
}

async function connect() {
  const hooks = createHooks();
  // Whoever builds the image has read the file, so nobody is asked.
  hooks.use(await loadHooks('hooks.yaml', { trust: true }));
  // The server gets an authorization of its own, never the token of a client.
  const authorization = UPSTREAM_AUTHORIZATION.trim();
  const headers = authorization === '' ? {} : { authorization };
  return gateway({
    hooks,
    upstreams: { tools: { url: UPSTREAM_URL, headers } },
    hosts,
    principal,
  });
}

const { handle, close } = await connect().catch(({ message }: Error) =>
  fail(message),
);
const server = createServer((request, response) => {
  if (principal(request) === undefined)
    return response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
  const { method, headers } = request;
  if (method === 'POST' && !(Number(headers['content-length']) <= MAX_BYTES))
    return response
      .writeHead(413)
      .end('Send at most 1,000,000 bytes, with their content-length.');
  return handle(request, response);
})
  .once('error', ({ message }) => fail(message)) // such as of a port that is taken
  // An empty HOST would be every address of the machine.
  .listen(port, HOST?.trim() || '127.0.0.1', () => {
    const { address, port } = server.address() as AddressInfo;
    console.log(`listening on port ${port} of ${address}`);
  });

// The first process of a container ends by a signal only if it handles it.
for (const signal of ['SIGTERM', 'SIGINT'])
  process.once(signal, async () => {
    server.close();
    await close();
    server.closeAllConnections();
  });

/** Ends the process with a sentence instead of a stack. */
function fail(why: string): never {
  console.error(why);
  process.exit(1);
}
