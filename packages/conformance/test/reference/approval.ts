import type { Resumed } from '@hooks/core';
import type { ToolSpec } from '../../src/index.ts';
import { faultyAnswer } from './approver.ts';
import type { Fault } from './faults.ts';
import type { Answered, Running } from './run.ts';

/** A person's answer to a call; undefined if there is none. */
export function answerTo({ answers, faults }: Running, callId: string): Answered | undefined {
  const given = faults.has('answers every call with the first answer')
    ? answers.values().next().value
    : answers.get(callId);
  return given && faultyAnswer(given, faults);
}

/** Passes a person's answers to pending calls, including those in sub-agents. */
export async function answerAll(running: Running): Promise<void> {
  for (const { id, pending } of running.run.tree)
    for (const { callId } of pending.waiting) {
      const given = answerTo(running, callId);
      if (given === undefined) continue;
      const { hash, ...rest } = given;
      // Core compares the hash, if there is one.
      const about = running.faults.has('applies an approval to any input') ? {} : { hash };
      await pending.answer(callId, { ...rest, ...about, approvalId: approvalIdOf(running, callId, id) });
    }
}

/** The `resumed` field of a call that a person answered in another process. */
export function resumedOf(running: Running, callId: string): Resumed | undefined {
  const { faults } = running;
  const given = answerTo(running, callId);
  if (
    given === undefined ||
    given.decision === 'canceled' ||
    given.decision === 'answer' ||
    isCareless(faults)
  )
    return undefined;
  const { decision, hash, reason, input } = given;
  return {
    decision,
    by: 'person',
    ...(reason !== undefined && { reason }),
    ...(input !== undefined && { input }),
    // Without the hash of the approved input, the approval covers any input.
    ...(hash !== undefined && !faults.has('ignores a new requirement after an approval') && { hash }),
  };
}

/** Identifies the pending approval of a call that a person has answered. */
export function approvalIdOf(
  running: Running,
  callId: string,
  run: string = running.run.id,
): string | undefined {
  const { faults } = running;
  if (answerTo(running, callId) === undefined) return undefined;
  if (faults.has('takes the id of a call for that of its approval')) return callId;
  return JSON.stringify([run, callId]);
}

/** Whether the adapter runs hooks as if nobody had answered, and gives the answers afterwards. */
export function isCareless(faults: ReadonlySet<Fault>): boolean {
  return (
    faults.has('runs hooks for a denied call') ||
    faults.has('hides an approval from hooks') ||
    faults.has('applies an approval to any input')
  );
}

/** Why the framework itself requires approval of a call. */
export function needOf(
  { faults, answers }: Running,
  { name, needsApproval = false }: Pick<ToolSpec, 'name' | 'needsApproval'>,
  callId: string | undefined,
): string | undefined {
  const answered = callId !== undefined && answers.has(callId);
  if (answered && faults.has('ignores a new requirement after an approval')) return undefined;
  return needsApproval || faults.has('pauses for every call')
    ? `The tool ${name} needs approval.`
    : undefined;
}
