import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { serverFactory } from './server-factory.ts';

/**
 * The path of a socket where each connection has a server of its own, in this process. `relay.ts` makes a process on stdio of
 * it: a process for each test that loads the SDK would take most of the time of these tests.
 */
export const socketPath: string = join(temporaryFolder(), 'server.sock');

const listening = createServer((socket) => {
  const served = serveStdio(serverFactory(), { transport: new StdioServerTransport(socket, socket) });
  socket.on('error', () => {});
  socket.on('close', () => void served.close());
});
listening.listen(socketPath);
await once(listening, 'listening');
listening.unref();
