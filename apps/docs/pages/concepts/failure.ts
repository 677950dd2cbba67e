import { BeforeToolCall, createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';

const hooks = createHooks({
  onError: ({ code, hook, cause }) =>
    console.log('told:', code, hook, (cause as Error).message),
});

const registered = hooks.guard(
  BeforeToolCall.matching('sell'),
  () => stockIsLow(),
  { id: 'stock-check' },
);

const call = {
  session: hooks.session('chat-1'),
  toolName: 'sell',
  input: { item: 42 },
};
const blocked = await callTool(hooks, call, () => 'sold');
console.log(`${blocked.status}: ${blocked.reason}`);

// The same hook, allowed to fail: only where a wrong Proceed does no harm.
registered[Symbol.dispose]();
hooks.guard(BeforeToolCall.matching('sell'), () => stockIsLow(), {
  id: 'stock-hint',
  onFailure: 'proceed',
});
const passed = await callTool(hooks, call, () => 'sold');
console.log(`${passed.status}: ${passed.output}`);

function stockIsLow(): never {
  throw new Error('connect ECONNREFUSED');
}
