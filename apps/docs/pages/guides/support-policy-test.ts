import assert from 'node:assert/strict';
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { supportPolicy } from './support-policy.ts';

const hooks = createHooks();
hooks.use(supportPolicy({ limit: 50 }));
const session = hooks.session('test');

for (const [amount, expected] of [
  [30, 'ok'],
  [80, 'denied'],
] as const) {
  const { status } = await callTool(
    hooks,
    { session, toolName: 'refund', input: { amount } },
    () => 'paid',
  );
  assert.equal(status, expected);
  console.log(`${amount} EUR: ${status}`);
}

const ticket = {
  id: 7,
  text: 'Where is my order?',
  internalNotes: 'Has complained before.',
};
const { output } = await callTool(
  hooks,
  { session, toolName: 'read_ticket', input: { id: 7 } },
  () => ticket,
);
assert.deepEqual(output, { id: 7, text: 'Where is my order?' });
console.log('ticket:', JSON.stringify(output));
