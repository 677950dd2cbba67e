/** A server on stdio that is the one behind a socket: `node relay.ts PATH`. It starts faster than one that loads the SDK. */
import { connect } from 'node:net';

const socket = connect(process.argv[2] ?? '');
process.stdin.pipe(socket);
socket.pipe(process.stdout);
for (const stream of [socket, process.stdout]) stream.on('error', () => process.exit(1));
socket.on('close', () => process.exit());
