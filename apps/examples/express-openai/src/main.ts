import type { AddressInfo } from 'node:net';
import type { Principal } from '@hooks/core';
import { sqliteStore } from '@hooks/store/sqlite';
import { clerk } from './agent.ts';
import { scriptedModel } from './model.ts';
import { chatService } from './service.ts';

const { PORT = '3000', OPENAI_API_KEY } = process.env;

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
const server = service.listen(Number(PORT), '127.0.0.1', (error) => {
  if (error) throw error; // such as of a port that is taken
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
