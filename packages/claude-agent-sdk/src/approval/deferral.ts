import type { Approver } from '@hooks/core';
import { type AgentRun, PausedRuns, type PendingApproval } from '@hooks/core/adapter';

/** The runs of this process that wait for people. */
export const pausedRuns: PausedRuns<AgentRun> = new PausedRuns();

/** Passes through core as control flow: the call waits for a person, and the query ends. */
export class Deferral {
  readonly request: PendingApproval;

  constructor(request: PendingApproval) {
    this.request = request;
  }
}

/** The approver of registries whose approval is `native`. */
export const defer: Approver = ({ callId, toolName, input, reason, hash }) => {
  throw new Deferral({ callId, toolName, input, reason, hash });
};

/** The same for options without `hookedQuery`, which shows what waits and takes the answers. */
export const cannotWait: Approver = ({ reason }) => ({
  decision: 'deny',
  reason: `Approval is required (${reason}), but with \`approval: 'native'\` a call can wait only in hookedQuery.`,
});

export function isDeferral(error: unknown): error is Deferral {
  return error instanceof Deferral;
}

/** Why a second call cannot wait. */
export const ONE_AT_A_TIME =
  'Approval is required, but another call of this answer waits for it already, and Claude Code keeps only one: call the tool again when that one is decided.';
