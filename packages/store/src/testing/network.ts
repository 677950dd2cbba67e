import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a server on this machine that can fail, once for each time that it is told to. */
export interface Network {
  /** Where it listens, on loopback. */
  readonly port: number;
  /** The server gets the next request, and its reply is lost with the connection. */
  loseReply(): void;
  /** The server gets half of the next request before the connection breaks. */
  tearRequest(): void;
  /** Whether what it was told to break has been broken. */
  readonly broken: boolean;
  close(): void;
}

/** Makes a way to the server that listens on `port`. */
export async function networkTo(port: number): Promise<Network> {
  const sockets = new Set<Socket>();
  let fault: 'none' | 'lose' | 'tear' = 'none';
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('close', () => sockets.delete(socket)).on('error', () => {});
  };
  const server = createServer((incoming) => {
    const client = keep(incoming);
    const upstream = keep(connect(port, '127.0.0.1'));
    let isLosing = false;
    const cut = (): void => {
      client.destroy();
      upstream.destroy();
    };
    client.on('close', cut).on('data', (data) => {
      if (fault === 'tear') {
        fault = 'none';
        upstream.end(data.subarray(0, Math.floor(data.length / 2)));
        client.destroy();
        return;
      }
      if (fault === 'lose') {
        fault = 'none';
        isLosing = true;
      }
      upstream.write(data);
    });
    upstream.on('close', cut).on('data', (data) => {
      if (isLosing) cut();
      else client.write(data);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    loseReply() {
      fault = 'lose';
    },
    tearRequest() {
      fault = 'tear';
    },
    get broken() {
      return fault === 'none';
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
