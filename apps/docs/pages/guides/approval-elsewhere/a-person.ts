// Answers the first request in the store of a new folder, as a person would from another process.
import { setTimeout } from 'node:timers/promises';
import { answerApproval, waitingApprovals } from '@hooks/store/approvals';
import { sqliteStore } from '@hooks/store/sqlite';
import './in-a-new-folder.ts';

const store = sqliteStore('.hooks/store.db');

async function answer(): Promise<void> {
  let [waiting] = await waitingApprovals(store);
  while (!waiting) {
    await setTimeout(20);
    [waiting] = await waitingApprovals(store);
  }
  await answerApproval(store, waiting.id, { decision: 'allow', by: 'ann' });
  await store.close();
}
void answer();
