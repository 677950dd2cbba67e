// Every entry of the package, and what it hands out to be disposed of.
import { createHooks } from '@hooks/core';
import type { AgentRun } from '@hooks/core/adapter';
import { closeOnExit } from '@hooks/core/node';
import { openclawTools } from '@hooks/core/presets';
import { callTool } from '@hooks/core/tool-call';

const hooks = createHooks(openclawTools);
const listening = hooks.trace(() => {});
listening[Symbol.dispose]();
closeOnExit(hooks, { signals: ['SIGTERM'] })[Symbol.dispose]();

export async function run(agent: AgentRun): Promise<unknown> {
  const session = hooks.session();
  const outcome = await callTool(hooks, { session, toolName: 'exec', input: agent.id }, () => 'ok');
  await hooks[Symbol.asyncDispose]();
  return outcome;
}
