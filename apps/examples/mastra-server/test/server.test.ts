import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { afterAll, beforeAll, expect, test } from 'vitest';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const folder = temporaryFolder();
const stops: (() => Promise<unknown>)[] = [];
let server: Awaited<ReturnType<typeof start>>;

interface Reply {
  readonly text?: string;
  readonly error?: string;
  readonly runId?: string;
  readonly finishReason?: string;
  readonly suspendPayload?: {
    readonly toolCallId: string;
    readonly args: object;
  };
}

/** A process of the server, over the storage of this file. */
async function start() {
  const child = spawn(process.execPath, ['--conditions=@hooks/source', main], {
    env: {
      ...process.env,
      ...{ OPENAI_API_KEY: '', PORT: '0', STORE: join(folder, 'hooks.db') },
      STORAGE: `file:${join(folder, 'mastra.db')}`,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let printed = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`It ended: ${printed}`)));
    child.stdout.on('data', (text: Buffer) => {
      printed += text;
      const [address] = /^http:\S+$/m.exec(printed) ?? [];
      if (address !== undefined) resolve(address);
    });
  });
  const started = {
    payments: () => printed.match(/got \d+ euros/g) ?? [],
    post: async (user: string, path: string, body: object) => {
      const response = await fetch(new URL(path, `${url}/api/agents/bank/`), {
        method: 'POST',
        headers: {
          authorization: `Bearer of-${user}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      });
      return { status: response.status, ...((await response.json()) as Reply) };
    },
    say: (messages: string, user = 'ann', more: object = {}) =>
      started.post(user, 'generate', { messages, ...more }),
    stop: async () => child.kill() && once(child, 'exit'),
  };
  stops.push(started.stop);
  return started;
}

const answerTo = ({ runId, suspendPayload }: Reply) => ({
  runId,
  toolCallId: suspendPayload?.toolCallId,
});

beforeAll(async () => {
  server = await start();
});

afterAll(async () => {
  await Promise.all(stops.map((stop) => stop()));
});

test('the server knows the user by the token, and by nothing that a client says', async () => {
  const asBob = { requestContext: { user: { id: 'bob' } } };
  expect(await server.say('Pay 20 to Carl', 'eve', asBob)).toMatchObject({
    status: 401,
  });
  expect(await server.say('Pay 2000 to Carl', 'ann', asBob)).toMatchObject({
    text: 'ann may pay up to 1000 euros.',
  });
  // Also where a client calls the tool without the model, as one of the agent or of the server.
  for (const path of ['tools/pay/execute', '/api/tools/pay/execute']) {
    const pay = (euros: number) =>
      server.post('ann', path, { data: { to: 'Carl', euros } });
    expect(await pay(2000)).toMatchObject({
      status: 500,
      error: 'ann may pay up to 1000 euros.',
    });
    expect((await pay(500)).error).toContain('Approval is required');
    expect((await pay(-500)).error).toBeTruthy();
  }
  expect(server.payments()).toEqual([]);
  expect(await server.say('Pay 20 to Carl')).toMatchObject({
    text: 'Carl got 20 euros.',
  });
});

test('a payment waits for its own user, who answers over HTTP, once', async () => {
  const paused = await server.say('Pay 200 to Carl');
  expect(paused).toMatchObject({
    finishReason: 'suspended',
    suspendPayload: { args: { to: 'Carl', euros: 200 } },
  });
  const path = 'approve-tool-call-generate';
  const answer = answerTo(paused);
  const byBob = await server.post('bob', path, answer);
  expect(byBob.error).toContain('belongs to another principal');
  expect(server.payments()).not.toContain('got 200 euros');
  await Promise.all([1, 2].map(() => server.post('ann', path, answer)));
  const payments = server.payments().filter((each) => each === 'got 200 euros');
  expect(payments).toHaveLength(1);

  const refused = await server.say('Pay 300 to Carl');
  const no = { ...answerTo(refused), reason: 'Not now.' };
  expect(
    await server.post('ann', 'decline-tool-call-generate', no),
  ).toMatchObject({ text: 'Not now.' });
  expect(server.payments()).not.toContain('got 300 euros');
});

test('of an approval and a refusal at once one counts', async () => {
  const paths = ['decline', 'approve'];
  for (const [nth, euros] of [501, 502, 503, 504].entries()) {
    const paused = await server.say(`Pay ${euros} to Carl`);
    const order = nth % 2 ? paths : paths.toReversed();
    const replies = await Promise.all(
      order.map((each) =>
        server.post('ann', `${each}-tool-call-generate`, answerTo(paused)),
      ),
    );
    const [counted, ...others] = replies.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    const got = `got ${euros} euros`;
    expect(server.payments().join().includes(got)).toBe(
      counted?.text?.includes(got),
    );
  }
  const odd = await server.say('Hello', 'ann', { runId: 'of\na\u{1F600}' });
  expect(odd.text).toBe('I can pay.');
});

test('a payment goes on in another process', async () => {
  const paused = await server.say('Pay 400 to Carl');
  await server.stop();
  const after = await start();
  const path = 'approve-tool-call-generate';
  const byBob = await after.post('bob', path, answerTo(paused));
  expect(byBob.error).toContain('belongs to another principal');
  expect(await after.post('ann', path, answerTo(paused))).toMatchObject({
    text: 'Carl got 400 euros.',
  });
  expect(after.payments()).toEqual(['got 400 euros']);
});
