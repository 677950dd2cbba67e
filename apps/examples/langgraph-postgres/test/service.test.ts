import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { postgresStore } from '@hooks/store/postgres';
import {
  noPostgres,
  startPostgres,
  type TestServer,
} from '@hooks/testing/servers';
import type { BaseMessage } from '@langchain/core/messages';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { supportAgent } from '../src/agent.ts';
import { ScriptedModel } from '../src/model.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const notRun = noPostgres ? ` (not run: it ${noPostgres})` : '';
const stops: (() => Promise<unknown>)[] = [];
let postgres: TestServer;
let pool: Pool;
let one: Service;
let other: Service;

interface Shown {
  readonly text?: string;
  readonly pending?: readonly object[];
}
type Service = Awaited<ReturnType<typeof start>>;

/** A process of the service, on the database of this file unless given. */
async function start(database = postgres.url) {
  const child = spawn(process.execPath, ['--conditions=@hooks/source', main], {
    env: {
      ...process.env,
      ...{ DATABASE_URL: database, OPENAI_API_KEY: '', PORT: '0' },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  stops.push(async () => child.kill() && (await once(child, 'exit')));
  const [address] = await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error('It ended.'))),
  ]);
  const url = String(address).trim();
  const send = async (
    user: string,
    path: string,
    body?: object,
    method = body ? 'POST' : 'GET',
  ) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer of-${user}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
  return {
    url,
    send,
    say: async (user: string, thread: number, prompt: string) =>
      (await send(user, `/${user}/${thread}`, { prompt })).body as Shown,
    approvals: async (path: string) =>
      (await send('dora', `${path}/approvals`)).body as readonly {
        readonly callId: string;
        readonly hash: string;
      }[],
    answer: (path: string, answer: object) =>
      send('dora', `${path}/approvals`, answer),
  };
}

function connect(connectionString: string): Pool {
  const client = new Pool({ connectionString });
  // A connection may still be closing when Postgres stops.
  client.on('connect', (connection) => connection.on('error', () => {}));
  client.on('error', () => {});
  return client;
}

/** The URL of a new database. */
async function emptyDatabase(): Promise<string> {
  const name = `empty_${crypto.randomUUID().replaceAll('-', '')}`;
  await pool.query(`create database ${name}`);
  return Object.assign(new URL(postgres.url), { pathname: name }).href;
}

/** Runs something while nobody else writes to a table. It gets what resolves to the process that waits to. */
async function locked(
  database: Pool,
  table: string,
  run: (waiting: () => Promise<number>) => Promise<void>,
) {
  const owner = await database.connect();
  const waiting = async () => {
    const { rows } = await database.query(
      'select pid from pg_locks where relation = $1::regclass and not granted',
      [table],
    );
    return Number(rows[0]?.pid ?? 0);
  };
  try {
    await owner.query(`begin; lock table ${table} in exclusive mode`);
    await run(() => vi.waitUntil(waiting, { timeout: 20_000 }));
  } finally {
    await owner.query('rollback');
    owner.release();
  }
}

const refunds = async (order: string) =>
  (await pool.query('select * from refunds where order_id = $1', [order]))
    .rowCount;

beforeAll(async () => {
  if (noPostgres) return;
  postgres = await startPostgres();
  pool = connect(postgres.url);
  one = await start();
  other = await start();
});

afterAll(async () => {
  await Promise.all(stops.map((stop) => stop()));
  await pool?.end();
  await postgres?.stop();
});

test.skipIf(noPostgres)(
  `a refund that one process asks about is approved in another, and runs once${notRun}`,
  async () => {
    const paused = await one.say('ann', 1, 'Refund 120 for A7');
    expect(paused.pending).toMatchObject([
      { input: { order: 'A7', euros: 120 }, reason: 'A refund of 120 euros.' },
    ]);
    expect(await refunds('A7')).toBe(0);

    const [waiting] = await other.approvals('/ann/1');
    const { callId = '', hash = '' } = waiting ?? {};
    const yes = { callId, hash, decision: 'allow' };
    // A clerk who presses twice, another one, and a load balancer.
    const no = { callId, hash, decision: 'deny' };
    const answers = await Promise.all(
      [yes, no, yes, no].map((each, nth) =>
        (nth % 2 ? other : one).answer('/ann/1', each),
      ),
    );
    const counted = answers.filter(({ status }) => status === 200);
    expect(counted).toHaveLength(1);
    const [text] = counted.map(({ body }) => (body as Shown).text);
    const isPaid = text === 'Order A7: 120 euros are paid back.';
    expect(await refunds('A7')).toBe(isPaid ? 1 : 0);
    expect((await one.answer('/ann/1', yes)).status).toBe(409);
    expect(await refunds('A7')).toBe(isPaid ? 1 : 0);
    expect(await other.approvals('/ann/1')).toEqual([]);
  },
);

