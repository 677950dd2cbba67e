import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  BeforeToolCall,
  createHooks,
  requireApproval,
  ToolApprovalDecision,
} from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { memoryStore } from '@hooks/store';
import { inbox, type WaitingApproval } from '@hooks/store/approvals';
import { approvalServer } from './page.ts';

const store = memoryStore(); // Postgres, Redis or SQLite between processes
const server = approvalServer(store, (token) =>
  token === 'Bearer of-ann' ? 'ann' : undefined,
).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/approvals`;
const headers = { authorization: 'Bearer of-ann' };

const hooks = createHooks();
hooks.guard(BeforeToolCall.matching('refund'), () =>
  requireApproval('It moves money.'),
);
hooks.observe(ToolApprovalDecision, ({ approval, by }) => {
  console.log(approval, 'by', by);
});

// The agent. An adapter takes the same `approval`.
const call = callTool(
  hooks,
  { session: hooks.session(), toolName: 'refund', input: { euros: 120 } },
  () => 'refunded',
  { approval: inbox({ store, deadlineMs: 60_000 }) },
);

// The person's page.
let waiting: readonly WaitingApproval[] = [];
while (waiting.length === 0) {
  const response = await fetch(url, { headers });
  waiting = (await response.json()) as readonly WaitingApproval[];
}
for (const { id, toolName, input } of waiting) {
  console.log(toolName, input);
  const body = JSON.stringify({ decision: 'allow' });
  await fetch(`${url}/${id}`, { method: 'POST', headers, body });
}
console.log((await call).output);
server.close();
