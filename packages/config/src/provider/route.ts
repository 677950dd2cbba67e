import { type Execute, type HookDecision, type Modify, modify } from '@hooks/core';
import type { Answer, Failure } from '../protocol/answer.ts';

/**
 * Where a hook routes a call: `(command) => routeTo(sandbox, command)` of `@hooks/sandbox`. Takes the hook's command, if
 * it named one.
 */
export type RouteCall = (
  command: { readonly command: string } | undefined,
) => Modify<{ readonly execute: Execute }>;

/** The decision, with the call routed if the answer requests it. A refusal stays a refusal. */
export function routed(
  decision: HookDecision,
  answer: Answer,
  route: RouteCall | undefined,
): HookDecision | Failure {
  if (answer.route === undefined || decision.kind === 'block' || decision.kind === 'retry') return decision;
  if (route === undefined) return { failed: 'it routes the call, but loadHooks has no `route` option' };
  const { command } = answer.route;
  const { patch } = route(command === undefined ? undefined : { command });
  return modify({ ...(decision.kind === 'modify' && decision.patch), ...patch });
}
