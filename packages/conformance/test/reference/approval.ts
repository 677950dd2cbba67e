import type { Resumed } from '@hooks/core';
import type { ToolSpec } from '../../src/index.ts';
import { faultyAnswer } from './approver.ts';
import type { Fault } from './faults.ts';
import type { Answered, Running } from './run.ts';

/** A person's answer to a call, as far as there is one. */
export function answerTo({ answers, faults }: Running, callId: string): Answered | undefined {
  const given = faults.has('gives every call the first answer')
    ? answers.values().next().value
    : answers.get(callId);
  return given && faultyAnswer(given, faults);
}

/** Gives those that wait, also in sub-agents, the answers of a person. */
export async function answerAll(running: Running): Promise<void> {
  for (const { pending } of running.run.tree)
    for (const { callId } of pending.waiting) {
      const given = answerTo(running, callId);
      if (given !== undefined) await pending.answer(callId, given);
    }
}

/** What hooks are told of an answer that was given before this process knew the call. */
export function resumedOf(running: Running, callId: string): Resumed | undefined {
  const { faults } = running;
  const given = answerTo(running, callId);
  if (given === undefined || given.decision === 'canceled' || isCareless(faults)) return undefined;
  const { decision, hash, reason, input } = given;
  return {
    decision,
    by: 'person',
    ...(reason !== undefined && { reason }),
    ...(input !== undefined && { input }),
    // To whom nobody says what the yes was to, it is one to anything.
    ...(hash !== undefined && !faults.has('takes a yes for the end of all need of approval') && { hash }),
  };
}

/** Whether the adapter asks hooks as if nobody had answered, and gives the answers then. */
export function isCareless(faults: ReadonlySet<Fault>): boolean {
  return (
    faults.has('asks hooks about what a person refused') ||
    faults.has('does not tell hooks of a yes') ||
    faults.has('takes a yes to one input for any')
  );
}

/** Why a call wants approval, whatever hooks say. */
export function needOf(
  { faults, answers }: Running,
  { name, needsApproval = false }: Pick<ToolSpec, 'name' | 'needsApproval'>,
  callId: string | undefined,
): string | undefined {
  const answered = callId !== undefined && answers.has(callId);
  if (answered && faults.has('takes a yes for the end of all need of approval')) return undefined;
  return needsApproval || faults.has('pauses for every call')
    ? `The tool ${name} wants approval.`
    : undefined;
}
