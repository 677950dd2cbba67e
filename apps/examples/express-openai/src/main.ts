import type { AddressInfo } from 'node:net';
import type { Principal } from '@hooks/core';
import { sqliteStore } from '@hooks/store/sqlite';
import { clerk } from './agent.ts';
import { scriptedModel } from './model.ts';
import { chatService } from './service.ts';

const { PORT, OPENAI_API_KEY } = process.env;
const port = Number(PORT?.trim() || 3000);
if (!Number.isInteger(port) || port < 0 || port > 65_535)
  fail(
    `PORT is ${JSON.stringify(PORT)}. It has to be a number from 0 to 65535.`,
  );

// Put your own sign-in here: whoever knows such a token is that user.
const users = new Map<string | undefined, Principal>([
  ['Bearer of-ann', { id: 'ann', roles: ['clerk'] }],
  ['Bearer of-bob', { id: 'bob', roles: ['clerk', 'approver'] }],
]);

const agent = clerk(OPENAI_API_KEY ? undefined : scriptedModel);
const store = sqliteStore('approvals.db'); // Postgres for many machines
const service = chatService(agent, store, ({ headers }) =>
  users.get(headers.authorization),
);
const server = service.listen(port, '127.0.0.1', (error) => {
  if (error) fail(error.message); // such as of a port that is taken
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

/** Ends the process with a sentence instead of a stack. */
function fail(why: string): never {
  console.error(why);
  process.exit(1);
}
