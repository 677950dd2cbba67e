/** Usage: `node gateway.ts <url of the server>`: a gateway without hooks. Prints its port. */
import { createServer } from 'node:http';
import { createHooks } from '@hooks/core';
import { gateway } from '../../src/index.ts';

const { handle } = gateway({ hooks: createHooks(), upstreams: { up: { url: process.argv[2] ?? '' } } });
const server = createServer(handle).listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(typeof address === 'object' ? address?.port : '');
});
