import { BeforeToolCall, block, createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';

const hooks = createHooks({
  onError: ({ hook, cause }) => console.log(`${hook} failed:`, cause),
});
hooks.guard(
  BeforeToolCall.matching('delete_.*'),
  () => block('Archive it instead.'),
  { id: 'no-delete' },
);

hooks.trace(({ event, decision }) => {
  if (decision.kind === 'block')
    console.log(`${event.type}: ${decision.by}: ${decision.reason}`);
});

// An adapter does this for each tool call of your agent.
const session = hooks.session('chat-1');
const call = { session, toolName: 'delete_user', input: { id: 7 } };
await callTool(hooks, call, () => 'deleted');
// before_tool_call: no-delete: Archive it instead.
