import './in-a-new-folder.ts';
// #region agent
import { BeforeToolCall, createHooks, requireApproval } from '@hooks/core';
import { inbox } from '@hooks/store/approvals';
import { sqliteStore } from '@hooks/store/sqlite';

const hooks = createHooks();
hooks.guard(BeforeToolCall.matching('refund'), () =>
  requireApproval('It moves money.'),
);
const store = sqliteStore('approvals.db');
const approval = inbox({ store });

// With LangChain: createHookedAgent(params, hooks, { approval })
// #endregion

const { callTool } = await import('@hooks/core/tool-call');
const { answerApproval, waitingApprovals } = await import(
  '@hooks/store/approvals'
);
const call = { session: hooks.session(), toolName: 'refund', input: {} };
const running = callTool(hooks, call, () => 'refunded', { approval });
let [waiting] = await waitingApprovals(store);
while (!waiting) [waiting] = await waitingApprovals(store);
await answerApproval(store, waiting.id, { decision: 'allow' });
console.log((await running).output); // refunded
await store.close();
