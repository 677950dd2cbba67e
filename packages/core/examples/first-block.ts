import { BeforeToolCall, block, createHooks, proceed } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';

const hooks = createHooks();

hooks.guard(BeforeToolCall.matching('shell'), ({ input }) =>
  String(input).includes('rm -rf')
    ? block('Name the folder that you want to delete.')
    : proceed(),
);

// What an adapter does for each tool call of its framework:
const outcome = await callTool(
  hooks,
  { session: hooks.session('chat-1'), toolName: 'shell', input: 'rm -rf /' },
  (input) => `ran ${input}`,
);
console.log(outcome.status, outcome.ran, outcome.message); // blocked false Name the folder that you want to delete.
