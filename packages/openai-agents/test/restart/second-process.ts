/** A process that takes a paused run up from its state, under hooks of its own, and says what came of it. */
import { AfterToolCall, BeforeToolCall, block, createHooks, requireApproval } from '@hooks/core';
import { RunState } from '@openai/agents';
import { hookedRunner } from '../../src/index.ts';
import { clerk, runnerOn } from './agents.ts';

/** What it is told, as plain JSON. */
export interface TakeUp {
  readonly state: string;
  readonly modelUrl: string;
  readonly log: string;
  /** What a person said: undefined is yes, a text is why not. */
  readonly refused?: string;
  /** Whether its hooks block what the person has allowed. */
  readonly blocks: boolean;
}

/** What came of it. */
export interface Report {
  readonly pid: number;
  readonly finalOutput: unknown;
  /** What `BeforeToolCall` hooks were asked: the agent, the tool, and what they were told of the person's decision. */
  readonly asked: readonly string[];
  /** How calls ended, in the words of `AfterToolCall`. */
  readonly ended: readonly string[];
}

process.once('message', async (task) => {
  process.send?.(await takeUp(task as TakeUp), () => process.disconnect());
});

async function takeUp({ state: text, modelUrl, log, refused, blocks }: TakeUp): Promise<Report> {
  const asked: string[] = [];
  const ended: string[] = [];
  const hooks = createHooks();
  hooks.on(BeforeToolCall.matching('remove'), ({ agent, toolName, resumed }) => {
    asked.push(`${agent} ${toolName} ${resumed?.decision}`);
    return blocks ? block('not any more') : requireApproval('it is gone for good');
  });
  hooks.observe(
    AfterToolCall,
    ({ toolName, status, reason }) => void ended.push([toolName, status, reason].join(' ').trim()),
  );
  const agent = clerk(log);
  const state = await RunState.fromString<undefined, typeof agent>(agent, text);
  for (const item of state.getInterruptions()) {
    if (refused === undefined) state.approve(item);
    else state.reject(item, { message: refused });
  }
  const result = await hookedRunner(runnerOn(modelUrl), hooks, { approval: 'native' }).run(agent, state);
  await hooks.settled();
  return { pid: process.pid, finalOutput: result.finalOutput, asked, ended };
}
