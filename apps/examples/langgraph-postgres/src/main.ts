import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { blockReason, pendingApprovals } from '@hooks/langchain';
import { claim } from '@hooks/store';
import { postgresStore } from '@hooks/store/postgres';
import { Command } from '@langchain/langgraph';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { ChatOpenAI } from '@langchain/openai';
import { Pool } from 'pg';
import { z } from 'zod';
import { supportAgent } from './agent.ts';
import { ScriptedModel } from './model.ts';

const { DATABASE_URL = '', OPENAI_API_KEY, PORT } = process.env;
const port = Number(PORT?.trim() || 3000);
if (!Number.isInteger(port) || port < 0 || port > 65_535)
  fail(
    `PORT is ${JSON.stringify(PORT)}. It has to be a number from 0 to 65535.`,
  );
if (!/^postgres(?:ql)?:\/\//.test(DATABASE_URL))
  fail(
    'DATABASE_URL has to be the address of a Postgres: postgres://user:password@host:5432/database',
  );
const pool = new Pool({
  connectionString: DATABASE_URL,
  // What waits for a lock, or for a connection, fails long before its run is aborted.
  ...{ statement_timeout: 30_000, connectionTimeoutMillis: 10_000 },
});
const logged = (error: Error) => console.error(error);
pool.on('error', logged);
// The pool does not handle the errors of a connection in use, as when Postgres restarts.
pool.on('connect', (connection) => connection.on('error', logged));
await createTables().catch(({ message, code }: Error & { code?: string }) =>
  fail(`The Postgres at DATABASE_URL cannot be used: ${message || code}`),
);
const store = postgresStore(pool);
const agent = supportAgent(
  pool,
  store,
  OPENAI_API_KEY ? new ChatOpenAI({ model: 'gpt-5' }) : new ScriptedModel({}),
);

/** Who is signed in. Put your own check of a session or token here. */
const users = new Map([
  ['Bearer of-ann', { id: 'ann', isClerk: false }],
  ['Bearer of-bob', { id: 'bob', isClerk: false }],
  ['Bearer of-dora', { id: 'dora', isClerk: true }],
]);

/** How long a run may take. */
const RUN_MS = 120_000;

const Prompt = z.strictObject({ prompt: z.string() });
const Answer = z.strictObject({
  callId: z.string(),
  hash: z.string(),
  decision: z.enum(['allow', 'deny']),
});

/** `POST /ann/7` prompts thread 7 of Ann, `GET /ann/7/approvals` lists what waits there, and a `POST` answers it. */
async function reply(request: IncomingMessage): Promise<[number, unknown]> {
  const caller = users.get(request.headers.authorization ?? '');
  if (caller === undefined) return [401, 'Sign in first.'];
  const path = /^\/(\w{1,64})\/(\w{1,64})(\/approvals)?$/.exec(
    request.url ?? '',
  );
  if (path === null) return [404, 'There is no such thread.'];
  const [, user = '', thread, approvals] = path;
  const isOwn = caller.id === user;
  // Clerks answer what others ask for.
  const isAllowed = approvals ? caller.isClerk && !isOwn : isOwn;
  if (!isAllowed) return [403, `${caller.id} may not do that.`];
  // A run belongs to its customer, also where a clerk resumes it.
  const configurable = { thread_id: `${user}/${thread}` };
  const config = { configurable, context: { user } };
  const pending = async () =>
    pendingApprovals(await agent.graph.getState(config));
  if (request.method === 'GET') return [200, await pending()];
  if (request.method !== 'POST') return [405, 'Send a GET or a POST.'];
  if (!(Number(request.headers['content-length']) <= 10_000))
    return [413, 'Send at most 10,000 bytes, with their content-length.'];
  const given = await json(request).catch(() => undefined); // no JSON
  const body = (approvals ? Answer : Prompt).safeParse(given);
  if (!body.success) return [400, 'The request is not as it has to be.'];

  // Runs at the same time would overwrite each other's state. The claim ends after its run, also if this process dies.
  const key = `threads/${user}/${thread}`;
  const signal = AbortSignal.timeout(RUN_MS);
  const claimed = await claim(store, key, { ttlMs: RUN_MS + 10_000 });
  if (claimed === undefined)
    return [409, 'The thread has another request under way. Try again later.'];
  try {
    const waiting = await pending();
    const limited = { ...config, signal };
    if ('prompt' in body.data) {
      // LangGraph would drop what waits, and go on with the prompt.
      if (waiting.length > 0) return [409, 'A refund waits for a clerk.'];
      return await shown({ messages: body.data.prompt }, limited);
    }
    const { callId, hash, decision } = body.data;
    if (!waiting.some((one) => one.callId === callId && one.hash === hash))
      return [409, 'No such refund waits.'];
    const resume = { [callId]: { hash, decision, by: caller.id } };
    return await shown(new Command({ resume }), limited);
  } finally {
    // The run is over, and its caller gets the answer, also if Postgres has gone away. The claim then ends by itself.
    await claimed.release().catch(logged);
  }
}

async function shown(
  ...run: Parameters<typeof agent.invoke>
): Promise<[number, unknown]> {
  const result = await agent.invoke(...run);
  const text = blockReason(result) ?? result.messages.at(-1)?.text;
  return [200, { text, pending: await pendingApprovals(result) }];
}

/** One process after the other: Postgres fails if two create the same table at the same time. */
async function createTables(): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("select pg_advisory_lock(hashtext('refunds'))");
    await new PostgresSaver(pool).setup();
    await client.query(
      'create table if not exists refunds (order_id text, euros numeric)',
    );
  } finally {
    client.release(true); // ends the connection, and the lock with it
  }
}

const server = createServer(async (request, response) => {
  const [status, body] = await reply(request).catch((error: Error) => {
    console.error(error);
    return [500, 'The request failed.'] as const;
  });
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
})
  .once('error', ({ message }) => fail(message)) // such as of a port that is taken
  .listen(port, '127.0.0.1', () => {
    console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });

/** Ends the process with a sentence instead of a stack. */
function fail(why: string): never {
  console.error(why);
  process.exit(1);
}
