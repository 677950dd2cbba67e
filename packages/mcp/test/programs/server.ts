/**
 * The server of `server-factory.ts` as a process.
 *
 * `node server.ts stdio`, or `node server.ts sessions` and `node server.ts modern` for HTTP, which print their port.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { serverFactory } from '../server-factory.ts';

// biome-ignore lint/suspicious/noExplicitAny: the handler takes a request of its own type
type Any = any;

const [, , mode] = process.argv;
const build = serverFactory();
if (mode === 'stdio') serveStdio(build);
else {
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  const modern = toNodeHandler(createMcpHandler(build));
  const withSession = async (id: string | undefined): Promise<NodeStreamableHTTPServerTransport> => {
    const known = sessions.get(id ?? '');
    if (known) return known;
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (made) => void sessions.set(made, transport),
    });
    await build().connect(transport);
    return transport;
  };
  const server = createServer(async (request, response) => {
    if (mode === 'modern') return void modern(request as Any, response);
    const transport = await withSession(request.headers['mcp-session-id'] as string | undefined);
    await transport.handleRequest(request, response);
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    console.log(typeof address === 'object' && address?.port);
  });
}
