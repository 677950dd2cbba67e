import { BeforeToolCall, createHooks, proceed } from '../src/index.ts';
import { callTool } from '../src/tool-call/index.ts';
import { makeTool } from './handlers.ts';

// One million calls through one session, and another through 100,000 short ones: the heap must end flat.
const tool = makeTool();
const hooks = createHooks();
hooks.on(BeforeToolCall, () => proceed());

const heap = (): string => {
  globalThis.gc?.();
  return (process.memoryUsage().heapUsed / 2 ** 20).toFixed(1);
};

async function calls(id: string, times: number): Promise<void> {
  for (let call = 0; call < times; call++)
    await callTool(hooks, { session: hooks.session(id), toolName: 'exec', input: { command: 'ls' } }, tool);
}

await calls('one', 10_000);
const before = heap();
await calls('one', 1_000_000);
const afterOne = heap();
for (let short = 0; short < 100_000; short++) {
  await calls(`short-${short}`, 10);
  await hooks.session(`short-${short}`).close();
}
console.log(
  `\nMemory (MiB of heap): before ${before}, after a million calls in one session ${afterOne}, after a million in 100,000 sessions ${heap()}`,
);
