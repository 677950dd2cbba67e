import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Principal } from '@hooks/core';
import { memoryStore, type Store } from '@hooks/store';
import type { WaitingApproval } from '@hooks/store/approvals';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { clerk } from '../src/agent.ts';
import { scriptedModel } from '../src/model.ts';
import { chatService } from '../src/service.ts';

const users = new Map<string | undefined, Principal>([
  ['ann', { id: 'ann', roles: ['clerk'] }],
  ['bob', { id: 'bob', roles: ['clerk', 'approver'] }],
  ['cem', { id: 'cem', roles: ['approver'] }],
]);
const LONG = { timeout: 20_000 };
let store: Store;
let server: Server;

beforeAll(async () => {
  store = memoryStore();
  const app = chatService(clerk(scriptedModel), store, ({ headers }) =>
    users.get(headers.authorization),
  );
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await store.close();
});

async function send(user: string, method: string, path: string, body?: object) {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { authorization: user, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

async function sendText(user: string, path: string, body: string) {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { authorization: user, 'content-type': 'application/json' },
    body,
  });
  return { status: response.status, body: await response.json() };
}

/** Starts a run. Returns its path. */
async function chat(user: string, message: string): Promise<string> {
  const { status, body } = await send(user, 'POST', '/chat', { message });
  expect(status).toBe(202);
  return `/chat/${z.object({ id: z.string() }).parse(body).id}`;
}

const approvals = async (user: string) =>
  (await send(user, 'GET', '/approvals')).body as readonly WaitingApproval[];

async function waitingFor(user: string): Promise<WaitingApproval> {
  const [request] = await vi.waitUntil(async () => {
    const list = await approvals(user);
    return list.length > 0 && list;
  }, LONG);
  return request!;
}

/** The run at a path once it is over. */
const ended = (user: string, path: string) =>
  vi.waitUntil(async () => {
    const { body } = await send(user, 'GET', path);
    return Object.hasOwn(Object(body), 'answer') && body;
  }, LONG);

test('a small refund runs without a person', async () => {
  expect(
    await ended('ann', await chat('ann', 'Refund 20 for order 7')),
  ).toEqual({
    user: 'ann',
    answer: 'Refunded 20 euros for 7.',
    approvals: [],
  });
});

test('a large refund runs when another user has approved it, and the run shows who', async () => {
  const path = await chat('ann', 'Refund 120 for order 7');
  const request = await waitingFor('bob');
  expect(request).toMatchObject({
    toolName: 'refund',
    input: { order: '7', euros: 120 },
    reason: 'Refunds 120 euros.',
    principal: { id: 'ann' },
  });
  expect((await send('ann', 'GET', path)).body).not.toHaveProperty('answer');
  const answer = await send('bob', 'POST', `/approvals/${request.id}`, {
    decision: 'allow',
  });
  expect(answer.status).toBe(200);
  expect(await ended('ann', path)).toEqual({
    user: 'ann',
    answer: 'Refunded 120 euros for 7.',
    approvals: [{ toolName: 'refund', approval: 'allow', by: 'bob' }],
  });
});

test('a denied refund does not run, and the model reads why', async () => {
  const path = await chat('ann', 'Refund 500 for order 8');
  const { id } = await waitingFor('bob');
  await send('bob', 'POST', `/approvals/${id}`, {
    decision: 'deny',
    reason: 'Too much.',
  });
  expect(await ended('ann', path)).toMatchObject({
    answer: expect.stringContaining('Too much.'),
    approvals: [
      { toolName: 'refund', approval: 'deny', by: 'bob', reason: 'Too much.' },
    ],
  });
});

test('nobody answers a request of their own, without the role, twice, or in the name of another', async () => {
  const path = await chat('bob', 'Refund 120 for order 9');
  const { id } = await waitingFor('cem');
  const allow = { decision: 'allow' };
  expect(await approvals('ann')).toEqual([]);
  expect(await approvals('bob')).toEqual([]);
  for (const user of ['ann', 'bob'])
    expect((await send(user, 'POST', `/approvals/${id}`, allow)).status).toBe(
      404,
    );
  const forged = { ...allow, by: 'ann' };
  expect((await send('cem', 'POST', `/approvals/${id}`, forged)).status).toBe(
    400,
  );
  expect((await send('cem', 'POST', `/approvals/${id}`, allow)).status).toBe(
    200,
  );
  expect((await send('cem', 'POST', `/approvals/${id}`, allow)).status).toBe(
    404,
  );
  expect(await ended('bob', path)).toMatchObject({
    approvals: [{ by: 'cem' }],
  });
});

test('a refused prompt, a refused call and a foreign chat each say so', async () => {
  const card = await chat('ann', 'My card is 4111 1111 1111 1111.');
  expect(await ended('ann', card)).toMatchObject({
    answer: 'Do not send card numbers.',
  });
  const call = await chat('cem', 'Refund 5 for order 7');
  expect(await ended('cem', call)).toMatchObject({
    answer: expect.stringContaining('Only clerks refund orders.'),
  });
  expect((await send('bob', 'GET', call)).status).toBe(404);
  expect((await send('eve', 'GET', call)).status).toBe(401);
});

test.each(['x', 'eve'])(
  '%s, who is nobody, gets 401 whatever the request',
  async (user) => {
    for (const body of ['{', '{}', 'x'.repeat(200_000)])
      expect(await sendText(user, '/chat', body)).toEqual({
        status: 401,
        body: 'Sign in first.',
      });
  },
);

test.each([
  ['/chat', '{', 400],
  ['/chat', '{"message":1}', 400],
  ['/chat', JSON.stringify({ message: 'x'.repeat(10_000) }), 413],
  ['/approvals/%', '{}', 400],
  ['/approvals/x', '{"decision":"deny","reason":""}', 400],
  ['/', '{}', 404],
  ['/chat/x', '{}', 404],
])(
  'POST %s with a bad request is refused in JSON, without a stack',
  async (path, text, status) => {
    const answer = await sendText('bob', path, text);
    expect(answer.status).toBe(status);
    expect(answer.body).not.toMatch(/node_modules|\.ts/);
  },
);

test('of several answers at once one counts, and the others hear that it is over', async () => {
  const path = await chat('ann', 'Refund 120 for order 7');
  const { id } = await waitingFor('bob');
  const allow = { decision: 'allow' };
  const answers = await Promise.all(
    ['bob', 'cem', 'bob', 'cem'].map((user) =>
      send(user, 'POST', `/approvals/${id}`, allow),
    ),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  for (const status of statuses) expect([200, 404, 409]).toContain(status);
  const run = await ended('ann', path);
  expect(Object(run).approvals).toHaveLength(1);
});

test('only a positive amount is refunded', async () => {
  const run = await chat('ann', 'Refund 0 for order 7');
  expect(await ended('ann', run)).toMatchObject({
    answer: expect.not.stringContaining('Refunded'),
  });
});
