import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  proceed,
  sessionKey,
} from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';

const refunded = sessionKey<number>('acme/refunded');

const hooks = createHooks();
hooks.guard(BeforeToolCall.matching('refund'), ({ session, input }) => {
  const total =
    session.get(refunded, () => 0) + (input as { amount: number }).amount;
  return total > 100
    ? block(`That would make ${total} EUR for this customer; 100 is the limit.`)
    : proceed();
});
hooks.on(AfterToolCall.matching('refund'), ({ session, status, input }) => {
  if (status === 'ok') {
    session.set(
      refunded,
      session.get(refunded, () => 0) + (input as { amount: number }).amount,
    );
  }
  return proceed();
});

const refund = async (id: string, amount: number) => {
  const call = {
    session: hooks.session(id),
    toolName: 'refund',
    input: { amount },
  };
  const { output, reason } = await callTool(
    hooks,
    call,
    () => `paid ${amount}`,
  );
  return reason ?? output;
};
console.log(await refund('ann', 60)); // paid 60
console.log(await refund('ann', 60)); // That would make 120 EUR for this customer; 100 is the limit.
console.log(await refund('bob', 60)); // paid 60
