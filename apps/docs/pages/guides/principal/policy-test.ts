import { testAgent } from '@hooks/core/testing';
import { accessPolicy } from './policy.ts';

const ann = { id: 'ann', roles: ['viewer'], tenant: 'acme' };
const agent = testAgent(accessPolicy, { principal: ann });

const own = await agent.callTool('read_order', { id: '7' });
const other = await agent.callTool('read_order', { id: '8' });
const lie = await agent.callTool('read_order', { id: '8', tenant: 'acme' });
const refund = await agent.callTool('refund_order', { id: '7' });
console.log(own.status); // ok
console.log(other.reason); // Your tenant has no such order.
console.log(lie.reason); // Your tenant has no such order.
console.log(refund.reason); // ann may not use refund_order.

const nobody = testAgent(accessPolicy);
console.log((await nobody.callTool('read_order', { id: '7' })).reason); // Nobody is signed in.
