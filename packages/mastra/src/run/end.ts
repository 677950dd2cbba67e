import { AgentError, type Hooks, Notification, type TurnEndReason, UserInputRequired } from '@hooks/core';
import { turnEndOf } from '@hooks/core/tool-call';
import { type AgentRun, keepPaused } from './agent-run.ts';
import { turnOf } from './run.ts';
import { endTurn } from './turn.ts';

/** How a run ended: what the framework threw, or its output. */
export type RunEnd = { readonly error: unknown } | { readonly output: unknown };

interface Output {
  readonly status?: unknown;
  readonly finishReason?: unknown;
  readonly error?: unknown;
  readonly tripwire?: unknown;
  readonly steps?: unknown;
}

/** Tells hooks how the run ended, on every way out, and closes it unless it waits for a person. */
export async function endRun(hooks: Hooks, run: AgentRun, end: RunEnd): Promise<void> {
  const output: Output = 'output' in end && typeof end.output === 'object' ? { ...end.output } : {};
  const error = 'error' in end ? end.error : output.error;
  const { session, id, agent } = run;
  const turn = turnOf(run);
  const event = { session, run: id, agent, ...(turn !== undefined && { turn }) };
  await run.approvals?.settle();
  const waits = output.finishReason === 'suspended' || output.status === 'suspended';
  if (waits && run.stop !== undefined) await run.approvals?.proposals.cancel(run.stop);
  else if (waits) {
    keepPaused(hooks, run);
    const requests = run.approvals?.proposals.requests ?? [];
    for (const { reason: message } of requests)
      await hooks.dispatch(UserInputRequired, { ...event, message });
    if (requests.length === 0) await hooks.dispatch(UserInputRequired, event); // a tool waits for something of its own
    return;
  }
  if (error !== undefined && !run.signal?.aborted) {
    const message = error instanceof Error ? error.message : String(error);
    await hooks.dispatch(AgentError, { ...event, error, message });
    await hooks.dispatch(Notification, { ...event, level: 'error', message });
  }
  await endTurn(hooks, run, reasonOf(run, error, output));
  await run.end();
}

function reasonOf(run: AgentRun, error: unknown, { tripwire }: Output): TurnEndReason {
  if (run.signal?.aborted) return 'canceled';
  if (error !== undefined) return 'error';
  return run.stop === undefined && tripwire === undefined ? 'normal' : turnEndOf(run.stopBy);
}
