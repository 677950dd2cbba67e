import { AgentSwitch, Stop, TurnEnd, type TurnEndReason } from '@hooks/core';
import { type Called, runCalls } from './calls.ts';
import { compact } from './compaction.ts';
import { dispatch } from './events.ts';
import type { Message, Spoken } from './model.ts';
import { hookedModelCall } from './model-call.ts';
import { LimitReached, lastUser, Paused, type Run, Stopped } from './run.ts';

/** Asks the model and runs what it calls, until it only speaks. Returns what it says then. */
export async function loop(run: Run): Promise<string> {
  const told: string[] = [];
  const { maxIterations = 20 } = run.spec;
  const open = openCalls(run.history);
  const before = answersIn(run.history);
  if (open.length > 0) {
    run.turn = `${run.id}:${before}`;
    await answer(run, open);
    await dispatch(run, TurnEnd, { reason: 'continue', iteration: before });
  }
  const goesOn = asksStop(run);
  for (let iteration = before + 1; iteration <= maxIterations; iteration++) {
    if (!run.faults.has('ignores an abort')) run.options.signal?.throwIfAborted();
    const text = await turn(run, iteration, told, goesOn);
    if (text === undefined) continue;
    await compact(run);
    return text;
  }
  throw new LimitReached('The agent asked the model too often.');
}

/** Asks `Stop` about the model's answers: whether the run goes on behind one, with what a hook says as the next message. */
function asksStop(run: Run): (response: string) => Promise<boolean> {
  const { faults, history } = run;
  const { maxContinuations = 3 } = faults.has('goes on three times whatever is set') ? {} : run.spec.attach;
  const limit = faults.has('never stops a Retry') ? 5 : maxContinuations;
  let continuations = 0;
  return async (response) => {
    const decision = await dispatch(run, Stop, { response, ...lastUser(run), continuations });
    if (decision.kind !== 'retry' || continuations === limit) return false;
    continuations++;
    history.push({ role: 'user', content: decision.reason });
    return true;
  };
}

/** One model call with its tools; the model's text where that is the run's answer. */
async function turn(
  run: Run,
  iteration: number,
  told: string[],
  goesOn: (response: string) => Promise<boolean>,
): Promise<string | undefined> {
  let reason: TurnEndReason | undefined = 'error';
  const isLast = iteration === (run.spec.maxIterations ?? 20);
  run.iteration = iteration;
  run.turn = `${run.id}:${iteration}`;
  try {
    const spoken = await hookedModelCall(run, iteration, told);
    run.history.push(messageOf(spoken));
    if (spoken.toolCalls.length === 0) {
      const early = run.faults.has('ends a turn before Stop is asked');
      if (early) await dispatch(run, TurnEnd, { reason: 'normal', iteration });
      const more = await goesOn(spoken.text);
      if (early) reason = undefined;
      else reason = more ? 'continue' : 'normal';
      if (more && isLast) reason = undefined;
      return more ? undefined : spoken.text;
    }
    await answer(run, spoken.toolCalls);
    reason = isLast ? undefined : 'continue';
    return undefined;
  } catch (error) {
    if (error instanceof Paused) reason = undefined;
    else if (error instanceof Stopped) reason = 'hook_blocked';
    else reason = run.options.signal?.aborted ? 'canceled' : 'error';
    throw error;
  } finally {
    // Of what has failed, or is at the limit, is told as of an error in this turn, before it ends.
    if (reason !== undefined && reason !== 'error') {
      await dispatch(run, TurnEnd, { reason, iteration });
      run.turn = undefined;
    }
  }
}

/** How often the model has answered since its user spoke. */
function answersIn(history: readonly Message[]): number {
  const since = history.findLastIndex(({ role }) => role === 'user');
  return history.slice(since + 1).filter(({ role }) => role === 'assistant').length;
}

/** Runs calls; one that hands over gives control to the other agent. */
async function answer(run: Run, calls: readonly Called[]): Promise<void> {
  await runCalls(run, calls);
  const other = run.spec.handoffs?.find(({ name }) =>
    calls.some((call) => call.name === `transfer_to_${name}`),
  );
  if (other === undefined) return;
  const { name: from } = run.spec;
  await dispatch(run, AgentSwitch, { from, to: other.name, switchKind: 'handoff', models: [] });
  run.spec = { ...run.spec, ...other, handoffs: [] };
}

function messageOf({ text, toolCalls }: Spoken): Message {
  return {
    role: 'assistant',
    content: text,
    ...(toolCalls.length > 0 && {
      tool_calls: toolCalls.map(({ id, ...call }) => ({ id, type: 'function' as const, function: call })),
    }),
  };
}

/** The calls of a turn that paused: those of the last answer, where nothing came after it. */
function openCalls(history: readonly Message[]): readonly Called[] {
  const last = history.at(-1);
  if (last?.role !== 'assistant') return [];
  return (last.tool_calls ?? []).flatMap((call) =>
    call.type === 'function' ? [{ id: call.id, ...call.function }] : [],
  );
}
