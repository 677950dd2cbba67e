import assert from 'node:assert/strict';
import { testAgent } from '@hooks/core/testing';
import { supportPolicy } from './support-policy.ts';

const agent = testAgent(supportPolicy({ limit: 50 }));

for (const [amount, expected] of [
  [30, 'ok'],
  [80, 'denied'],
] as const) {
  const { status } = await agent.callTool('refund', { amount });
  assert.equal(status, expected);
  console.log(`${amount} EUR: ${status}`);
}

const ticket = {
  id: 7,
  text: 'Where is my order?',
  internalNotes: 'Has complained before.',
};
const { output } = await agent.callTool(
  'read_ticket',
  { id: 7 },
  { execute: () => ticket },
);
assert.deepEqual(output, { id: 7, text: 'Where is my order?' });
console.log('ticket:', JSON.stringify(output));
