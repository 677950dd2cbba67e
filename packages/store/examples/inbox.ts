import { memoryStore } from '@hooks/store';
import {
  answerApproval,
  inbox,
  waitingApprovals,
} from '@hooks/store/approvals';

const store = memoryStore();
const approver = inbox({ store, deadlineMs: 60_000, pollMs: 10 });

// What an adapter does when a hook requires approval:
const request = {
  callId: 'c1',
  toolName: 'pay',
  input: { amount: 5 },
  reason: 'It costs money.',
  hash: '',
  sessionId: 's',
};
const answer = approver(request, { signal: undefined });

// Elsewhere: `npx --no-install hooks approvals allow <id>`, or in code:
const [waiting] = await waitingApprovals(store);
if (waiting)
  await answerApproval(store, waiting.id, { decision: 'allow', by: 'ada' });
console.log((await answer).decision); // allow
