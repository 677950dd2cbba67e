import { setTimeout } from 'node:timers/promises';
import { BeforeToolCall, createHooks, requireApproval } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { memoryStore } from '@hooks/store';
import {
  answerApproval,
  inbox,
  waitingApprovals,
} from '@hooks/store/approvals';

const store = memoryStore(); // Postgres, Redis or SQLite between processes

/** Your chat's API: posts a message with two buttons. Here, Ann presses one. */
async function post(text: string, id: string): Promise<void> {
  console.log(text);
  await pressed(id, 'allow', 'ann');
}

/** Your chat calls it when somebody presses a button. */
async function pressed(id: string, decision: 'allow' | 'deny', user: string) {
  await answerApproval(store, id, { decision, by: user });
}

// The agent. An adapter takes the same `approval`.
const hooks = createHooks();
hooks.guard(BeforeToolCall.matching('refund'), () =>
  requireApproval('It moves money.'),
);
const running = callTool(
  hooks,
  { session: hooks.session(), toolName: 'refund', input: { euros: 120 } },
  () => 'refunded',
  { approval: inbox({ store }) },
);

// The bot posts each request once.
const posted = new Set<string>();
while (posted.size === 0) {
  for (const { id, reason, toolName, input } of await waitingApprovals(store)) {
    if (posted.has(id)) continue;
    posted.add(id);
    await post(`${reason} Run ${toolName} ${JSON.stringify(input)}?`, id);
  }
  await setTimeout(200);
}
const { output, message } = await running;
console.log(message ?? output);
