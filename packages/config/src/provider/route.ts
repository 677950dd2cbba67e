import { type Execute, type HookDecision, type Modify, modify } from '@hooks/core';
import type { Answer, Failure } from '../protocol/answer.ts';

/**
 * Where a call goes that a hook routes: `(command) => routeTo(sandbox, command)` of `@hooks/sandbox`. It gets the command
 * that the hook named, if any.
 */
export type RouteCall = (
  command: { readonly command: string } | undefined,
) => Modify<{ readonly execute: Execute }>;

/** The decision with the call routed, where the answer says so; a refusal stays one. */
export function routed(
  decision: HookDecision,
  answer: Answer,
  route: RouteCall | undefined,
): HookDecision | Failure {
  if (answer.route === undefined || decision.kind === 'block' || decision.kind === 'retry') return decision;
  if (route === undefined) return { failed: 'it routes the call, and loadHooks was given no `route`' };
  const { command } = answer.route;
  const { patch } = route(command === undefined ? undefined : { command });
  return modify({ ...(decision.kind === 'modify' && decision.patch), ...patch });
}
