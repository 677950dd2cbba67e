import type { ApprovalAnswer, ApprovalRequest, Approver } from '@hooks/core';
import { hashInput } from '@hooks/core/tool-call';
import type { Invocation } from '../internals.ts';
import type { HookedOptions } from '../options.ts';

/** A pending call of a run, and the decision that the SDK keeps for it. */
export interface SdkCall {
  /** The hooked tool. Two agents may use the same call id. */
  readonly tool: object;
  /** The model's input, which the SDK shows while the call is paused. */
  readonly input: unknown;
  /** The SDK's invocation: first of `needsApproval`, then of the call itself. */
  invocation: Invocation;
  /** Whether the tool itself requires approval, with or without hooks. */
  asks: boolean;
  /** The person's decision; undefined while there is none. */
  decision(): boolean | undefined;
}

/** Answers approval requests with the decisions that people gave through the SDK's own pause. */
export class NativeApprovals {
  /** The calls in progress, by their ids. */
  readonly calls: Map<string, SdkCall> = new Map();
  /** Approves for registries whose approval is `native`. */
  readonly native: Approver = (request) => this.#answer(request, true);
  /** Approves for all other registries: only what the tool itself has asked for. */
  readonly ofTool: Approver = (request) => this.#answer(request, false);

  /** The approver for what hooks of a registry with this option require; undefined if the option is not set. */
  readonly approverOf = (approval: HookedOptions['approval']): Approver | undefined => {
    if (approval === 'native') return this.native;
    return approval === 'deny' ? this.ofTool : approval;
  };

  async #answer({ callId, hash, reason }: ApprovalRequest, native: boolean): Promise<ApprovalAnswer> {
    const call = this.calls.get(callId);
    if (call?.decision() !== true || !(native || call.asks))
      return refusal(
        `Approval is required (${reason}), but there is no approver: set the adapter's \`approval\` option${native ? ' to an approver, or run the agent with a hooked runner' : ''}.`,
      );
    if (hash === (await hashInput(call.input))) return { decision: 'allow' };
    return refusal(
      `Approval is required (${reason}), and a person has approved another input than the one that would run: set the adapter's \`approval\` option to an approver.`,
    );
  }
}

function refusal(reason: string): ApprovalAnswer {
  return { decision: 'deny', source: 'no_approver', reason };
}
