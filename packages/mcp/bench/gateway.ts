/** Usage: `node gateway.ts none|two|relay <url of the server>`; prints its port. A relay copies bytes, as the minimal cost of a process in between. */
import { Agent, createServer, type RequestListener, request as send } from 'node:http';
import { createHooks } from '@hooks/core';
import { gateway } from '../src/index.ts';
import { guardAndRedaction } from './hooks.ts';

const [, , which, url = ''] = process.argv;
const agent = new Agent({ keepAlive: true });
const relay: RequestListener = (request, response) => {
  const { method, headers } = request;
  const upstream = send(
    url,
    { method, headers: { ...headers, host: new URL(url).host }, agent },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  request.pipe(upstream);
};
const hooks = which === 'two' ? guardAndRedaction() : createHooks();
const handle = which === 'relay' ? relay : gateway({ hooks, upstreams: { up: { url } } }).handle;
const server = createServer(handle).listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(typeof address === 'object' ? address?.port : '');
});