test.skipIf(noPostgres)(
  `a refused refund does not run, and a yes to another input does not count${notRun}`,
  async () => {
    await one.say('ann', 2, 'Refund 150 for A8');
    const [waiting] = await other.approvals('/ann/2');
    const { callId = '', hash = '' } = waiting ?? {};
    const forged = { callId, hash: 'of another', decision: 'allow' };
    expect((await other.answer('/ann/2', forged)).status).toBe(409);
    // A prompt would drop what waits.
    const prompt = { prompt: 'Hello' };
    expect((await one.send('ann', '/ann/2', prompt)).status).toBe(409);
    expect(await other.approvals('/ann/2')).toHaveLength(1);
    const no = { callId, hash, decision: 'deny' };
    expect((await other.answer('/ann/2', no)).body).toMatchObject({
      pending: [],
    });
    expect(await refunds('A8')).toBe(0);
  },
);

test.skipIf(noPostgres)(
  `of two prompts at once on one thread one gets 409, and the refund of the other waits${notRun}`,
  async () => {
    const database = await emptyDatabase();
    // They create their tables at the same time, too.
    const [here, there] = await Promise.all([
      start(database),
      start(database),
      start(database),
    ]);
    const replies = await Promise.all([
      here.send('ann', '/ann/1', { prompt: 'Refund 120 for A1' }),
      there.send('ann', '/ann/1', { prompt: 'Refund 130 for A2' }),
    ]);
    const statuses = replies.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 409]);
    const run = replies[statuses.indexOf(200)]?.body as Shown;
    expect(run.pending).toHaveLength(1);
    expect(await here.approvals('/ann/1')).toEqual(run.pending);
  },
);

test.skipIf(noPostgres)(
  `the error of a refund does not reach the customer${notRun}`,
  async () => {
    const database = await emptyDatabase();
    const service = await start(database);
    const failed = { text: expect.stringMatching(/^The call failed\b[^:]*$/) };
    const invalid = await service.say('ann', 1, 'Refund 0 for A1');
    expect(invalid).toMatchObject(failed);
    const client = connect(database);
    await client.query('drop table refunds');
    await client.end();
    const thrown = await service.say('ann', 2, 'Refund 20 for A1');
    expect(thrown).toMatchObject(failed);
  },
);

test.skipIf(noPostgres)(
  `a process outlives a connection that ends while it is in use${notRun}`,
  async () => {
    const database = await emptyDatabase();
    const service = await start(database);
    const client = connect(database);
    await locked(client, 'checkpoints', async (waiting) => {
      const run = service.send('ann', '/ann/1', { prompt: 'Hello' });
      const pid = await waiting();
      await client.query('select pg_terminate_backend($1)', [pid]);
      expect(await run).toEqual({ status: 500, body: 'The request failed.' });
    });
    await client.end();
    const after = await service.send('ann', '/ann/2', { prompt: 'Hello' });
    expect(after.status).toBe(200);
  },
);

test.skipIf(noPostgres)(
  `a run that is done is answered, also if Postgres does not take back its claim${notRun}`,
  async () => {
    const database = await emptyDatabase();
    const service = await start(database);
    await service.say('ann', 1, 'Hello'); // creates the tables of the store
    const client = connect(database);
    const held = Promise.withResolvers<void>();
    let answered: Promise<void> | undefined;
    await locked(client, 'checkpoints', async (saving) => {
      const run = service.send('ann', '/ann/2', { prompt: 'Hello' });
      await saving();
      answered = locked(client, 'hooks.entries', async () => {
        held.resolve();
        expect(await run).toMatchObject({
          status: 200,
          body: { text: 'I can refund orders.' },
        });
      });
      await held.promise;
    });
    await answered;
    await client.end();
  },
);

test.skipIf(noPostgres)(
  `a thread whose run was cut in a refund still has a history that providers take${notRun}`,
  async () => {
    let seen: readonly BaseMessage[] = [];
    class Model extends ScriptedModel {
      override _generate(messages: BaseMessage[]) {
        seen = messages;
        return super._generate(messages);
      }
    }
    const store = postgresStore(pool);
    const agent = supportAgent(pool, store, new Model({}));
    const configurable = { thread_id: 'cem/1' };
    const config = { configurable, context: { user: 'cem' } };
    await locked(pool, 'refunds', async (waiting) => {
      const cut = new AbortController();
      const run = agent.invoke(
        { messages: 'Refund 20 for A1' },
        { ...config, signal: cut.signal },
      );
      run.catch(() => {});
      await waiting();
      cut.abort();
      await expect(run).rejects.toThrow();
    });
    await agent.invoke({ messages: 'Hello' }, config);
    expect(seen.map(({ type }) => type)).toEqual([
      ...['human', 'ai', 'tool', 'human'],
    ]);
    expect(seen[2]?.text).toMatch(/may have taken effect/);
    await store.close();
  },
);

