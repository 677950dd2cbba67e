import './in-a-new-folder.ts';
// #region agent
import { BeforeToolCall, createHooks, requireApproval } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { journal } from '@hooks/journal';

const log = journal({ sink: '.hooks/journal' });
const hooks = createHooks();
hooks.use(log);
hooks.guard(BeforeToolCall.matching('refund'), () =>
  requireApproval('It moves money.'),
);

// An adapter makes these calls in your program.
const call = (id: string, toolName: string, input: object) =>
  callTool(
    hooks,
    { session: hooks.session(id), toolName, input },
    () => 'done',
    { approval: () => ({ decision: 'allow', by: 'ann' }) },
  );
await call('chat-1', 'search', { query: 'user 7' });
await call('chat-1', 'delete_user', { id: 7 });
await call('chat-1', 'search', { query: 'user 8' });
await call('chat-2', 'refund', { euros: 900 });
await hooks.close();
await log.close();
// #endregion

console.log('recorded'); // recorded
