// A person who answers two requests, from a process of her own: she agrees to refunds of up to 500.
import { setTimeout } from 'node:timers/promises';
import { answerApproval, waitingApprovals } from '@hooks/store/approvals';
import { close, store } from './store.ts';

for (let answered = 0; answered < 2; ) {
  for (const { id, input } of await waitingApprovals(store)) {
    const { amount } = input as { readonly amount: number };
    const answer =
      amount > 0 && amount <= 500
        ? ({ decision: 'allow', by: 'dora' } as const)
        : ({
            decision: 'deny',
            reason: `${amount} is ${amount > 0 ? 'too much' : 'no amount'}.`,
            by: 'dora',
          } as const);
    await answerApproval(store, id, answer);
    answered++;
  }
  await setTimeout(100);
}
await close();
