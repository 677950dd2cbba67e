import { testAgent } from '@hooks/core/testing';
import { supportPolicy } from './policy.ts';

const agent = testAgent(supportPolicy);
await agent.prompt('Refund order 7.');

const refund = (euros: number) =>
  agent.callTool('refund', { order: '7', euros });
console.log((await refund(50)).status); // ok
console.log((await refund(120)).status); // denied
console.log((await refund(900)).reason); // Refunds end at 500 euros.

const found = await agent.callTool('find_customer', 'Ann', {
  execute: () => 'Ann, card 12345678',
});
console.log(found.output); // Ann, card [number]
