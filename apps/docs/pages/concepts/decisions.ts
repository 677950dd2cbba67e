import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  modify,
  proceed,
  retry,
} from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';

const hooks = createHooks();

// block: the tool does not run
hooks.guard(BeforeToolCall.matching('delete_.*'), () =>
  block('Archive it instead; nothing is deleted here.'),
);

// modify: the tool runs with other values
hooks.on(BeforeToolCall.matching('search'), ({ input }) =>
  modify({ input: { limit: 10, ...(input as object) } }),
);

// retry: the tool runs again
hooks.on(AfterToolCall.matching('fetch'), ({ status }) =>
  status === 'error' ? retry('flaky') : proceed(),
);

// An adapter does this for each tool call of its framework; here is one by hand.
const session = hooks.session('chat-1');
const call = (
  toolName: string,
  input: object,
  execute: (input: unknown) => unknown,
) => callTool(hooks, { session, toolName, input }, execute);

const refused = await call('delete_user', { id: 7 }, () => 'deleted');
console.log(refused.status, '-', refused.message); // blocked - Archive it instead; nothing is deleted here.

const searched = await call('search', { query: 'shoes' }, (input) =>
  JSON.stringify(input),
);
console.log(searched.output); // {"limit":10,"query":"shoes"}

let attempts = 0;
const fetched = await call('fetch', {}, () => {
  if (++attempts === 1) throw new Error('connection reset');
  return 'the page';
});
console.log(fetched.output, 'after', fetched.attempts, 'attempts'); // the page after 2 attempts
