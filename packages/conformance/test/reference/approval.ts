import type { Approver, Resumed } from '@hooks/core';
import type { ToolSpec } from '../../src/index.ts';
import { type Answered, Paused, type Run } from './run.ts';

/** Who approves the calls of a run. */
export function approverOf(run: Run): Approver | 'deny' | undefined {
  const { spec, faults } = run;
  const { approval } = spec.attach;
  if (approval === undefined && faults.has('allows where nobody can be asked'))
    return () => ({ decision: 'allow' });
  if (approval === 'native') return pausing(run);
  if (typeof approval !== 'function') return approval;
  return async (request, options) => {
    const { input, ...answer } = await approval(request, options);
    const allowed = faults.has('takes a no for a yes') ? { ...answer, decision: 'allow' as const } : answer;
    return input === undefined || faults.has('drops the input of an approver')
      ? allowed
      : { ...allowed, input };
  };
}

/** Takes the answer that a person has given; where there is none, or about another input, the run pauses. */
function pausing(run: Run): Approver {
  const { faults } = run;
  return (request) => {
    const before = run.given.find(([callId, { hash }]) => callId === request.callId && hash === request.hash);
    if (before !== undefined) return before[1];
    const given = answerTo(run, request.callId);
    const careless =
      faults.has('takes a yes to one input for any') || faults.has('gives every call the first answer');
    const fits = given?.hash === request.hash || careless;
    if (given !== undefined && (fits || given.decision !== 'allow')) return given;
    const { callId, toolName, reason, hash } = request;
    const sent = run.faults.has('shows a person what the model sent');
    const input = sent ? { city: 'Rome' } : request.input;
    run.pending.push({ callId, toolName, input, reason, hash });
    throw new Paused('The run waits for a person.');
  };
}

/** A person's answer to a call, as far as there is one. */
function answerTo({ answers, faults }: Run, callId: string): Answered | undefined {
  const given = faults.has('gives every call the first answer')
    ? answers.values().next().value
    : answers.get(callId);
  if (given === undefined) return undefined;
  const { reason: _hidden, ...unexplained } = given;
  const told: Answered = faults.has('hides the reason of a no') ? unexplained : given;
  return faults.has('takes a no for a yes') ? { ...told, decision: 'allow' as const } : told;
}

/** What the pipeline is told of a decision that was made before this process knew the call. */
export function resumedOf(run: Run, callId: string | undefined): Resumed | undefined {
  const given = callId === undefined ? undefined : answerTo(run, callId);
  if (given === undefined || 'input' in given || run.faults.has('does not tell hooks of a yes'))
    return undefined;
  const { decision, hash, reason } = given;
  if (decision === 'allow' && run.faults.has('takes a yes for the end of all need of approval'))
    return undefined;
  if (decision !== 'allow' && run.faults.has('asks hooks about what a person refused')) return undefined;
  return {
    decision: decision === 'allow' ? 'allow' : 'deny',
    by: 'person',
    ...(reason !== undefined && { reason }),
    // To whom nobody says what the yes was to, it is one to anything.
    ...(hash !== undefined && !run.faults.has('takes a yes for the end of all need of approval') && { hash }),
  };
}

/** Why a call wants approval, whatever hooks say: the framework asks for it, or a person was asked about it. */
export function needOf(
  { faults, answers }: Run,
  { name, needsApproval }: ToolSpec,
  callId: string | undefined,
): string | undefined {
  const answered = callId !== undefined && answers.has(callId);
  if (answered && faults.has('takes a yes for the end of all need of approval')) return undefined;
  return needsApproval === true || answered || faults.has('pauses for every call')
    ? `The tool ${name} wants approval.`
    : undefined;
}
