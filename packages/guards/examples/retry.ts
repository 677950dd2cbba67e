import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { retryTransient } from '@hooks/guards';

const hooks = createHooks({ maxAttempts: 3 });
hooks.use(
  retryTransient({
    tools: 'fetch|web_.*',
    classes: { network: { baseMs: 1, maxMs: 10 } },
  }),
);

let calls = 0;
const { output, attempts } = await callTool(
  hooks,
  { session: hooks.session('example'), toolName: 'fetch', input: {} },
  () => {
    if (++calls < 3)
      throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    return 'page';
  },
);
console.log(output, attempts);
// page 3
