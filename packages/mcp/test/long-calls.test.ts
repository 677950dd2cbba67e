// A tool may run for hours. Its client decides how long it waits, and not what stands between them.
import { once } from 'node:events';
import { request as httpRequest, type ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { createHooks } from '@hooks/core';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { gateway } from '../src/index.ts';
import { openProxy } from './connect.ts';
import { serve } from './http.ts';

const HOUR = 3_600_000;
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'build', arguments: {} } };
const result = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [], said: 'at last' } });

/** Starts a server that holds its answers back. */
async function slowServer() {
  const { promise: asked, resolve: ask } = Promise.withResolvers<ServerResponse>();
  const url = await serve((_, response) => ask(response));
  const answer = async (): Promise<void> => {
    const response = await asked;
    await vi.advanceTimersByTimeAsync(HOUR);
    response.writeHead(200, { 'content-type': 'application/json' }).end(result);
  };
  return { url, answer };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
});

test('a call of an hour does not end at the gateway', async () => {
  const { url, answer } = await slowServer();
  const { handle, close } = gateway({ hooks: createHooks(), upstreams: { up: { url } } });
  onTestFinished(close);
  // A client without a limit of its own, which `fetch` has.
  const headers = { 'content-type': 'application/json' };
  const sent = httpRequest(`${await serve(handle)}/up`, { method: 'POST', headers });
  const answering = once(sent, 'response');
  sent.end(JSON.stringify(call));
  await answer();
  const [answered] = await answering;
  expect(await text(answered)).toContain('at last');
});

test('a call of an hour does not end at the proxy', async () => {
  const { url, answer } = await slowServer();
  const { input, output } = openProxy({ hooks: createHooks(), upstream: { url } });
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  input.write(`${JSON.stringify(call)}\n`);
  await answer();
  expect(String((await lines.next()).value)).toContain('at last');
});
