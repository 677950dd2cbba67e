import type { Approver, Attached, Hooks } from '@hooks/core';
import type { Attachment } from '@hooks/core/adapter';
import type { HookedOptions, NativeRun } from './options.ts';

/** The registries that hook an agent or a tool, with the options that they were attached with. */
export type Registries = Attachment<NativeRun, HookedOptions>;

/** The outermost registry, whose session is the run's. */
export function outermost({ hooks: [hooks] }: Registries): Hooks {
  if (hooks === undefined) throw new Error('An agent or a tool is hooked by at least one registry.');
  return hooks;
}

/** The approvers of one call. Each is asked once about an input, even if a middleware retries the call. */
export type Approvers = Map<Approver, Approver>;

/** The registries of one call, as core takes them. */
export function attachedOf(registries: Registries, known: Approvers): readonly Attached[] {
  return registries.attached((approval) => {
    if (typeof approval !== 'function') return approval;
    const approver = known.get(approval) ?? remembering(approval);
    known.set(approval, approver);
    return approver;
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
