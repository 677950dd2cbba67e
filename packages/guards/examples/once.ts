import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { once } from '@hooks/guards';
import { memoryStore } from '@hooks/store';

const store = memoryStore(); // sqliteStore(path), redisStore(client), …

/** What each process does with an approval that arrives twice. */
async function resume(): Promise<unknown> {
  const hooks = createHooks();
  hooks.use(once({ tools: 'pay', store }));
  const session = hooks.session('chat-1');
  const call = {
    session,
    toolName: 'pay',
    callId: 'call_1',
    input: { amount: 5 },
  };
  const { output } = await callTool(
    hooks,
    call,
    (_input, { idempotencyKey }) => {
      console.log(
        'paying, with a key of',
        idempotencyKey?.length,
        'characters',
      );
      return 'receipt 17';
    },
  );
  return output;
}

console.log(await Promise.all([resume(), resume()]));

// paying, with a key of 64 characters
// [ 'receipt 17', 'receipt 17' ]
