/** One process of a run in which a tool gets the value of a placeholder: begins or resumes it, or goes on with its session. */
import { appendFileSync } from 'node:fs';
import type { AdapterHarness } from '@hooks/conformance';
import { BeforeToolCall, createHooks, requireApproval } from '@hooks/core';
import { sqliteStore } from '@hooks/store/sqlite';
import * as z from 'zod';
import { pii, validHistory } from '../../src/index.ts';

/** What a process is told. */
export interface MailTask {
  readonly harness: string;
  readonly modelUrl: string;
  readonly storage: string;
  /** The file of the store of placeholders. */
  readonly store: string;
  /** The file to which the tool writes the mails. */
  readonly mails: string;
  readonly does: 'run' | 'resume';
  readonly stream: boolean;
}

/** What came of it. */
export interface MailReport {
  readonly text: string;
  readonly pending: readonly unknown[];
  readonly error?: string;
}

process.once('message', async (message) => {
  const report = await play(message as MailTask);
  process.send?.(report, () => process.disconnect());
});

async function play(task: MailTask): Promise<MailReport> {
  const { harness }: { readonly harness: AdapterHarness } = await import(task.harness);
  const hooks = createHooks({ onWarning: () => {} });
  await using store = sqliteStore(task.store);
  hooks.use(validHistory());
  hooks.use(pii({ kinds: { email: 'redact' }, hashKey: 'k', reveal: { send_mail: ['to'] }, store }));
  hooks.on(BeforeToolCall.matching('send_mail'), () => requireApproval('It is sent.'));
  const agent = await harness.agent({
    name: 'assistant',
    instructions: 'Be brief.',
    modelUrl: task.modelUrl,
    tools: [
      {
        name: 'find_address',
        description: 'Finds.',
        schema: z.object({ name: z.string() }),
        execute: () => 'Ann: ann.smith@acme.dev',
      },
      {
        name: 'send_mail',
        description: 'Sends.',
        schema: z.object({ to: z.string(), body: z.string() }),
        execute: (input: { readonly to: string }) => {
          appendFileSync(task.mails, `${JSON.stringify(input)}\n`);
          return `Sent to ${input.to}.`;
        },
      },
    ],
    hooks: [hooks],
    storage: task.storage,
    attach: { approval: 'native' },
  });
  const options = { session: 's1', stream: task.stream };
  const result =
    task.does === 'run'
      ? await agent.run('Write to Ann.', options)
      : await agent.resume([{ callId: 'send-1', decision: 'allow' }], options);
  const pending = result.error === undefined ? await harness.pendingApprovals(result.result) : [];
  await hooks.settled();
  await agent.close?.();
  return {
    text: result.text,
    pending: pending.map(({ input, reason }) => ({ input, reason })),
    ...(result.error !== undefined && { error: String(result.error) }),
  };
}
