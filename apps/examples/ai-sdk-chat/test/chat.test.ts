import { execFile } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hasBrowser, notRun, openBrowser } from '@hooks/testing/browser';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { chatAgent } from '../src/agent.ts';
import { scriptedModel } from '../src/model.ts';
import { chatServer } from '../src/server.ts';

const files = new Map<string, string>();
let browser: Browser;
let server: Server;
let page: Page;

beforeAll(async () => {
  server = await chatServer(
    chatAgent(scriptedModel, files, 'a secret of the server, long enough'),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  if (!hasBrowser) return;
  browser = await openBrowser();
}, 60_000);

beforeEach(async () => {
  if (!hasBrowser) return;
  files.clear();
  files.set('notes.txt', 'Buy milk.');
  files.set('.env', 'OPENAI_API_KEY=sk-0123456789abcdef');
  await page?.close();
  page = await browser.newPage();
  await page.goto(url());
});

afterAll(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
});

const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function say(text: string): Promise<void> {
  await page.getByPlaceholder('Delete notes.txt').fill(text);
  await page.getByRole('button', { name: 'Send' }).click();
}

const shown = (text: string): Promise<void> =>
  page.getByText(text, { exact: true }).waitFor();

test.skipIf(!hasBrowser)(
  `useChat: a call that a person approves runs in the next request${notRun}`,
  async () => {
    await say('Delete notes.txt');
    await page.getByRole('group', { name: 'Delete notes.txt?' }).waitFor();
    expect(files.has('notes.txt')).toBe(true);
    await page.getByRole('button', { name: 'Yes' }).click();
    await shown('notes.txt is deleted.');
    expect(files.has('notes.txt')).toBe(false);
  },
);

test.skipIf(!hasBrowser)(
  `useChat: a call that a person refuses does not run${notRun}`,
  async () => {
    await say('Delete notes.txt');
    await page.getByRole('button', { name: 'No' }).click();
    await shown('No: I need it.');
    expect(files.has('notes.txt')).toBe(true);
  },
);

test.skipIf(!hasBrowser)(
  `useChat: a call that a hook blocks shows the reason, and no key reaches the page${notRun}`,
  async () => {
    await say('Delete .env');
    // As the result of the call, and in the answer of the model, which has read it.
    await page.locator('em', { hasText: 'The file .env stays.' }).waitFor();
    await page
      .getByText('The file .env stays.', { exact: true })
      .nth(1)
      .waitFor();
    await say('Read .env');
    await shown('OPENAI_API_KEY=[redacted]');
    expect(files.has('.env')).toBe(true);
    expect(await page.content()).not.toContain('0123456789abcdef');
  },
);

test.skipIf(!hasBrowser)(
  `useChat: a page that changes what was approved does not get it run${notRun}`,
  async () => {
    await say('Delete notes.txt');
    await page.getByRole('button', { name: 'Yes' }).waitFor();
    await page.route('**/api/chat', (route) =>
      route.continue({
        postData:
          route
            .request()
            .postData()
            ?.replaceAll('"path":"notes.txt"', '"path":".env"') ?? '',
      }),
    );
    await page.getByRole('button', { name: 'Yes' }).click();
    await page.getByRole('alert').waitFor();
    expect([...files.keys()]).toEqual(['notes.txt', '.env']);
  },
);

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
  const body = JSON.stringify({ messages });
  const response = await fetch(`${url()}/api/chat`, { method: 'POST', body });
  expect(response.status).toBe(status);
  await response.text();
});

test.each([
  ['a body that is no JSON', 'POST', '{', 400],
  ['a body that is no chat', 'POST', '{"messages":[{}]}', 400],
  ['a chat of 2 MB', 'POST', 'x'.repeat(2_000_000), 413],
  ['another method', 'PUT', '{"messages":[]}', 404],
])('%s is refused', async (_, method, body, status) => {
  const response = await fetch(`${url()}/api/chat`, { method, body });
  expect(response.status).toBe(status);
  expect(await response.text()).toBe('');
});

test.each([
  [{ APPROVAL_SECRET: '' }, 'APPROVAL_SECRET is too short: it needs 32 bytes.'],
  [{ PORT: 'http' }, 'PORT is "http". It has to be a number from 0 to 65535.'],
])(
  'with %o the server says in a line why it does not start',
  async (env, says) => {
    const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
    const started = promisify(execFile)(
      process.execPath,
      ['--conditions=@hooks/source', main],
      // Ends the server, should it start.
      { env: { ...process.env, PORT: '0', ...env }, timeout: 20_000 },
    );
    const { stderr } = await started.catch((error) => error);
    expect(stderr).toBe(`${says}\n`);
  },
);
