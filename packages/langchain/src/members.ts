import type { Approver, Attached, Hooks, PointData } from '@hooks/core';
import { hears } from '@hooks/core/adapter';
import type { HookToolOptions } from './options.ts';

/** A registry that hooks a tool or an agent, with the options it was attached with. */
export interface Member {
  readonly hooks: Hooks;
  readonly options: HookToolOptions;
}

/** The registries that hook something, outermost first; there is at least one. */
export type Members = readonly [Member, ...Member[]];

/** The registries of these lists, each once; the first of a registry counts. */
export function membersOf(outer: Members, inner: readonly Member[]): Members {
  const added = inner.filter(
    ({ hooks }, at) => !hasMember(outer, hooks) && inner.findIndex((one) => one.hooks === hooks) === at,
  );
  return added.length === 0 ? outer : [...outer, ...added];
}

/** Whether a registry is in the list. */
export function hasMember(members: readonly Member[], hooks: Hooks): boolean {
  return members.some((one) => one.hooks === hooks);
}

/** Whether some hook would be asked about one of these events, or watches it. */
export function isHeard(members: readonly Member[], ...points: readonly PointData[]): boolean {
  return members.some(({ hooks }) => points.some((point) => hears(hooks, point)));
}

/**
 * The registries as core takes them. A person is asked once about an input of a call, however often the call runs. Where
 * LangGraph's pause approves, the call itself says how.
 *
 * @param known the approvers that the run has met
 * @param native how LangGraph's pause approves this call
 */
export function attachedOf(
  members: readonly Member[],
  known: Map<Approver, Approver>,
  native?: Approver,
): readonly Attached[] {
  return members.map(({ hooks, options: { approval } }) => {
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
    const key = `${request.callId} ${request.hash}`;
    const known = allowed.get(key);
    if (known !== undefined) return known;
    const answer = await approver(request, options);
    if (answer?.decision === 'allow') allowed.set(key, answer);
    return answer;
  };
}
