import { measure, report } from '@hooks/testing/bench';
import { concerns } from '../src/adapter/index.ts';
import { AfterToolCall, BeforeToolCall, createHooks, proceed } from '../src/index.ts';
import { callTool } from '../src/tool-call/index.ts';
import { makeHandlers, makeTool } from './handlers.ts';

const input = { command: 'ls' };
const tool = makeTool();

async function repeat(times: number, work: () => Promise<unknown>): Promise<void> {
  for (let i = 0; i < times; i++) await work();
}

export async function benchToolCall(): Promise<void> {
  const hooks = createHooks();
  for (const handler of makeHandlers(2)) hooks.on(BeforeToolCall.matching('exec'), handler);
  for (const _ of [1, 2])
    hooks.on(AfterToolCall.matching('exec'), ({ status }) => (status === 'ok' ? proceed() : proceed()));
  const session = hooks.session('bench');
  await session.open();
  // What an adapter does: where no hook concerns a tool, it is called directly.
  const hooked = (toolName: string) => (given: unknown) =>
    concerns(hooks, toolName)
      ? callTool(hooks, { session, toolName, callId: 'c', input: given }, tool)
      : tool(given);
  const exec = hooked('exec');
  const other = hooked('other');
  const awaiting = async (given: unknown) => {
    const output = await tool(given);
    return output;
  };
  const results = await measure(
    [
      {
        name: 'an async function that awaits the bare call',
        run: (times) => repeat(times, () => awaiting(input)),
      },
      { name: 'callTool, two hooks before and two after', run: (times) => repeat(times, () => exec(input)) },
    ],
    3_000,
    301,
  );
  report('A whole tool call', results, { 'callTool, two hooks before and two after': 3.5 });
  const unconcerned = await measure(
    [
      { name: 'the bare call', run: (times) => repeat(times, () => tool(input)) },
      { name: 'a hooked tool that no hook concerns', run: (times) => repeat(times, () => other(input)) },
    ],
    10_000,
    301,
  );
  report('No hook concerns it', unconcerned, { 'a hooked tool that no hook concerns': 1.1 });
}

/** One million calls through one session, and through 100,000 short ones: the heap must end flat. */
export async function benchMemory(): Promise<void> {
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => proceed());
  const heap = (): number => {
    globalThis.gc?.();
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  const call = (id: string) => callTool(hooks, { session: hooks.session(id), toolName: 'exec', input }, tool);
  await repeat(10_000, () => call('one'));
  const before = heap();
  await repeat(1_000_000, () => call('one'));
  const afterOne = heap();
  for (let i = 0; i < 100_000; i++) {
    await repeat(10, () => call(`short-${i}`));
    await hooks.session(`short-${i}`).close();
  }
  const afterMany = heap();
  console.log(
    `\nMemory (MiB of heap): before ${before.toFixed(1)}, after a million calls in one session ${afterOne.toFixed(1)}, after a million in 100,000 sessions ${afterMany.toFixed(1)}`,
  );
}
