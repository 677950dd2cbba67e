import { UserInputRequired } from '@hooks/core';
import { dispatch } from './events.ts';
import { hookedCall, Refused, unwrap } from './hooked-call.ts';
import type { Spoken } from './model.ts';
import { Paused, type Run, Stopped } from './run.ts';
import { messageOf, type Tool, text } from './tool.ts';
import { toolsOf } from './tools.ts';

export type Called = Spoken['toolCalls'][number];

/** Runs the calls of a turn, all at once, and answers each in the history once none of them waits for a person. */
export async function runCalls(run: Run, calls: readonly Called[]): Promise<void> {
  const { faults, done } = run;
  const attempt = async (call: Called, n: number): Promise<Result> => {
    const known = done.get(call.id);
    if (known !== undefined) return { read: known };
    const gates = n > 0 && faults.has('asks only about the first of parallel calls') ? [] : run.gates;
    const result = await runCall({ ...run, gates }, call);
    done.set(call.id, result.read);
    return result;
  };
  const settled = await Promise.allSettled(calls.map(attempt));
  const reason = stopOf(settled);
  if (reason !== undefined && !faults.has('waits for a person where the run is over')) {
    for (const { callId, hash } of run.pending.splice(0)) {
      run.answers.set(callId, { decision: 'canceled', source: 'context_canceled', reason, hash });
      const n = calls.findIndex(({ id }) => id === callId);
      settled.splice(
        n,
        1,
        ...(await Promise.allSettled(calls.slice(n, n + 1).map((call) => attempt(call, n)))),
      );
    }
  }
  const failed = settled.filter((result) => result.status === 'rejected');
  const error = failed.find(({ reason }) => !(reason instanceof Paused)) ?? failed[0];
  if (error !== undefined) {
    for (const { reason } of run.pending)
      await dispatch(run, UserInputRequired, {
        ...(!run.faults.has('does not tell what it waits for') && { message: reason }),
      });
    throw error.reason;
  }
  const results = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const stop = stopOf(settled);
  results.forEach(({ read }, n) => {
    if (n > 0 && stop !== undefined && faults.has('leaves a sibling unanswered')) return;
    run.show('tool_result', { name: calls[n]?.name, read });
    run.history.push({ role: 'tool', tool_call_id: calls[n]?.id ?? '', content: read });
  });
  if (stop !== undefined && !faults.has('goes on after stop')) throw new Stopped(stop);
}

function stopOf(settled: readonly PromiseSettledResult<Result>[]): string | undefined {
  const stopping = settled.find((result) => result.status === 'fulfilled' && result.value.stop !== undefined);
  return stopping?.status === 'fulfilled' ? stopping.value.stop : undefined;
}

/** What the model reads of a call; `stop`: why the run is to end. */
interface Result {
  readonly read: string;
  readonly stop?: string;
}

async function runCall(run: Run, call: Called): Promise<Result> {
  const { options, faults } = run;
  run.show('tool_call', call);
  const tool = toolsOf(run).find(({ name }) => name === call.name);
  const worded = run.gates.length > 0 && faults.has('words tool errors its own way');
  if (tool === undefined) return { read: worded ? 'No such tool.' : `There is no tool ${call.name}.` };
  let input: unknown;
  try {
    input = JSON.parse(call.arguments);
  } catch (error) {
    return { read: worded ? 'That is no JSON.' : `Error: ${String(error)}` };
  }
  const gates = isUnhooked(run, tool) ? [] : run.gates;
  const no = run.answers.get(call.id);
  if (no?.decision === 'deny' && faults.has('tells hooks nothing of a no'))
    return { read: no.reason ?? 'No.' };
  try {
    return { read: text(unwrap(run, await hookedCall(run, gates, tool, input, call.id))) };
  } catch (error) {
    if (error instanceof Paused) throw error;
    if (error instanceof Stopped) return { read: error.reason, stop: error.reason };
    if (error instanceof Refused) return { read: error.message };
    if (!faults.has('ignores an abort')) options.signal?.throwIfAborted();
    return { read: worded ? `It failed: ${String(error)}` : `Error: ${messageOf(error)}` };
  }
}

function isUnhooked({ faults, gates }: Run, { kind }: Tool): boolean {
  if (
    faults.has('forgets a no where no hook is left') &&
    gates.every(({ hooks }) => hooks.list().length === 0)
  )
    return true;
  return kind === 'hosted' || faults.has(`leaves ${kind} tools unhooked`);
}
