import {
  BeforeExecute,
  block,
  createHooks,
  proceed,
  sessionKey,
} from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';

const refunded = sessionKey<number>('acme/refunded');

const hooks = createHooks();
hooks.guard(BeforeExecute.matching('refund'), ({ session, input }) => {
  const { amount } = input as { amount: number };
  const total = session.get(refunded, () => 0) + amount;
  if (total > 100)
    return block(
      `That would make ${total} EUR for this customer; 100 is the limit.`,
    );
  session.set(refunded, total);
  return proceed();
});

const refund = async (id: string, amount: number) => {
  const session = hooks.session(id);
  const call = { session, toolName: 'refund', input: { amount } };
  const { output, reason } = await callTool(
    hooks,
    call,
    () => `paid ${amount}`,
  );
  return `${id}: ${reason ?? output}`;
};
const atOnce = await Promise.all([refund('ann', 60), refund('ann', 60)]);
console.log(atOnce.join('\n'));
console.log(await refund('bob', 60));
