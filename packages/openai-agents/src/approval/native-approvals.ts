import { PauseAnswers } from '@hooks/core/adapter';
import { hashInput } from '@hooks/core/tool-call';
import type { Invocation } from '../internals.ts';

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
export class NativeApprovals extends PauseAnswers {
  /** The calls in progress, by their ids. */
  readonly calls: Map<string, SdkCall> = new Map();

  constructor() {
    super(async (callId) => {
      const call = this.calls.get(callId);
      if (call?.decision() !== true) return undefined;
      return { hash: await hashInput(call.input), asks: call.asks };
    }, 'to an approver, or run the agent with a hooked runner');
  }
}