const noAddress = /^DATABASE_URL has to be the address of a Postgres/;
test.each([
  ['no DATABASE_URL', { DATABASE_URL: '' }, noAddress],
  ['a DATABASE_URL that is none', { DATABASE_URL: 'secret' }, noAddress],
  [
    'a server that is not there',
    { DATABASE_URL: 'postgres://ann:secret@localhost:1/x' },
    /ECONNREFUSED/,
  ],
  [
    'a malformed DATABASE_URL',
    { DATABASE_URL: 'postgres://ann:secret@[/x' },
    /cannot be used: \w/,
  ],
  ['a PORT that is none', { PORT: 'http' }, /^PORT is "http"\. It has to be/],
])('with %s the service says in a line what is wrong', async (_, env, says) => {
  const started = promisify(execFile)(
    process.execPath,
    ['--conditions=@hooks/source', main],
    { env: { ...process.env, PORT: '0', ...env } },
  );
  const { stderr } = await started.catch((error) => error);
  expect(stderr).toMatch(says);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).not.toMatch(/secret/);
});

test.skipIf(noPostgres)(
  `customers do not approve, and do not reach the threads of others${notRun}`,
  async () => {
    const prompt = { prompt: 'Hello' };
    expect((await one.send('bob', '/ann/1', prompt)).status).toBe(403);
    expect((await one.send('bob', '/bob/1/approvals')).status).toBe(403);
    expect((await one.send('eve', '/ann/1', prompt)).status).toBe(401);
    expect((await one.send('dora', '/dora/1/approvals')).status).toBe(403);
  },
);

test.skipIf(noPostgres)(
  `a request that is not as it has to be is refused${notRun}`,
  async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH'])
      expect(
        (await one.send('ann', '/ann/1', { prompt: 'Hello' }, method)).status,
      ).toBe(405);
    const long = `/ann/${'x'.repeat(2_000)}`;
    for (const path of ['/', '/ann', '/ann/', '/ann/1/x', '/ann/1?x', long])
      expect((await one.send('ann', path, { prompt: 'Hello' })).status).toBe(
        404,
      );
    expect((await one.send('ann', '/ann/1', { text: 'Hello' })).status).toBe(
      400,
    );
    const prompt = 'x'.repeat(20_000);
    expect((await one.send('ann', '/ann/1', { prompt })).status).toBe(413);
  },
);

const hasCurl = await promisify(execFile)('curl', ['--version']).then(
  () => true,
  () => false,
);

test.skipIf(noPostgres || !hasCurl)(
  `the README's commands ask one process and answer another${notRun}`,
  async () => {
    const readme = new URL('../README.md', import.meta.url);
    const [, , commands = '', prints = ''] = [
      ...readFileSync(readme, 'utf8').matchAll(
        /^```(?:sh|text)\n(.*?)^```$/gms,
      ),
    ].map(([, block]) => block);
    const database = await emptyDatabase();
    const [first, second] = [await start(database), await start(database)];
    const run = async (command: string): Promise<string> => {
      const there = command
        .replace('http://127.0.0.1:3000', first.url)
        .replace('http://127.0.0.1:3001', second.url);
      return (await promisify(execFile)('sh', ['-ec', there])).stdout;
    };
    const [ask = '', list = '', answer = ''] = commands.split('\n');
    expect(JSON.parse(await run(ask))).toMatchObject({ pending: [{}] });
    const [{ callId, hash }] = JSON.parse(await run(list)) as [
      { callId: string; hash: string },
    ];
    const ids = [callId, hash];
    const filled = answer.replaceAll('…', () => ids.shift() ?? '');
    expect(`${await run(filled)}\n`).toBe(prints);
  },
);

test.skipIf(noPostgres)(
  `the processes share the budget of a customer${notRun}`,
  async () => {
    const texts: (string | undefined)[] = [];
    for (const [thread, service] of [one, other, one, other, one].entries())
      texts.push((await service.say('bob', thread, 'Hello')).text);
    expect(texts.slice(0, 4)).toEqual(Array(4).fill('I can refund orders.'));
    expect(texts[4]).toMatch(/0\.5/);
  },
);
