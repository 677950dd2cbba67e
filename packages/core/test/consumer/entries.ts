// Every entry of the package, and what it hands out to be disposed of.
import { createHooks } from '@hooks/core';
import type { AgentRun } from '@hooks/core/adapter';
import { closeOnExit } from '@hooks/core/node';
import { checkOptions, needed, optionKinds } from '@hooks/core/options';
import { openclawTools } from '@hooks/core/presets';
import { fakeTime, testAgent } from '@hooks/core/testing';
import { callTool } from '@hooks/core/tool-call';

checkOptions('policy', { strict: true }, { strict: needed(optionKinds.flag) });
const hooks = createHooks(openclawTools);
const listening = hooks.trace(() => {});
listening[Symbol.dispose]();
closeOnExit(hooks, { signals: ['SIGTERM'] })[Symbol.dispose]();

export async function test(): Promise<boolean> {
  const time = fakeTime();
  await time.advance(1000);
  time[Symbol.dispose]();
  const { status } = await testAgent(hooks).callTool('exec', { command: 'ls' });
  return status === 'ok';
}

export async function run(agent: AgentRun): Promise<unknown> {
  const session = hooks.session();
  const outcome = await callTool(hooks, { session, toolName: 'exec', input: agent.id }, () => 'ok');
  await hooks[Symbol.asyncDispose]();
  return outcome;
}
