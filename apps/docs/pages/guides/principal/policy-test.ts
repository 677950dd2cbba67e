import { testAgent } from '@hooks/core/testing';
import { accessPolicy } from './policy.ts';

const ann = { id: 'ann', roles: ['viewer'], tenant: 'acme' };
const agent = testAgent(accessPolicy, { principal: ann });

const own = await agent.callTool('read_order', { tenant: 'acme' });
const other = await agent.callTool('read_order', { tenant: 'globex' });
const refund = await agent.callTool('refund_order', { tenant: 'acme' });
console.log(own.status); // ok
console.log(other.reason); // This order belongs to another tenant.
console.log(refund.reason); // ann may not use refund_order.

const nobody = testAgent(accessPolicy);
console.log((await nobody.callTool('read_order', { tenant: 'acme' })).reason); // Nobody is signed in.
