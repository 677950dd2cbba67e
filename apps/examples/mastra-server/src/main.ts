import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { claim } from '@hooks/store';
import { Mastra } from '@mastra/core';
import { SimpleAuth } from '@mastra/core/server';
import { MastraServer } from '@mastra/hono';
import { LibSQLStore } from '@mastra/libsql';
import { Hono, type MiddlewareHandler } from 'hono';
import { bankAgent, store, type User } from './agent.ts';
import { scriptedModel } from './model.ts';

const {
  OPENAI_API_KEY,
  PORT = '4111',
  STORAGE = 'file:mastra.db',
} = process.env;

/** Mastra answers a run twice if two requests do so at the same time. Here one of them gets 409. */
const oneAnswer: MiddlewareHandler = async (context, next) => {
  const { runId }: { runId?: unknown } = Object(
    await context.req.raw
      .clone()
      .json()
      .catch(() => undefined),
  );
  if (typeof runId !== 'string') return next();
  const key = `runs/${JSON.stringify(runId).slice(0, 100)}`;
  await using claimed = await claim(store, key, { ttlMs: 120_000 });
  if (claimed !== undefined) return await next();
  return context.json({ error: 'The run is being answered.' }, 409);
};

const mastra = new Mastra({
  agents: { bank: bankAgent(OPENAI_API_KEY ? 'openai/gpt-5' : scriptedModel) },
  storage: new LibSQLStore({ id: 'bank', url: STORAGE }),
  server: {
    // Put one of Mastra's auth providers here: Auth0, Clerk, WorkOS, your own.
    auth: new SimpleAuth<User>({
      tokens: { 'of-ann': { id: 'ann' }, 'of-bob': { id: 'bob' } },
      mapUserToResourceId: ({ id }) => id,
    }),
    middleware: oneAnswer,
  },
});

const app = new Hono();
await new MastraServer({ app, mastra }).init();
serve(
  { fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' },
  (info: AddressInfo) => console.log(`http://127.0.0.1:${info.port}`),
);
