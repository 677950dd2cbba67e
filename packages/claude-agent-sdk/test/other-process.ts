import type { Options } from '@anthropic-ai/claude-agent-sdk';
import { BeforeToolCall, createHooks, type HookProvider, proceed, requireApproval } from '@hooks/core';
import { type ApprovalResponse, hookedQuery, pendingApprovals } from '../src/index.ts';

/*
 * Goes on with a session in a process of its own, and prints what came of it.
 */

/** What the process does. */
export interface Task {
  readonly options: Options;
  readonly prompt: string;
  readonly answers: readonly ApprovalResponse[];
  /** The file of a store, for `once`. */
  readonly store?: string | undefined;
}

/** What it prints. */
export interface Report {
  /** `call.approvalId` as hooks on BeforeToolCall saw it. */
  readonly approvalIds: readonly unknown[];
  readonly pending: Awaited<ReturnType<typeof pendingApprovals>>;
  readonly sessionId: string;
}

const { options, prompt, answers, store }: Task = JSON.parse(process.argv[2] ?? '');
const hooks = createHooks();
const approvalIds: unknown[] = [];
const note = ({ approvalId }: BeforeToolCall) => {
  approvalIds.push(approvalId ?? null);
  return proceed();
};
// Before `once`.
hooks.on(BeforeToolCall, note, { priority: 20_000 });
hooks.guard(BeforeToolCall, () => requireApproval('it costs money'));
if (store !== undefined) hooks.use(await onceFor(store));
let result: unknown;
let sessionId = '';
for await (const message of hookedQuery({ prompt, options }, hooks, { approval: 'native', answers }))
  if (message.type === 'result') {
    result = message;
    sessionId = message.session_id;
  }
const report: Report = { approvalIds, pending: await pendingApprovals(result), sessionId };
console.log(JSON.stringify(report));

/** `once` of another package, which adapters do not depend on. */
async function onceFor(file: string): Promise<HookProvider> {
  const [{ once }, { sqliteStore }] = await Promise.all(
    ['guards/src/index.ts', 'store/src/sqlite.ts'].map(
      (path) => import(new URL(`../../${path}`, import.meta.url).href),
    ),
  );
  return once({ tools: 'Bash', store: sqliteStore(file) });
}
