import type { Approver, AskApproval, Begun, Resumed, ToolCall } from '@hooks/core';
import { refusalText } from '@hooks/core/adapter';
import { answerToolCall, beginToolCall, hashInput } from '@hooks/core/tool-call';
import type { CachedLLMStepChunk } from '@mastra/core/processors';
import type { RequireToolApproval, ToolApprovalContext } from '@mastra/core/tools';
import type { StoredCall } from '../agent.ts';
import { argumentsOf, madeOf } from '../internals.ts';
import { attachedTo, type BegunCall, type CallApprovals, isHooked, noteStop, type Registry } from '../run/run.ts';
import { type AgentCalls, descriptorOf } from '../tool/assembly.ts';
import { describeCall } from '../tool/call.ts';
import { approvalReason, asksByItself, noteVerdict, ownVerdict } from './own-approval.ts';
import { answered, canceled, type ProposedCall, ProposedCalls, runsAsWritten } from './proposed-calls.ts';

/** A person's answer. */
interface Answer {
  readonly callId: string | undefined;
  readonly approved: boolean;
  readonly reason: string | undefined;
  /** The call, where another process has sought approval of it. */
  readonly stored: StoredCall | undefined;
}

/** How approval of one run is set up. */
export interface ApprovalSetup {
  /** What the user has set for the run. */
  readonly theirs: RequireToolApproval | undefined;
  /** Where another process has paused the run: the call that Mastra has stored. */
  readonly stored?: ((callId: string | undefined) => Promise<StoredCall | undefined>) | undefined;
}

/**
 * Approval by Mastra's own pause. Mastra asks before it runs a call whether it needs approval, so the hooks are asked
 * there; what they said is kept until the call runs, in this process also across the pause.
 */
export class Approvals implements CallApprovals {
  readonly #run: AgentCalls;
  setup: ApprovalSetup;
  /** The calls of the model's answers. */
  readonly proposed: ProposedCalls = new ProposedCalls();
  /** The person's answer with which the run was resumed, until the call that it is about runs or is over. */
  #answer: Answer | undefined;
  /** The call that a person has approved. */
  #approved: string | undefined;

  constructor(run: AgentCalls, setup: ApprovalSetup) {
    this.#run = run;
    this.setup = setup;
  }

  /** Mastra's `requireToolApproval`: whether the run is to pause before this call. */
  readonly verdict = async (context: ToolApprovalContext): Promise<boolean> => {
    const { tools } = this.#run;
    const toolName = tools.nameOf(context.toolName);
    const pauses = await this.#decide(toolName, context);
    noteVerdict(context.args, { pauses, tool: tools.approvalOf(toolName) });
    return pauses;
  };

