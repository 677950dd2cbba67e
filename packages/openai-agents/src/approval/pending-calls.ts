import type { Begun } from '@hooks/core';
import type { Scope } from '../run/scope.ts';
import type { HookedCalls } from '../tool/call.ts';
import type { Invocation } from '../tool/definition.ts';

/** A call that was begun when the SDK asked whether it needs approval. */
export interface BegunCall {
  readonly calls: HookedCalls;
  /** What the model wrote. */
  readonly input: unknown;
  readonly begun: Begun;
  /** With what the tool is invoked: so far the question's, later that of the call itself. */
  readonly at: { invocation: Invocation };
}

/** The call of that id, tool, agent and input, if it was begun in this scope: ids alone may come back. */
export function begunCall(
  scope: Scope,
  { tool, place }: HookedCalls,
  callId: string,
  input: unknown,
): BegunCall | undefined {
  const found = scope.begun?.get(callId);
  if (found === undefined) return undefined;
  const { calls } = found;
  const same =
    calls.tool.name === tool.name &&
    calls.place.agent?.name === place.agent?.name &&
    JSON.stringify(found.input) === JSON.stringify(input);
  return same ? found : undefined;
}

/**
 * A call that was begun and waits for a person, in this run or in that of an agent as a tool.
 *
 * @param isIt tells it from others with its id, which may be one of each run
 */
export function waiting(
  scope: Scope,
  callId: string,
  isIt: (call: BegunCall) => boolean,
): { readonly scope: Scope; readonly begun: Extract<Begun, { kind: 'ask' }> } | undefined {
  const call = scope.begun?.get(callId);
  if (call?.begun.kind === 'ask' && isIt(call)) return { scope, begun: call.begun };
  for (const child of scope.children?.values() ?? []) {
    const found = waiting(child, callId, isIt);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether any call of a run waits for a person. */
export function hasWaiting({ begun, children }: Scope): boolean {
  return (
    [...(begun?.values() ?? [])].some((call) => call.begun.kind === 'ask') ||
    [...(children?.values() ?? [])].some(hasWaiting)
  );
}
