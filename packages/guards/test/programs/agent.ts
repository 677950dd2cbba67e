/**
 * One process of a run: begins it, resumes it, or does both, with `once` or a budget on a shared store; its tool leaves a mark in
 * a file, and may kill the process.
 */
import { appendFileSync } from 'node:fs';
import type { AdapterHarness, RunResult, ToolSpec } from '@hooks/conformance';
import { BeforeToolCall, createHooks, requireApproval } from '@hooks/core';
import type { Store } from '@hooks/store';
import { sqliteStore } from '@hooks/store/sqlite';
import * as z from 'zod';
import { type Budget, limits, once } from '../../src/index.ts';

/** What a process is told. */
export interface AgentTask {
  readonly harness: string;
  readonly modelUrl: string;
  readonly storage: string;
  /** The file of the store. */
  readonly store: string;
  /** The file of marks. */
  readonly marks: string;
  readonly does: 'run' | 'resume';
  /** How a person answers. Default: allow. */
  readonly decision?: 'allow' | 'deny' | undefined;
  /** The call that the answer is to. Default: `c1`. */
  readonly callId?: string;
  /** The budget of a run, in place of `once`. */
  readonly perRun?: Budget | undefined;
  /** Where the state stands with which it is resumed. Default: the session's own. */
  readonly pausedIn?: string;
  /** A sub-agent has the tool. */
  readonly inside?: boolean;
  /** The process waits for another task. */
  readonly stays?: boolean;
  /** The tool kills the process, before or after it has left its mark. */
  readonly dies?: 'before' | 'after' | undefined;
  /** The process is killed before or after one of its writes to the store; the first is 1. */
  readonly diesAt?: { readonly when: 'before' | 'after'; readonly write: number };
}

/** What came of it. */
export interface AgentReport {
  readonly text: string;
  readonly pending: number;
  readonly error?: string;
}

/** What a process keeps from one task to the next. */
let kept: ReturnType<typeof agentOf> | undefined;

process.on('message', async (message) => {
  const task = message as AgentTask;
  const report = await play(task);
  process.send?.(report, () => task.stays || process.disconnect());
});

async function agentOf(task: AgentTask) {
  const { harness }: { readonly harness: AdapterHarness } = await import(task.harness);
  const hooks = createHooks({ onWarning: () => {} });
  const store = dyingAt(sqliteStore(task.store), task.diesAt);
  hooks.guard(BeforeToolCall.matching('pay'), () => requireApproval('It costs money.'));
  const { perRun } = task;
  hooks.use(perRun ? limits({ perRun, store }) : once({ tools: 'pay', store, leaseMs: 1_000 }));
  const pay: ToolSpec = {
    name: 'pay',
    description: 'Pays.',
    // The model leaves out what has a default.
    schema: z.object({ amount: z.number(), unit: z.string().default('EUR') }),
    execute: ({ amount }: { readonly amount: number }) => {
      if (task.dies === 'before') process.kill(process.pid, 'SIGKILL');
      appendFileSync(task.marks, `paid ${amount}\n`);
      if (task.dies === 'after') process.kill(process.pid, 'SIGKILL');
      return `paid ${amount}`;
    },
  };
  const clerk = { name: 'clerk', description: 'Pays.', instructions: 'You are the clerk.', tools: [pay] };
  const agent = await harness.agent({
    name: 'assistant',
    instructions: 'Be brief.',
    modelUrl: task.modelUrl,
    ...(task.inside ? { tools: [], subagents: [clerk] } : { tools: [pay] }),
    hooks: [hooks],
    storage: task.storage,
    attach: { approval: 'native' },
  });
  const close = async () => {
    await agent.close?.();
    await store.close();
  };
  return { harness, hooks, agent, close };
}

function dyingAt(store: Store, diesAt: AgentTask['diesAt']): Store {
  let writes = 0;
  return {
    ...store,
    async set(...write) {
      writes++;
      const dies = (when: 'before' | 'after'): void => {
        if (diesAt?.when === when && diesAt.write === writes) process.kill(process.pid, 'SIGKILL');
      };
      dies('before');
      const version = await store.set(...write);
      dies('after');
      return version;
    },
  };
}

async function play(task: AgentTask): Promise<AgentReport> {
  kept ??= agentOf(task);
  const { harness, hooks, agent, close } = await kept;
  const { pausedIn, decision = 'allow', callId = 'c1' } = task;
  const options = { session: 's1', stream: false, ...(pausedIn !== undefined && { pausedIn }) };
  const result: RunResult =
    task.does === 'run'
      ? await agent.run('Pay 5.', options)
      : await agent.resume([{ callId, decision }], options);
  const pending = result.error === undefined ? await harness.pendingApprovals(result.result) : [];
  await hooks.settled();
  if (!task.stays) await close();
  return {
    text: result.text,
    pending: pending.length,
    ...(result.error !== undefined && { error: String(result.error) }),
  };
}
