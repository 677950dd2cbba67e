import type { ApprovalAnswer, ApprovalRequest, Approver } from '@hooks/core';
import { hashInput } from '@hooks/core/tool-call';
import type { Invocation } from '../internals.ts';
import type { Registry } from '../registries.ts';

/** A call of a run, as far as what people say about it goes. */
export interface SdkCall {
  /** The hooked tool, which is one agent's: ids come back. */
  readonly tool: object;
  /** What the model wrote, which the SDK's pause shows. */
  readonly input: unknown;
  /** First that of the question whether the call needs approval, then that of the call itself. */
  invocation: Invocation;
  /** Whether the tool itself asks, whatever hooks want. */
  asks: boolean;
  /** What people have said about it. */
  decision(): boolean | undefined;
}

/** Answers for the people who have approved calls of a run in the SDK's own way. */
export class People {
  /** The calls that were begun and are not over, by their ids. */
  readonly calls: Map<string, SdkCall> = new Map();
  /** Approves for registries whose approval is `native`. */
  readonly native: Approver = (request) => this.#answer(request, true);
  /** Approves for all other registries: only what the tool itself has asked for. */
  readonly ofTool: Approver = (request) => this.#answer(request, false);

  /** Who approves what the hooks of a registry require; undefined where the registry does not say. */
  approverOf({ options: { approval } }: Registry): Approver | undefined {
    if (approval === 'native') return this.native;
    return approval === 'deny' ? this.ofTool : approval;
  }

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
  return { decision: 'deny', source: 'context_canceled', reason };
}
