import type { ApprovalAnswer, ApprovalRequest } from '../approval/approval.ts';
import { shownHash } from '../approval/hash.ts';
import { defined } from '../defined.ts';
import { isSameInput, readPlain } from '../plain.ts';
import { abandonCall, answerToolCall, unlessElsewhere } from '../tool-call/split.ts';
import type { Begun, RunCall, ToolCall } from '../tool-call/types.ts';

/**
 * A pending approval. `input` is the effective input: what runs once approved. A process that did not ask may not know the
 * `principal`.
 */
export interface PendingApproval
  extends Pick<
    ApprovalRequest,
    'callId' | 'toolName' | 'renamedTo' | 'nativeToolName' | 'input' | 'reason' | 'hash' | 'principal'
  > {
  /** Why the last answer did not count, where the call waits again because of it. */
  readonly problem?: string;
}

/** What identifies a call, as the model sent it. Ids alone do not: models choose them, and may choose one twice. */
export type CallIdentity = Pick<ToolCall, 'toolName' | 'input'> & { readonly callId: string };

/**
 * A call by its identity, or by the pending approval that was shown for it. Its id alone will do where no other pending call
 * has the same.
 */
export type CallReference = CallIdentity | PendingApproval | string;

/** Whether two calls are the same: id, tool and input, in JSON that does not depend on the order of keys. */
export function isSameCall(one: CallIdentity, other: CallIdentity): boolean {
  return hasSameName(one, other) && isSameInput(one.input, other.input);
}

function hasSameName(one: CallIdentity, other: CallIdentity): boolean {
  return one.callId === other.callId && one.toolName === other.toolName;
}

interface PendingCall {
  readonly call: CallIdentity;
  begun: Begun | undefined;
  readonly beginning: Promise<Begun>;
  /** How many answers to it are being taken. One of them counts. */
  answering: number;
}

/**
 * The calls of a run that have begun but neither run nor been refused, in the order in which they began. Calls with one id
 * are kept apart by tool and input. Of calls that are the same in all of that, each one that runs needs a decision of its
 * own: the first takes what was decided, and the next begins anew.
 */
export class PendingCalls {
  readonly #calls: Set<PendingCall> = new Set();

  /** Begins a call once, however often the framework calls back. */
  begin(call: CallIdentity, begin: () => Promise<Begun>): Promise<Begun> {
    const known = this.#find(call);
    if (known !== undefined) return known.beginning;
    const pending: PendingCall = { call, begun: undefined, beginning: begin(), answering: 0 };
    this.#calls.add(pending);
    void pending.beginning.then(
      (begun) => {
        pending.begun = begun;
      },
      () => this.#calls.delete(pending),
    );
    return pending.beginning;
  }

  /** The result of beginning this very call. */
  get(call: CallIdentity): Begun | undefined {
    return this.#find(call)?.begun;
  }

