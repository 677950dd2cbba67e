import './a-person.ts';
// #region agent
import { BeforeToolCall, createHooks, requireApproval } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { inbox } from '@hooks/store/approvals';
import { sqliteStore } from '@hooks/store/sqlite';

const hooks = createHooks();
hooks.guard(BeforeToolCall.matching('refund'), () =>
  requireApproval('It moves money.'),
);
const store = sqliteStore('.hooks/store.db');
const approval = inbox({ store });

// An adapter makes this call. With LangChain:
// createHookedAgent(params, hooks, { approval })
const session = hooks.session('chat-1');
const call = { session, toolName: 'refund', input: { euros: 120 } };
const outcome = await callTool(hooks, call, () => 'refunded', { approval });
console.log(outcome.message ?? outcome.output); // refunded
// #endregion

await store.close();
