import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { blockReason, pendingApprovals } from '@hooks/langchain';
import { postgresStore } from '@hooks/store/postgres';
import { Command } from '@langchain/langgraph';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { ChatOpenAI } from '@langchain/openai';
import { Pool } from 'pg';
import { z } from 'zod';
import { supportAgent } from './agent.ts';
import { ScriptedModel } from './model.ts';

const { DATABASE_URL, OPENAI_API_KEY, PORT = '3000' } = process.env;
const pool = new Pool({ connectionString: DATABASE_URL });
pool.on('error', console.error);
await new PostgresSaver(pool).setup();
await pool.query(
  'create table if not exists refunds (order_id text, euros numeric)',
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
  const path = /^\/(\w+)\/(\w+)(\/approvals)?$/.exec(request.url ?? '');
  if (path === null) return [404, 'There is no such thread.'];
  const [, user = '', thread, approvals] = path;
  const isOwn = caller.id === user;
  // Clerks answer what others ask for.
  const isAllowed = approvals ? caller.isClerk && !isOwn : isOwn;
  if (!isAllowed) return [403, `${caller.id} may not do that.`];
  // A run belongs to its customer, also where a clerk resumes it.
  const configurable = { thread_id: `${user}/${thread}` };
  const config = { configurable, context: { user } };
  const pending = await pendingApprovals(await agent.graph.getState(config));
  if (request.method === 'GET') return [200, pending];
  if (!(Number(request.headers['content-length']) <= 10_000))
    return [413, 'Send at most 10,000 bytes.'];
  const body = await json(request);
  if (!approvals) {
    const { prompt } = Prompt.parse(body);
    // LangGraph would drop what waits, and go on with the prompt.
    if (pending.length > 0) return [409, 'A refund waits for a clerk.'];
    return shown({ messages: prompt }, config);
  }
  const { callId, ...answer } = Answer.parse(body);
  const { hash, decision } = answer;
  if (!pending.some((one) => one.callId === callId && one.hash === hash))
    return [409, 'No such refund waits.'];
  // Of two answers at once one counts. A minute later it is over, or its process has died.
  const claim = { expected: null, ttlMs: 60_000 };
  const key = `answers/${user}/${thread}/${callId}`;
  if ((await store.set(key, decision, claim)) === undefined)
    return [409, 'Another clerk has answered.'];
  const resume = { [callId]: { ...answer, by: caller.id } };
  return shown(new Command({ resume }), config);
}

async function shown(
  ...run: Parameters<typeof agent.invoke>
): Promise<[number, unknown]> {
  const result = await agent.invoke(...run);
  const text = blockReason(result) ?? result.messages.at(-1)?.text;
  return [200, { text, pending: await pendingApprovals(result) }];
}

const server = createServer(async (request, response) => {
  const [status, body] = await reply(request).catch((error: Error) => {
    if (error instanceof z.ZodError || error instanceof SyntaxError)
      return [400, 'The request is not as it has to be.'] as const;
    console.error(error);
    return [500, 'The request failed.'] as const;
  });
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}).listen(Number(PORT), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(`http://127.0.0.1:${port}`);
});