  /** The model has answered. */
  propose(chunks: readonly CachedLLMStepChunk[]): void {
    this.proposed.add(chunks, (called) => this.#run.tools.nameOf(called));
  }

  /**
   * The run is resumed with a person's answer. Gives what the model is to read of a no; undefined where nobody has worded
   * it, so that Mastra does.
   */
  async resume(
    callId: string | undefined,
    approved: boolean,
    reason: string | undefined,
  ): Promise<string | undefined> {
    this.#answer = undefined;
    const waiting = this.proposed.waiting(callId);
    if (approved || waiting === undefined) {
      const stored = this.written(callId) ?? (await this.setup.stored?.(callId));
      this.#answer = { callId: callId ?? stored?.toolCallId, approved, reason, stored };
      return reason;
    }
    // Mastra does not run it, so that it is over here.
    const ended = await answered(waiting, deny(reason));
    this.proposed.forget(waiting);
    if (ended?.kind !== 'done') return reason;
    noteStop(this.#run, ended.outcome);
    return refusalText(ended.outcome, reason);
  }

  /** Mastra has let the call run: for want of a verdict, or because a person said yes. */
  async take(
    callId: string | undefined,
    toolName: string,
    input: unknown,
  ): Promise<BegunCall | undefined> {
    const call = this.proposed.running(callId, toolName, input);
    if (call === undefined) return undefined;
    this.proposed.forget(call);
    if (call.begun?.kind !== 'ask') return call;
    if (this.#takeAnswer(callId)?.approved === true) {
      this.#approved = call.begun.request.callId;
      call.begun = await this.#askApprovers(call.begun, this.#pause);
    }
    const reason = 'Approval is required, but Mastra ran the call without asking.';
    await answered(call, deny(reason));
    return call;
  }

  async resumed(
    callId: string | undefined,
    toolName: string,
    input: unknown,
  ): Promise<Pick<ToolCall, 'resumed' | 'needsApproval'>> {
    const { approved, stored } = this.#takeAnswer(callId) ?? {};
    const asked = stored?.toolName !== undefined && this.#run.tools.nameOf(stored.toolName) === toolName;
    // A sub-agent goes on, whatever a person said to the call inside of it: its own call was let through before that.
    const inside = !asked && madeOf(toolName) === 'agent';
    if (approved === undefined || (!approved && !inside)) return {};
    if (!inside && !this.#mayPause(toolName)) return {};
    // Native hooks of the user's may have changed since what the person has seen.
    const seen = asked && !runsAsWritten(toolName, input, stored.args) ? stored.args : input;
    const resumed: Resumed = { decision: 'allow', hash: await hashInput(seen) };
    return { resumed, ...(asked && { needsApproval: approvalReason(toolName) }) };
  }

  ran(callId: string | undefined): void {
    this.#takeAnswer(callId);
  }

  written(callId: string | undefined): StoredCall | undefined {
    return callId === undefined ? undefined : this.proposed.written(callId);
  }

  /**
   * The calls of the model's answer are over. Tells hooks of a person's no to a call of which another process has sought
   * approval: it did not run. If something did run under its id, the no was to a call inside of it, and that is told in a
   * sub-agent's own run.
   */
  async settle(): Promise<void> {
    const { approved, reason, stored } = this.#answer ?? {};
    this.#answer = undefined;
    if (approved !== false || stored?.toolName === undefined) return;
    const toolName = this.#run.tools.nameOf(stored.toolName);
    if (!isHooked(this.#registriesOf(toolName), toolName)) return;
    await this.#begin({ callId: stored.toolCallId, toolName }, stored.args, { resumed: deny(reason) });
  }

  async #decide(toolName: string, called: ToolApprovalContext): Promise<boolean> {
    const { toolName: _asCalled, args, ...context } = called;
    const { theirs } = this.setup;
    const tool = this.#run.tools.approvalOf(toolName);
    const seed = typeof theirs === 'function' ? await theirs(called) : theirs === true;
    const own = tool && (await ownVerdict(tool, args, context));
    const wants = own?.final ? own.wants : seed || own?.wants === true;
    const registries = this.#registriesOf(toolName);
    if (!isHooked(registries, toolName) || (!wants && !wantsPause(registries))) return wants;
    const input = argumentsOf(args);
    const call = this.proposed.askedAbout(toolName, JSON.stringify(input));
    if (call === undefined) return wants; // resumed in another process: hooks are asked when it runs
    if (call.begun === undefined) {
      // A copy: Mastra may add to the arguments in place when the call runs.
      const needsApproval = wants ? approvalReason(toolName) : undefined;
      call.beginning ??= this.#begin(call, JSON.parse(call.args), { needsApproval });
      Object.assign(call, await call.beginning);
    }
    // Also where a call ahead waits already, so that Mastra does not come to run this one.
    if (call.begun?.kind === 'done') noteStop(this.#run, call.begun.outcome);
    if (this.#run.stop !== undefined) await answered(call, canceled(this.#run.stop));
    if (call.begun?.kind === 'ask')
      call.begun = await this.#askApprovers(call.begun, wants ? this.#pause : undefined);
    return call.begun?.kind === 'ask';
  }

  #registriesOf(toolName: string): readonly Registry[] {
    return this.#run.tools.get(toolName)?.setup.registries ?? this.#run.registries;
  }

  /** Asks whoever may approve a call; it waits where that is the person for whom Mastra pauses. */
  async #askApprovers(begun: AskApproval, approval: Approver | undefined): Promise<Begun> {
    try {
      return await answerToolCall(begun.token, { approval, isControlFlow: (error) => error === PAUSE });
    } catch (error) {
      if (error === PAUSE) return begun;
      throw error;
    }
  }

  /** The person for whom Mastra pauses the run. */
  readonly #pause: Approver = ({ callId }) => {
    if (this.#approved !== callId) throw PAUSE;
    return { decision: 'allow', source: 'user_approved' };
  };

  /** Whether the run may have paused before a call because of approval, rather than for something of the tool's own. */
  #mayPause(toolName: string): boolean {
    return (
      wantsPause(this.#registriesOf(toolName)) ||
      Boolean(this.setup.theirs) ||
      asksByItself(this.#run.tools.approvalOf(toolName) ?? {})
    );
  }

  async #begin(
    { callId, toolName }: Pick<ProposedCall, 'callId' | 'toolName'>,
    sent: unknown,
    approval: Pick<ToolCall, 'needsApproval' | 'resumed'>,
  ): Promise<Pick<BegunCall, 'begun' | 'execution'>> {
    const registries = this.#registriesOf(toolName);
    const attached = attachedTo(registries, this.#pause);
    const approvers = registries.filter(({ settings }) => typeof settings.approval === 'function');
    // Mastra's pause keeps and shows the call as the model has written it.
    const ask = approvers.length === 0 || wantsPause(registries) ? 'unchanged' : true;
    const call = { run: this.#run, toolName, callId, sent };
    const hooked = this.#run.tools.get(toolName);
    if (hooked !== undefined) return hooked.begin(call, approval, attached, ask);
    const described = describeCall({ ...call, context: undefined, descriptor: descriptorOf(toolName) });
    return { begun: await beginToolCall(attached, { ...described, ...approval }, { can: { ask } }) };
  }

  #takeAnswer(callId: string | undefined): Answer | undefined {
    const answer = this.#answer;
    if (answer === undefined || (answer.callId ?? callId) !== callId) return undefined;
    this.#answer = undefined;
    return answer;
  }
}

/** Thrown where a call waits for a person. */
const PAUSE = new Error('The run pauses for a person.');

/** Whether hooks of a registry may pause the run. */
export function wantsPause(registries: readonly Registry[]): boolean {
  return registries.some(({ settings }) => settings.approval === 'native');
}

function deny(reason: string | undefined): { readonly decision: 'deny'; readonly reason?: string } {
  return { decision: 'deny', ...(reason !== undefined && { reason }) };
}