  /**
   * The same, and forgets it, because the call continues. If the framework runs another input under its id, that is a new
   * call, and the one that might have run is over.
   */
  take(call: CallIdentity): Begun | undefined {
    const pending = this.#find(call);
    if (pending?.begun !== undefined) this.#calls.delete(pending);
    else
      for (const other of this.#calls)
        if (other.begun?.kind === 'run' && hasSameName(other.call, call)) this.#calls.delete(other);
    return pending?.begun;
  }

  /** The approvals that the framework's pause is to ask a person for, in the order in which their calls began. */
  get waiting(): readonly PendingApproval[] {
    return [...this.#calls].flatMap(({ begun }) =>
      begun?.kind === 'ask' && begun.native ? [pendingApproval(begun.request)] : [],
    );
  }

  /** The pending approval of this very call. */
  waitingFor(call: CallIdentity): PendingApproval | undefined {
    const begun = this.get(call);
    return begun?.kind === 'ask' ? pendingApproval(begun.request) : undefined;
  }

  /**
   * Answers a pending approval, or asks the approvers. Undefined if none is meant: for an id alone also if several calls
   * with that id are pending, because an answer is for one of them.
   */
  async answer(
    call: CallReference,
    answer: Parameters<typeof answerToolCall>[1],
  ): Promise<Begun | undefined> {
    const [pending, ...others] = this.#all(call).filter(({ begun }) => begun?.kind === 'ask');
    if (pending === undefined || (typeof call === 'string' && others.length > 0)) return undefined;
    return this.#answer(pending, answer);
  }

  /** Cancels the pending approvals because a hook ended the run. Returns their outcomes. */
  async cancel(reason: string): Promise<readonly Begun[]> {
    const answer = canceled(reason);
    const ended: Begun[] = [];
    for (const pending of this.#calls) {
      const begun = await this.#answer(pending, answer);
      if (begun !== undefined) ended.push(begun);
    }
    return ended;
  }

  /** Ends all calls because the run is over: those that wait for approval, and those that may run and never will. */
  async end(reason: string): Promise<void> {
    for (const pending of [...this.#calls]) {
      // Hooks may still be deciding about it.
      await pending.beginning.catch(() => {});
      await this.#answer(pending, canceled(reason));
      await this.#abandon(pending, reason);
    }
  }

  /** Ends a call that may run and never will. */
  async abandon(call: CallReference, reason: string): Promise<void> {
    for (const pending of this.#all(call)) await this.#abandon(pending, reason);
  }

  /** Forgets a call, all calls with an id, or all calls. */
  forget(call?: CallReference): void {
    if (call === undefined) this.#calls.clear();
    else for (const pending of this.#all(call)) this.#calls.delete(pending);
  }

  /**
   * Forgets the calls that wait for nobody: those of the model's answer before, which are over, though none has said so.
   * Ends those that the framework could have run, and has not.
   */
  forgetDecided(): undefined | Promise<unknown> {
    const never: RunCall[] = [];
    for (const pending of this.#calls) {
      const { begun } = pending;
      if (begun === undefined || begun.kind === 'ask') continue;
      this.#calls.delete(pending);
      if (begun.kind === 'run') never.push(begun);
    }
    if (never.length === 0) return undefined;
    const reason = 'The call did not run, because the model was asked again.';
    return Promise.all(never.map((begun) => abandonCall(begun, reason)));
  }

  async #abandon(pending: PendingCall, reason: string): Promise<void> {
    if (pending.begun?.kind !== 'run') return;
    this.#calls.delete(pending);
    await abandonCall(pending.begun, reason);
  }

  async #answer(
    pending: PendingCall,
    answer: Parameters<typeof answerToolCall>[1],
  ): Promise<Begun | undefined> {
    const { begun } = pending;
    if (begun?.kind !== 'ask') return undefined;
    pending.answering++;
    const answering = async () => {
      pending.begun = await answerToolCall(begun.token, answer);
      return pending.begun;
    };
    try {
      const next = await unlessElsewhere(begun, answering);
      // Unless another answer to it here counts, the call is over here.
      if (pending.begun === begun && pending.answering === 1) pending.begun = next;
      return next;
    } finally {
      pending.answering--;
    }
  }

  #find(call: CallIdentity): PendingCall | undefined {
    for (const pending of this.#calls)
      if (isSameCall(pending.call, call) || isRefusedAlike(pending, call)) return pending;
    return undefined;
  }

  #all(call: CallReference): readonly PendingCall[] {
    return [...this.#calls].filter((pending) => {
      if (typeof call === 'string') return pending.call.callId === call;
      const { begun } = pending;
      return 'hash' in call
        ? begun?.kind === 'ask' && begun.request.callId === call.callId && begun.request.hash === call.hash
        : isSameCall(pending.call, call);
    });
  }
}

/** The answer to an approval that nobody gives any more. */
export function canceled(reason: string): ApprovalAnswer {
  return { decision: 'canceled', source: 'context_canceled', reason };
}

/** Why a call waits whose tool itself requires approval. */
export function approvalReason(toolName: string): string {
  return `The tool "${toolName}" requires approval.`;
}

/** A pending approval of which this process knows no more than the call. */
export async function unknownPending({ callId, toolName, input }: CallIdentity): Promise<PendingApproval> {
  return { callId, toolName, input, reason: approvalReason(toolName), hash: await shownHash(input) };
}

/** What a person is shown of a request, as JSON that another process can read. */
export function pendingApproval(
  request: ApprovalRequest & Pick<PendingApproval, 'problem'>,
): PendingApproval {
  const { callId, toolName, renamedTo, nativeToolName, input, reason, hash, principal, problem } = request;
  return {
    callId,
    toolName,
    input,
    reason,
    hash,
    ...defined({ renamedTo, nativeToolName, principal, problem }),
  };
}

/** Inputs that JSON cannot show are like no other, but none of them runs: the refusal of one will do for its call. */
function isRefusedAlike({ call, begun }: PendingCall, other: CallIdentity): boolean {
  return (
    begun?.kind === 'done' &&
    hasSameName(call, other) &&
    [call, other].every(({ input }) => 'problem' in readPlain(input))
  );
}
