import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Mastra } from '@mastra/core';
import { SimpleAuth } from '@mastra/core/server';
import { MastraServer } from '@mastra/hono';
import { LibSQLStore } from '@mastra/libsql';
import { Hono } from 'hono';
import { bankAgent, type User } from './agent.ts';
import { scriptedModel } from './model.ts';

const { OPENAI_API_KEY, PORT, STORAGE } = process.env;
const port = Number(PORT || 4111);
if (!Number.isInteger(port) || port < 0 || port > 65_535)
  fail(`PORT is "${PORT}". It has to be a number from 0 to 65535.`);

const mastra = new Mastra({
  agents: { bank: bankAgent(OPENAI_API_KEY ? 'openai/gpt-5' : scriptedModel) },
  storage: new LibSQLStore({ id: 'bank', url: STORAGE || 'file:mastra.db' }),
  server: {
    // Put one of Mastra's auth providers here: Auth0, Clerk, WorkOS, your own.
    auth: new SimpleAuth<User>({
      tokens: { 'of-ann': { id: 'ann' }, 'of-bob': { id: 'bob' } },
      mapUserToResourceId: ({ id }) => id,
    }),
  },
});

const app = new Hono();
await new MastraServer({ app, mastra }).init();
serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, (info: AddressInfo) =>
  console.log(`http://127.0.0.1:${info.port}`),
).once('error', ({ message }) => fail(message)); // such as of a port that is taken

/** Ends the process with a sentence instead of a stack. */
function fail(why: string): never {
  console.error(why);
  process.exit(1);
}
