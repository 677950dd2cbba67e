import type { Approver } from '@hooks/core';
import { type AgentRun, PausedRuns, type PendingApproval, unapproved } from '@hooks/core/adapter';

/** The runs of this process that wait for people. */
export const pausedRuns: PausedRuns<AgentRun> = new PausedRuns();

/** Passes through core as control flow: the call waits for a person, and the query ends. */
export class Deferral {
  readonly request: PendingApproval;

  constructor(request: PendingApproval) {
    this.request = request;
  }
}

/** What decides whether a call can wait for a person. */
interface Waits {
  /** Whether prompts and messages go through `hookedQuery`, which shows what waits and takes the answers. */
  readonly seesPrompts: boolean;
  /** Whether it is a call of a tool that Claude Code can run when a session resumes. */
  canWait(callId: string): boolean;
}

/** The approver of registries whose approval is `native`. */
export function nativeApprover({ seesPrompts, canWait }: Waits): Approver {
  return ({ callId, toolName, input, reason, hash }) => {
    if (seesPrompts && canWait(callId)) throw new Deferral({ callId, toolName, input, reason, hash });
    const why = seesPrompts
      ? 'Claude Code resumes a session before it knows the tools of this process, so their calls cannot wait: set `approval` to a function'
      : "with `approval: 'native'` a call can wait only in hookedQuery";
    return unapproved(reason, why);
  };
}

/** The same for a tool that is hooked by itself. */
export const cannotWait: Approver = nativeApprover({ seesPrompts: true, canWait: () => false });

export function isDeferral(error: unknown): error is Deferral {
  return error instanceof Deferral;
}

/** Why a second call cannot wait. */
export const ONE_AT_A_TIME =
  'Approval is required, but another call of this answer waits for it already, and Claude Code keeps only one: call the tool again when that one is decided.';
