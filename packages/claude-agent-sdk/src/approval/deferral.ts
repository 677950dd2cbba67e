import type { Approver } from '@hooks/core';
import { type AgentRun, PausedRuns, type PendingApproval, pendingApproval } from '@hooks/core/adapter';

/** The runs of this process that wait for people. */
export const pausedRuns: PausedRuns<AgentRun> = new PausedRuns();

/** What a run is kept by. Calls of two sessions may have the same id. */
export function pauseKey(sessionId: string, callId: string): string {
  return `${sessionKey(sessionId)}\n${callId}`;
}

/** A session's id in one spelling: where folders do so, Claude Code finds a session by its id in capitals, too. */
export function sessionKey(sessionId = ''): string {
  return sessionId.toLowerCase();
}

/** Passes through core as control flow: the call waits for a person, and the query ends. */
export class Deferral {
  readonly request: PendingApproval;

  constructor(request: PendingApproval) {
    this.request = request;
  }
}

/** Asks a person: Claude Code keeps the call, and the query ends. */
export const defer: Approver = (request) => {
  const { nativeToolName: toolName = request.toolName, ...pending } = pendingApproval(request);
  // Answers are for the name that Claude Code has for the tool.
  throw new Deferral({ ...pending, toolName });
};

/** Why a call cannot wait where prompts and messages do not go through `hookedQuery`, which shows what waits and takes the answers. */
export const ONLY_IN_QUERY = "with `approval: 'native'` a call can wait only in hookedQuery";

/** Why a call of a sub-agent cannot wait. */
export const NOT_IN_SUBAGENT =
  'a call of a sub-agent cannot wait, since Claude Code ends the sub-agent without it: set `approval` to a function';

/** Why a call of a tool of this process cannot wait. */
export const CANNOT_WAIT =
  'Claude Code resumes a session before it knows the tools of this process, so their calls cannot wait: set `approval` to a function';

export function isDeferral(error: unknown): error is Deferral {
  return error instanceof Deferral;
}

/** Why a second call cannot wait. */
export const ONE_AT_A_TIME =
  'another call of this answer waits for approval already, and Claude Code keeps only one: call the tool again when that one is decided';
