import type { Approver, Attached, PointData } from '@hooks/core';
import { type AttachedRegistry, hears, joinRegistries } from '@hooks/core/adapter';
import type { HookedOptions } from './options.ts';

/** A registry of hooks with the options under which it was attached. */
export type Registry = AttachedRegistry<HookedOptions>;

/** The registries that hook a tool or an agent, outermost first. There is at least one. */
export type Registries = readonly [Registry, ...Registry[]];

/** Adds registries further in, by core's rule. */
export function withInner(outer: Registries, inner: readonly Registry[]): Registries {
  // Joined with what is not empty, a list is not.
  return joinRegistries(outer, inner) as Registries;
}

/** Whether a hook listens to one of these events, so that they must fire. */
export function isHeard(registries: readonly Registry[], ...points: readonly PointData[]): boolean {
  return registries.some(({ hooks }) => points.some((point) => hears(hooks, point)));
}

/** The approvers of one call. Each is asked once about an input, even if a middleware retries the call. */
export type Approvers = Map<Approver, Approver>;

/** What else answers the approvals of a call. */
export interface CallApprovals {
  /** Approves the call by LangGraph's pause. */
  readonly native: Approver | undefined;
  /** Whether the pause approves whatever the registries' options say. */
  readonly reviewed: boolean;
}

/**
 * The registries of one call, as core takes them.
 *
 */
export function attachedOf(
  registries: readonly Registry[],
  known: Approvers,
  { native, reviewed }: CallApprovals,
): readonly Attached[] {
  return registries.map(({ hooks, options: { approval } }) => {
    if (typeof approval === 'function') {
      const approver = known.get(approval) ?? remembering(approval);
      known.set(approval, approver);
      return { hooks, approval: approver };
    }
    if (approval === undefined) return { hooks };
    return { hooks, approval: approval === 'native' || reviewed ? native : 'deny' };
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
