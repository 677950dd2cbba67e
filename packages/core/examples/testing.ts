import {
  addContext,
  BeforeToolCall,
  block,
  type HookProvider,
  proceed,
  requireApproval,
  retry,
  Stop,
  UserPromptSubmit,
} from '@hooks/core';
import { fakeTime, testAgent } from '@hooks/core/testing';

const policy: HookProvider = {
  name: 'support',
  register(hooks) {
    let mailed = 0;
    hooks.on(UserPromptSubmit, () => addContext('Refund 30 EUR at most.'));
    hooks.guard(BeforeToolCall.matching('refund'), ({ input }) =>
      Number(input) > 30 ? requireApproval('More than 30 EUR.') : proceed(),
    );
    hooks.guard(BeforeToolCall.matching('send_mail'), () => {
      if (Date.now() - mailed < 60_000) return block('One mail a minute.');
      mailed = Date.now();
      return proceed();
    });
    hooks.on(Stop, ({ response }) =>
      response.includes('ticket') ? proceed() : retry('Name the ticket.'),
    );
  },
};

const agent = testAgent(policy, { principal: { id: 'ann' } });

await agent.prompt('I want my money back.');
console.log((await agent.callModel()).context); // [ 'Refund 30 EUR at most.' ]

// nobody approves, unless the test does
console.log((await agent.callTool('refund', 80)).status); // denied
const yes = { approval: 'allow', execute: () => 'paid' } as const;
console.log((await agent.callTool('refund', 80, yes)).output); // paid
console.log(agent.approvals[0]?.reason); // More than 30 EUR.

const time = fakeTime();
await agent.callTool('send_mail', 'Your refund is on its way.');
console.log((await agent.callTool('send_mail', 'And more.')).reason); // One mail a minute.
await time.advance(60_000);
console.log((await agent.callTool('send_mail', 'And more.')).status); // ok
time[Symbol.dispose]();

console.log(await agent.stop('Done.')); // { kind: 'continue', prompt: 'Name the ticket.' }
console.log(await agent.stop('Done, see ticket 7.')); // { kind: 'over' }
