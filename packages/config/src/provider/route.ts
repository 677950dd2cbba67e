import { type Execute, type HookDecision, type Modify, modify } from '@hooks/core';
import type { Answer } from '../protocol/answer.ts';

/**
 * Where a call goes that a hook routes: `(command) => routeTo(sandbox, command)` of `@hooks/sandbox`. It gets the command
 * that the hook named, if any.
 */
export type RouteCall = (
  command: { readonly command: string } | undefined,
) => Modify<{ readonly execute: Execute }>;

/** The decision with the call routed; a refusal stays one. */
export function routed(
  decision: HookDecision,
  { command }: NonNullable<Answer['route']>,
  route: RouteCall,
): HookDecision {
  if (decision.kind === 'block' || decision.kind === 'retry') return decision;
  const { patch } = route(command === undefined ? undefined : { command });
  return modify({ ...(decision.kind === 'modify' && decision.patch), ...patch });
}
