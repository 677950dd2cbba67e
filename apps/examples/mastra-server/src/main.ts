import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { serve } from '@hono/node-server';
import { sqliteStore } from '@hooks/store/sqlite';
import { Mastra } from '@mastra/core';
import { SimpleAuth } from '@mastra/core/server';
import { MastraServer } from '@mastra/hono';
import { LibSQLStore } from '@mastra/libsql';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { bankAgent, type User } from './agent.ts';
import { scriptedModel } from './model.ts';

const { OPENAI_API_KEY, PORT, STORAGE, STORE } = process.env;
const port = Number(PORT?.trim() || 4111);
if (!Number.isInteger(port) || port < 0 || port > 65_535)
  fail(
    `PORT is ${JSON.stringify(PORT)}. It has to be a number from 0 to 65535.`,
  );

/** What users need of Mastra's routes. Others change the agent's model for everybody, for example. */
const ROUTES = new Set([
  ...['generate', 'stream', 'stream-until-idle', 'suspended-runs'],
  ...['approve-tool-call', 'approve-tool-call-generate'],
  ...['decline-tool-call', 'decline-tool-call-generate'],
  ...['resume-stream', 'resume-stream-until-idle', 'send-tool-approval'],
  'tools/pay/execute',
]);

/** What users need in the body. With others, they choose a model or a server that the agent calls, for example. */
const FIELDS = new Set([
  ...['messages', 'memory', 'requestContext', 'data'],
  ...['runId', 'toolCallId', 'approved', 'reason', 'resumeData'],
  ...['threadId', 'resourceId'],
]);

/** What users need in the query of a list. Mastra reads a query like a body, also for the agent and the tool of the path. */
const QUERY = new Set(['threadId', 'resourceId', 'page', 'perPage']);

const app = new Hono();
app.use(bodyLimit({ maxSize: 4 * 2 ** 20 }), async (context, next) => {
  const { req } = context;
  if (!ROUTES.has(req.path.replace(/^\/api\/agents\/bank\//, '')))
    return context.notFound();
  const isList = req.method === 'GET';
  for (const name of new URL(req.url).searchParams.keys())
    if (!isList || !QUERY.has(name))
      return context.json({ error: `The query takes no ${name}.` }, 400);
  if (isList) return next();
  // Of a clone, because Mastra reads the body, too.
  const body: unknown = await req.raw
    .clone()
    .json()
    .catch(() => null);
  if (typeof body !== 'object' || body === null)
    return context.json({ error: 'The body has to be a JSON object.' }, 400);
  const other = Object.keys(body).find((name) => !FIELDS.has(name));
  if (other !== undefined)
    return context.json({ error: `The server takes no ${other}.` }, 400);
  if ('messages' in body && !isOfUsers(body.messages))
    return context.json({ error: 'The messages have to be of users.' }, 400);
  return next();
});
try {
  const model = OPENAI_API_KEY ? 'openai/gpt-5' : scriptedModel;
  const agent = bankAgent(model, sqliteStore(STORE || beside('hooks.db')));
  // An address that libsql does not know would be shown with its password.
  const url = STORAGE || `file:${beside('mastra.db')}`;
  if (!/^(?:file|libsql|https?|wss?):/.test(url))
    fail('STORAGE has to be a URL, such as file:mastra.db.');
  const mastra = new Mastra({
    agents: { bank: agent },
    storage: new LibSQLStore({ id: 'bank', url }),
    server: {
      // Put one of Mastra's auth providers here: Auth0, Clerk, WorkOS, your own.
      auth: new SimpleAuth<User>({
        tokens: { 'of-ann': { id: 'ann' }, 'of-bob': { id: 'bob' } },
        mapUserToResourceId: ({ id }) => id,
      }),
    },
  });
  await new MastraServer({ app, mastra }).init();
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, (info: AddressInfo) =>
  console.log(`http://127.0.0.1:${info.port}`),
).once('error', ({ message }) => fail(message)); // such as of a port that is taken

/** Whether all messages are what a user says. Those of other roles are instructions, or answers that nobody gave. */
function isOfUsers(messages: unknown): boolean {
  const all: readonly unknown[] = Array.isArray(messages)
    ? messages
    : [messages];
  return all.every(
    (one) => typeof one === 'string' || Object(one).role === 'user',
  );
}

/** A file in the folder of the example, from wherever it is started: two stores would pay twice. */
function beside(file: string): string {
  return fileURLToPath(new URL(`../${file}`, import.meta.url));
}

/** Ends the process with a sentence instead of a stack. */
function fail(why: string): never {
  console.error(why);
  process.exit(1);
}
