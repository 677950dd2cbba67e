import { Chat } from '@ai-sdk/react';
import {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
} from 'ai';
import { NextRequest } from 'next/server';
import { beforeEach, expect, test, vi } from 'vitest';
import { POST } from '../app/api/chat/route.ts';
import { register } from '../instrumentation.ts';
import { type ChatMessage, orders } from '../lib/agent.ts';
import { signed } from '../lib/user.ts';

beforeEach(() => {
  vi.stubEnv('SESSION_SECRET', 'a secret of the sessions, long enough');
  vi.stubEnv('APPROVAL_SECRET', 'a secret of the approvals, long enough');
  orders.clear();
  orders.set('7', 'ann').set('8', 'bob');
});

/** A request as a server gets it. */
function requestOf(cookie: string, body = ''): NextRequest {
  const length = String(new TextEncoder().encode(body).length);
  const headers = { cookie, 'content-length': length };
  const url = 'http://127.0.0.1/api/chat';
  return new NextRequest(url, { method: 'POST', headers, body });
}

/** What `useChat` holds, with the route handler in place of the network. */
async function chatOf(user?: string, change = (body: string) => body) {
  const cookie = user === undefined ? '' : `user=${await signed(user)}`;
  return new Chat<ChatMessage>({
    id: 'the same for all',
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    transport: new DefaultChatTransport({
      fetch: async (_url, init) =>
        POST(requestOf(cookie, change(String(init?.body)))),
    }),
  });
}

/** What the page shows of the call. */
const call = (chat: Chat<ChatMessage>) =>
  chat.messages
    .flatMap(({ parts }) => parts)
    .find((part) => part.type === 'tool-cancelOrder');

const texts = (chat: Chat<ChatMessage>) =>
  chat.messages
    .flatMap(({ parts }) => parts)
    .flatMap((part) => (part.type === 'text' ? part.text : []));

async function answer(chat: Chat<ChatMessage>, approved: boolean) {
  const part = call(chat);
  if (part?.state !== 'approval-requested') throw new Error('It does not ask.');
  await chat.addToolApprovalResponse({ id: part.approval.id, approved });
  await vi.waitUntil(() => ['ready', 'error'].includes(chat.status));
}

test.each(['', ' ', '\u200b', 'ann\u200b', 'Ann', 'eve', '__proto__'])(
  'the user %j, whom nobody knows, is not signed in',
  async (user) => {
    const chat = await chatOf(user);
    await chat.sendMessage({ text: 'Cancel order 7' });
    expect(chat.error?.message).toBe('Sign in first.');
  },
);

test('an order is canceled after its customer has approved it', async () => {
  const chat = await chatOf('ann');
  await chat.sendMessage({ text: 'Cancel order 7' });
  expect(call(chat)).toMatchObject({
    state: 'approval-requested',
    approval: { requestReason: 'Cancel order 7?' },
  });
  expect(orders.has('7')).toBe(true);
  await answer(chat, true);
  expect(texts(chat)).toContain('Order 7 is canceled.');
  expect(orders.has('7')).toBe(false);
});

test('a rejected call does not run', async () => {
  const chat = await chatOf('ann');
  await chat.sendMessage({ text: 'Cancel order 7' });
  await answer(chat, false);
  expect(call(chat)?.state).toBe('output-denied');
  expect(orders.has('7')).toBe(true);
});

test('a customer cannot cancel the order of another', async () => {
  const chat = await chatOf('ann');
  await chat.sendMessage({ text: 'Cancel order 8' });
  expect(call(chat)).toMatchObject({
    state: 'output-error',
    errorText: 'You have no such order.',
  });
  expect(orders.has('8')).toBe(true);
});

test('what a page changes after the approval does not run', async () => {
  orders.set('9', 'ann');
  let change = (body: string) => body;
  const chat = await chatOf('ann', (body) => change(body));
  await chat.sendMessage({ text: 'Cancel order 7' });
  change = (body) => body.replaceAll('"order":"7"', '"order":"9"');
  await answer(chat, true);
  expect(chat.error?.message).toBe('Something went wrong.');
  expect([...orders.keys()]).toEqual(['7', '8', '9']);
});

test('an approval counts for the user who was asked', async () => {
  const chat = await chatOf('ann');
  await chat.sendMessage({ text: 'Cancel order 7' });
  orders.set('7', 'bob');
  const other = await chatOf('bob');
  other.messages = chat.messages;
  await answer(other, true);
  expect(other.error?.message).toBe('Something went wrong.');
  expect(orders.has('7')).toBe(true);
});

test.each(['', 'user=ann', 'user=eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm4ifQ.'])(
  'the cookie %j is nobody',
  async (cookie) => {
    expect((await POST(requestOf(cookie))).status).toBe(401);
  },
);

test('a refused prompt shows the reason', async () => {
  const chat = await chatOf('ann');
  await chat.sendMessage({ text: 'My card is 4111 1111 1111 1111.' });
  expect(chat.error).toBeUndefined();
  expect(texts(chat).at(-1)).toBe('Do not send card numbers.');
});

test.each([
  '',
  '{',
  'null',
  '{"id":1,"messages":[]}',
  '{"id":"x","messages":[]}',
  '{"id":"x","messages":[{"role":"user"}]}',
])('the body %j gets 400', async (body) => {
  const request = requestOf(`user=${await signed('ann')}`, body);
  expect((await POST(request)).status).toBe(400);
});

test('a chat of 2 MB, or of a length that it does not say, gets 413', async () => {
  const cookie = `user=${await signed('ann')}`;
  const long = requestOf(cookie, 'x'.repeat(2_000_000));
  const unknown = requestOf(cookie, '{}');
  unknown.headers.delete('content-length');
  for (const request of [long, unknown])
    expect((await POST(request)).status).toBe(413);
});

const user = (parts: number) => ({
  id: '1',
  role: 'user',
  parts: Array.from({ length: parts }, () => ({ type: 'text', text: 'x' })),
});

test.each([
  ['15,000 messages', Array(15_000).fill(user(1)), 413],
  ['201 messages', Array(201).fill(user(1)), 413],
  ['20,000 parts', [user(20_000)], 413],
  ['1,001 parts', Array(91).fill(user(11)), 413],
  ['200 messages of 5 parts', Array(200).fill(user(5)), 200],
])('a chat of %s is answered within bounds', async (_, messages, status) => {
  const body = JSON.stringify({ id: 'x', messages });
  const request = requestOf(`user=${await signed('ann')}`, body);
  expect((await POST(request)).status).toBe(status);
});

test.each(['SESSION_SECRET', 'APPROVAL_SECRET'])(
  'a server without %s says so when it starts, and not to its first user',
  (name) => {
    expect(register).not.toThrow();
    for (const value of ['', ' ', 'secret']) {
      vi.stubEnv(name, value);
      expect(register).toThrow(`${name} is not set, or too short`);
    }
  },
);
