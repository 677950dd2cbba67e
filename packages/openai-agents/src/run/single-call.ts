import type { Attached } from '../options.ts';
import { openScope, type Scope } from './scope.ts';

/** Calls outside of hooked runs that may be taken up again, by the run's context and the call's id. */
const kept: WeakMap<object, Map<string, Set<Scope>>> = new WeakMap();

/** The scope of one call outside of hooked runs, with a session of its own; kept until it is left. */
export function aloneScope(attached: Attached, context: object, callId: string): Scope {
  const known = keptScope(attached, context, callId);
  if (known !== undefined) return known;
  const scope = openScope(attached, attached.hooks.session());
  keep(scope, context, callId);
  return scope;
}

/** The scope of a call that was begun, or has paused. */
export function keptScope(
  { hooks }: Attached,
  context: object | undefined,
  callId: string | undefined,
): Scope | undefined {
  if (context === undefined || callId === undefined) return undefined;
  return [...(kept.get(context)?.get(callId) ?? [])].find(
    ({ attached, session }) => attached.hooks === hooks && session.state !== 'closed',
  );
}

/** All scopes that are kept of a run, each with the id of its call. */
export function keptScopes(context: object): readonly { readonly callId: string; readonly scope: Scope }[] {
  const calls = kept.get(context);
  if (calls === undefined) return [];
  return [...calls].flatMap(([callId, scopes]) => [...scopes].map((scope) => ({ callId, scope })));
}

/** Closes the session of a call, unless an agent as a tool waits in it, which will be invoked again. */
export async function leave(
  scope: Scope,
  context: object | undefined,
  callId: string | undefined,
): Promise<void> {
  const paused = (scope.children?.size ?? 0) > 0;
  if (context !== undefined && callId !== undefined) {
    if (paused) return keep(scope, context, callId);
    kept.get(context)?.get(callId)?.delete(scope);
  }
  await scope.session.close();
}

function keep(scope: Scope, context: object, callId: string): void {
  const calls = kept.get(context) ?? new Map<string, Set<Scope>>();
  kept.set(context, calls);
  const scopes = calls.get(callId) ?? new Set();
  calls.set(callId, scopes.add(scope));
}
