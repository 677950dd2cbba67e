import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Mastra } from '@mastra/core';
import { SimpleAuth } from '@mastra/core/server';
import { MastraServer } from '@mastra/hono';
import { LibSQLStore } from '@mastra/libsql';
import { Hono } from 'hono';
import { bankAgent, type User } from './agent.ts';
import { scriptedModel } from './model.ts';

const {
  OPENAI_API_KEY,
  PORT = '4111',
  STORAGE = 'file:mastra.db',
} = process.env;

const mastra = new Mastra({
  agents: { bank: bankAgent(OPENAI_API_KEY ? 'openai/gpt-5' : scriptedModel) },
  storage: new LibSQLStore({ id: 'bank', url: STORAGE }),
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
serve(
  { fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' },
  (info: AddressInfo) => console.log(`http://127.0.0.1:${info.port}`),
);
