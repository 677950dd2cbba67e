import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { concurrency, limits, rateLimit } from '@hooks/guards';
import { memoryStore } from '@hooks/store';

const store = memoryStore(); // sqliteStore(path), redisStore(client), …

/** What each process does. */
function policy() {
  const hooks = createHooks();
  const key = ({ principal }: { principal?: { id: string } }) =>
    principal?.id ?? '';
  hooks.use(
    rateLimit({ tools: 'web_.*', toolCalls: 30, windowMs: 60_000, key, store }),
  );
  hooks.use(limits({ perKey: { toolCalls: 2 }, store })); // per principal
  hooks.use(concurrency({ tools: 'browser', toolCalls: 2, store }));
  return hooks;
}

const processes = [policy(), policy(), policy()];
for (const hooks of processes) {
  const session = hooks.session('example', { principal: { id: 'ada' } });
  const call = { session, toolName: 'web_search', input: {} };
  const { status, reason } = await callTool(hooks, call, () => 'found');
  console.log(reason ?? status);
}
// ok
// ok
// Blocked (limits/toolCalls): the limit of 2 tool calls for this user is used up. Answer with what you have, and say what is missing.
