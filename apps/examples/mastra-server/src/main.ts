import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { serve } from '@hono/node-server';
import { sqliteStore } from '@hooks/store/sqlite';
import { Mastra } from '@mastra/core';
import { LibSQLStore } from '@mastra/libsql';
import { bankAgent, type User } from './agent.ts';
import { scriptedModel } from './model.ts';
import { bankService } from './service.ts';

const { OPENAI_API_KEY, PORT, STORAGE, STORE } = process.env;
const port = Number(PORT?.trim() || 4111);
if (!Number.isInteger(port) || port < 0 || port > 65_535)
  fail(
    `PORT is ${JSON.stringify(PORT)}. It has to be a number from 0 to 65535.`,
  );

// Put your own sign-in here: whoever knows such a token is that user.
const users = new Map<string | undefined, User>([
  ['Bearer of-ann', { id: 'ann' }],
  ['Bearer of-bob', { id: 'bob' }],
]);

try {
  const model = OPENAI_API_KEY ? 'openai/gpt-5' : scriptedModel;
  const agent = bankAgent(model, sqliteStore(STORE || beside('hooks.db')));
  const storage = await storageAt(STORAGE || `file:${beside('mastra.db')}`);
  new Mastra({ agents: { bank: agent }, storage });
  const { fetch } = bankService(agent, (authorization) =>
    users.get(authorization),
  );
  serve({ fetch, port, hostname: '127.0.0.1' }, (info: AddressInfo) =>
    console.log(`http://127.0.0.1:${info.port}`),
  ).once('error', ({ message }) => fail(message)); // such as of a port that is taken
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}

async function storageAt(url: string): Promise<LibSQLStore> {
  try {
    const storage = new LibSQLStore({ id: 'bank', url });
    await storage.init();
    return storage;
  } catch (error) {
    if (/^file:/i.test(url)) throw error;
    // What libsql says of another address may hold its password or token.
    return fail(
      'STORAGE has to be a URL, such as file:mastra.db, of a storage that can be reached.',
    );
  }
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
