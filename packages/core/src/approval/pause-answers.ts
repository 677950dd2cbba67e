import type { ApprovalAnswer, ApprovalRequest, Approver } from './approval.ts';

/** The denial of a call for which nobody was asked, or nobody has answered. */
export function unapproved(reason: string, why: string): ApprovalAnswer {
  const text = `Approval is required (${reason}), but ${why}.`;
  return { decision: 'deny', source: 'no_approver', reason: text };
}

/** Why a call is denied that nobody can approve. */
export const NO_APPROVER = "there is no approver: set the adapter's `approval` option";

/** An approval that a person gave through the framework's own pause. */
export interface PauseAnswer {
  /** The hash of the input that the person approved. */
  readonly hash: string;
  /** Whether the tool itself required approval, whatever hooks want. */
  readonly asks: boolean;
}

/** Approves calls that people have approved through the framework's own pause. */
export class PauseAnswers {
  /** For registries whose hooks the pause asks for. */
  readonly native: Approver = (request) => this.#answer(request, true);
  /** Where no registry says who approves: approves only what the tool itself requires. */
  readonly ofTool: Approver = (request) => this.#answer(request, false);
  readonly #given: (callId: string) => PauseAnswer | string | undefined | Promise<PauseAnswer | undefined>;
  readonly #remedy: string;

  /**
   * @param given the person's approval of a call, or why it does not count
   * @param remedy what to do about a call for which the framework could not pause
   */
  constructor(
    given: (callId: string) => PauseAnswer | string | undefined | Promise<PauseAnswer | undefined>,
    remedy: string,
  ) {
    this.#given = given;
    this.#remedy = remedy;
  }

  /** The approver of a registry with this option; undefined if it is not set. Nobody approves what hooks of one with `deny` require. */
  readonly approverOf = (
    approval: 'deny' | 'native' | Approver | undefined,
  ): 'deny' | Approver | undefined => (approval === 'native' ? this.native : approval);

  async #answer({ callId, hash, reason }: ApprovalRequest, native: boolean): Promise<ApprovalAnswer> {
    const given = await this.#given(callId);
    if (typeof given === 'string') return unapproved(reason, given);
    if (given === undefined || !(native || given.asks))
      return unapproved(reason, native ? `${NO_APPROVER} ${this.#remedy}` : NO_APPROVER);
    if (given.hash === hash) return { decision: 'allow' };
    return unapproved(
      reason,
      "a person has approved another input than the one that would run: set the adapter's `approval` option to an approver",
    );
  }
}
