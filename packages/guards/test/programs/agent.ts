/** One process of a run: begins it, or resumes it, with `once` on a shared store; its tool leaves a mark in a file, and may kill the process. */
import { appendFileSync } from 'node:fs';
import type { AdapterHarness, RunResult } from '@hooks/conformance';
import { BeforeToolCall, createHooks, requireApproval } from '@hooks/core';
import { sqliteStore } from '@hooks/store/sqlite';
import * as z from 'zod';
import { once } from '../../src/index.ts';

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
  /** The tool kills the process, before or after it has left its mark. */
  readonly dies?: 'before' | 'after' | undefined;
}

/** What came of it. */
export interface AgentReport {
  readonly text: string;
  readonly pending: number;
  readonly error?: string;
}

process.once('message', async (task) => {
  const report = await play(task as AgentTask);
  process.send?.(report, () => process.disconnect());
});

async function play(task: AgentTask): Promise<AgentReport> {
  const { harness }: { readonly harness: AdapterHarness } = await import(task.harness);
  const hooks = createHooks({ onWarning: () => {} });
  await using store = sqliteStore(task.store);
  hooks.guard(BeforeToolCall, () => requireApproval('It costs money.'));
  hooks.use(once({ tools: 'pay', store, leaseMs: 1_000 }));
  const agent = await harness.agent({
    name: 'assistant',
    instructions: 'Be brief.',
    modelUrl: task.modelUrl,
    tools: [
      {
        name: 'pay',
        description: 'Pays.',
        schema: z.object({ amount: z.number() }),
        execute: ({ amount }: { readonly amount: number }) => {
          if (task.dies === 'before') process.kill(process.pid, 'SIGKILL');
          appendFileSync(task.marks, `paid ${amount}\n`);
          if (task.dies === 'after') process.kill(process.pid, 'SIGKILL');
          return `paid ${amount}`;
        },
      },
    ],
    hooks: [hooks],
    storage: task.storage,
    attach: { approval: 'native' },
  });
  const options = { session: 's1', stream: false };
  const result: RunResult =
    task.does === 'run'
      ? await agent.run('Pay 5.', options)
      : await agent.resume([{ callId: 'c1', decision: 'allow' }], options);
  const pending = result.error === undefined ? await harness.pendingApprovals(result.result) : [];
  await hooks.settled();
  await agent.close?.();
  return {
    text: result.text,
    pending: pending.length,
    ...(result.error !== undefined && { error: String(result.error) }),
  };
}
