import { type EventPayload, type HookDecision, type Point, proceed } from '@hooks/core';
import type { Run } from './run.ts';

/** What all registries together say to an event: the first refusal, else all changes. */
export async function dispatch<E extends EventPayload, Answer, G>(
  run: Run,
  point: Point<E, Answer, G> & { readonly type: string },
  fields: Omit<E, 'type' | 'session'>,
): Promise<HookDecision> {
  let patch: object = {};
  let decision: HookDecision = proceed();
  for (const { hooks, session } of run.gates) {
    const event = { session, agent: run.spec.name, run: run.id, ...fields, ...patch };
    // Every registry was given the fields of the event, all of them; the compiler cannot see through the spread.
    const answered: HookDecision = (await hooks.dispatch(point, event as Omit<E, 'type'>)) as HookDecision;
    if (answered.kind === 'block' || answered.kind === 'retry') return answered;
    if (answered.kind !== 'modify') continue;
    patch = { ...patch, ...answered.patch };
    decision = { ...answered, patch };
  }
  return decision;
}
