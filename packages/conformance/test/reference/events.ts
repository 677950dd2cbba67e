import {
  type DispatchOptions,
  type EventPayload,
  type HookDecision,
  modify,
  type Point,
  proceed,
  TurnEnd,
} from '@hooks/core';
import { LimitReached, type Run } from './run.ts';

/** What all registries together say to an event: the first refusal, else all changes. */
export async function dispatch<E extends EventPayload, Answer, G>(
  run: Run,
  point: Point<E, Answer, G> & { readonly type: string },
  fields: Omit<E, 'type' | 'session'>,
  options: DispatchOptions = {},
): Promise<HookDecision> {
  if (run.faults.has(`never fires ${point.type}`)) return proceed();
  let patch: object = {};
  let decision: HookDecision = proceed();
  const { gates, faults } = run;
  const { signal } = run.options;
  const told = { ...options, ...(!hides(faults) && { signal }) };
  for (const { hooks, session } of point.spec.order === 'reverse' ? gates.toReversed() : gates) {
    const event = { session, ...whereabouts(run), ...fields, ...patch };
    // Every registry was given the fields of the event, all of them; the compiler cannot see through the spread.
    const asked = hooks.dispatch(point, event as Omit<E, 'type'>, told);
    const answer: HookDecision = (await asked) as HookDecision;
    const answered = withoutIgnored(run, point.type, answer);
    if (answered.kind === 'block' && !faults.has('takes an abort for a block')) signal?.throwIfAborted();
    if (answered.kind === 'block' || answered.kind === 'retry') return answered;
    if (answered.kind !== 'modify') continue;
    patch = { ...patch, ...answered.patch };
    decision = { ...answered, patch };
  }
  return decision;
}

/** Whether hooks are not given the signal of the run. */
export function hides(faults: Run['faults']): boolean {
  return faults.has('ignores an abort') || faults.has('hides the signal from hooks');
}

/** The agent, the run and the turn, as every event tells them. */
export function whereabouts({
  faults,
  spec,
  id,
  turn,
}: Run): Partial<Pick<EventPayload, 'agent' | 'run' | 'turn'>> {
  return {
    ...(!faults.has('forgets which agent it is') && { agent: spec.name }),
    ...(!faults.has('forgets a run’s metadata') && { run: id }),
    ...(turn !== undefined && { turn: faults.has('mixes up turns') ? id : turn }),
  };
}

/** What is left of an answer by an adapter that ignores some decisions. */
function withoutIgnored({ faults }: Run, type: string, answer: HookDecision): HookDecision {
  if (answer.kind !== 'modify') return faults.has(`ignores ${answer.kind} on ${type}`) ? proceed() : answer;
  const kept = Object.entries(answer.patch).filter(
    ([field]) => !faults.has(`ignores modify.${field} on ${type}`),
  );
  return modify(Object.fromEntries(kept));
}

/** The fields of a Modify; none of another decision. */
export function patchOf<Patch extends object>(decision: HookDecision): Partial<Patch> {
  return decision.kind === 'modify' ? (decision.patch as Partial<Patch>) : {};
}

/** Ends the turn in which a run has failed. */
export async function endFailed(run: Run, error: unknown): Promise<void> {
  if (run.turn === undefined || run.options.signal?.aborted) return;
  const reason = error instanceof LimitReached ? 'continue' : 'error';
  await dispatch(run, TurnEnd, { reason, iteration: run.iteration });
  run.turn = undefined;
}
