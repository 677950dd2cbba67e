import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { limits, loopDetection, maxIterations, rateLimit } from '@hooks/guards';

const hooks = createHooks();
hooks.use(
  limits({
    perRun: { modelCalls: 30, timeMs: 10 * 60_000 },
    perSession: { tokens: 500_000 },
    perTool: { 'web_.*': { perRun: { toolCalls: 2 } } },
  }),
);
hooks.use(rateLimit({ toolCalls: 60, windowMs: 60_000 }));
hooks.use(loopDetection({ identicalCalls: 5 }));
hooks.use(maxIterations(50));

const session = hooks.session('example');
for (const query of ['a', 'b', 'c']) {
  const call = { session, run: 'r1', toolName: 'web_search', input: { query } };
  const { status, reason } = await callTool(hooks, call, () => 'found');
  console.log(reason ?? status);
}
// ok
// ok
// Blocked (limits/toolCalls): the limit of web_.* of 2 tool calls for this run is used up. Answer with what you have, and say what is missing.
