import { type Called, runCalls } from './calls.ts';
import { compact } from './compaction.ts';
import type { Message, Spoken } from './model.ts';
import { modelRequest } from './model-call.ts';
import { LimitReached, type Running, Stopped } from './run.ts';

/** Calls the model and its tools until the model answers with text. Returns the text. */
export async function loop(running: Running): Promise<string> {
  const { run, faults, history, options } = running;
  const told: string[] = [];
  const open = openCalls(history);
  if (open.length > 0) await answer(running, open);
  while (run.iteration < limitOf(running)) {
    if (!faults.has('ignores an abort')) options.signal?.throwIfAborted();
    const stop = await run.startTurn();
    if (stop !== undefined) throw new Stopped(stop.reason);
    if (faults.has('mixes up turns')) run.turn = run.id;
    const spoken = await repeatedModelCall(running, told);
    history.push(messageOf(spoken));
    if (spoken.toolCalls.length > 0) {
      await answer(running, spoken.toolCalls);
      continue;
    }
    if (faults.has('ends a turn before Stop fires')) await run.endTurn('normal');
    const next = await run.finished(spoken.text);
    if (next.kind === 'blocked') throw new Stopped(next.stop.reason);
    if (next.kind === 'continue') {
      if (faults.has('takes the reason of a Stop hook for a prompt'))
        await run.submit([{ text: next.prompt }], { delivery: 'steering' });
      history.push({ role: 'user', content: next.prompt });
      continue;
    }
    await compact(running);
    return spoken.text;
  }
  throw new LimitReached('The agent reached its limit of model calls.');
}

/** Calls the model, and again if the request fails. */
async function repeatedModelCall(running: Running, told: string[]): Promise<Spoken> {
  const { run, faults } = running;
  const { repeats = 0 } = running.spec;
  const first = await modelRequest(running, told);
  for (let request = first, left = repeats; ; left--) {
    try {
      return await request();
    } catch (error) {
      if (left === 0 || error instanceof Stopped || running.options.signal?.aborted) throw error;
    }
    if (faults.has('counts a repeated request as a turn')) await run.startTurn();
    if (!faults.has('sends a repeated request without asking hooks'))
      request = await modelRequest(running, told);
  }
}

/** The limit of model calls in a run. */
export function limitOf({ spec: { maxIterations = 20 } }: Running): number {
  return maxIterations;
}

/** Runs calls. A handoff gives control to the other agent. */
async function answer(running: Running, calls: readonly Called[]): Promise<void> {
  await runCalls(running, calls);
  const { spec, run } = running;
  const other = spec.handoffs?.find(({ name }) => calls.some((call) => call.name === `transfer_to_${name}`));
  if (other === undefined) return;
  await run.switchAgent(other.name, { switchKind: 'handoff' });
  running.spec = { ...spec, ...other, handoffs: [] };
}

/** The model's answer as a message. */
export function messageOf({ text, toolCalls }: Spoken): Message {
  return {
    role: 'assistant',
    content: text,
    ...(toolCalls.length > 0 && {
      tool_calls: toolCalls.map(({ id, ...call }) => ({ id, type: 'function' as const, function: call })),
    }),
  };
}

/** The calls of a paused turn: those of the last answer, if no message follows it. */
function openCalls(history: readonly Message[]): readonly Called[] {
  const last = history.at(-1);
  if (last?.role !== 'assistant') return [];
  return (last.tool_calls ?? []).flatMap((call) =>
    call.type === 'function' ? [{ id: call.id, ...call.function }] : [],
  );
}
