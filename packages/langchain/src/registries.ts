import type { Approver, Attached, PointData } from '@hooks/core';
import { type AttachedRegistry, hears, joinRegistries, withoutRegistries } from '@hooks/core/adapter';
import type { HookToolOptions } from './options.ts';

/** A registry of hooks with the options under which it was attached. */
export type Registry = AttachedRegistry<HookToolOptions>;

/** The registries that hook a tool or an agent, outermost first. There is at least one. */
export type Registries = readonly [Registry, ...Registry[]];

/** Adds registries further in. Each registry counts once. */
export function withInner(outer: Registries, inner: readonly Registry[]): Registries {
  if (inner.length === 0) return outer;
  const [outermost, ...others] = outer;
  return [outermost, ...withoutRegistries(joinRegistries(others, inner), [outermost])];
}

/** Whether a hook listens to one of these events, so that they must fire. */
export function isHeard(registries: readonly Registry[], ...points: readonly PointData[]): boolean {
  return registries.some(({ hooks }) => points.some((point) => hears(hooks, point)));
}

/** The approvers of one call. Each is asked once about an input, even if a middleware retries the call. */
export type Approvers = Map<Approver, Approver>;

/**
 * The registries of one call, as core takes them.
 *
 * @param native approves the call by LangGraph's pause
 */
export function attachedOf(
  registries: readonly Registry[],
  known: Approvers,
  native?: Approver,
): readonly Attached[] {
  return registries.map(({ hooks, options: { approval } }) => {
    if (typeof approval !== 'function')
      return { hooks, ...(approval === 'native' && native && { approval: native }) };
    const approver = known.get(approval) ?? remembering(approval);
    known.set(approval, approver);
    return { hooks, approval: approver };
  });
}

function remembering(approver: Approver): Approver {
  const allowed = new Map<string, Awaited<ReturnType<Approver>>>();
  return async (request, options) => {
    const key = `${request.hash} ${request.toolName}`;
    const known = allowed.get(key);
    if (known !== undefined) return known;
    const answer = await approver(request, options);
    if (answer?.decision === 'allow') allowed.set(key, answer);
    return answer;
  };
}
