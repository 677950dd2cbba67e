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
    151,
  );
  report('A whole tool call', results, { 'callTool, two hooks before and two after': 6 });
  const unconcerned = await measure(
    [
      { name: 'the bare call', run: (times) => repeat(times, () => tool(input)) },
      { name: 'a hooked tool that no hook concerns', run: (times) => repeat(times, () => other(input)) },
    ],
    10_000,
    151,
  );
  report('No hook concerns it', unconcerned, { 'a hooked tool that no hook concerns': 1.1 });
}
