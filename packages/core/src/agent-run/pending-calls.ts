import type { ApprovalRequest } from '../approval/approval.ts';
import { isSameInput } from '../plain.ts';
import { answerToolCall } from '../tool-call/split.ts';
import type { Begun, ToolCall } from '../tool-call/types.ts';

/** A pending approval. `input` is the effective input: what runs once approved. */
export type PendingApproval = Pick<ApprovalRequest, 'callId' | 'toolName' | 'input' | 'reason' | 'hash'>;

/** The identity of a call. */
export type CallIdentity = Pick<ToolCall, 'toolName' | 'input'> & { readonly callId: string };

interface PendingCall {
  readonly call: CallIdentity;
  begun: Begun | undefined;
  readonly beginning: Promise<Begun>;
}

/** The calls of a run that have begun but neither run nor been refused, by id. */
export class PendingCalls {
  readonly #calls: Map<string, PendingCall> = new Map();

  /** Begins a call once, however often the framework calls back. */
  begin(call: CallIdentity, begin: () => Promise<Begun>): Promise<Begun> {
    const known = this.#find(call);
    if (known !== undefined) return known.beginning;
    const pending: PendingCall = { call, begun: undefined, beginning: begin() };
    this.#calls.set(call.callId, pending);
    void pending.beginning.then(
      (begun) => {
        pending.begun = begun;
      },
      () => this.#calls.delete(call.callId),
    );
    return pending.beginning;
  }

  /** The result of beginning this very call. Ids alone may repeat. */
  get(call: CallIdentity): Begun | undefined {
    return this.#find(call)?.begun;
  }

  /** The same, and forgets it, because the call continues. */
  take(call: CallIdentity): Begun | undefined {
    const begun = this.get(call);
    if (begun !== undefined) this.#calls.delete(call.callId);
    return begun;
  }

  /** The pending approvals, in the order in which their calls began. */
  get waiting(): readonly PendingApproval[] {
    return [...this.#calls.values()].flatMap(({ begun }) =>
      begun?.kind === 'ask' ? [pendingOf(begun.request)] : [],
    );
  }

  /** Answers a pending approval, or asks the approvers. Undefined if there is none with that id. */
  async answer(callId: string, answer: Parameters<typeof answerToolCall>[1]): Promise<Begun | undefined> {
    const pending = this.#calls.get(callId);
    if (pending?.begun?.kind !== 'ask') return undefined;
    pending.begun = await answerToolCall(pending.begun.token, answer);
    return pending.begun;
  }

  /** Cancels the pending approvals because a hook ended the run. Returns their outcomes. */
  async cancel(reason: string): Promise<readonly Begun[]> {
    const answer = { decision: 'canceled', source: 'context_canceled', reason } as const;
    const ended: Begun[] = [];
    for (const { callId } of this.waiting) {
      const begun = await this.answer(callId, answer);
      if (begun !== undefined) ended.push(begun);
    }
    return ended;
  }

  /** Forgets a call, or all calls. */
  forget(callId?: string): void {
    if (callId === undefined) this.#calls.clear();
    else this.#calls.delete(callId);
  }

  #find({ callId, toolName, input }: CallIdentity): PendingCall | undefined {
    const pending = this.#calls.get(callId);
    if (pending?.call.toolName !== toolName) return undefined;
    return isSameInput(input, pending.call.input) ? pending : undefined;
  }
}

function pendingOf({ callId, toolName, input, reason, hash }: ApprovalRequest): PendingApproval {
  return { callId, toolName, input, reason, hash };
}
