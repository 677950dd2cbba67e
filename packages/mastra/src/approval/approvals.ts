import type { Approver, Hooks, Resumed, ToolCall } from '@hooks/core';
import { concerns, refusalText } from '@hooks/core/adapter';
import { answerToolCall, beginToolCall, hashInput } from '@hooks/core/tool-call';
import type { CachedLLMStepChunk } from '@mastra/core/processors';
import type { RequireToolApproval, ToolApprovalContext } from '@mastra/core/tools';
import { argumentsOf, madeOf } from '../internals.ts';
import { noteStop, type Run, toolCallOf } from '../run/run.ts';
import type { ToolBelt } from '../tool/belt.ts';
import { approvalReason, asksByItself, noteVerdict, ownVerdict } from './own-approval.ts';
import { answered, canceled, type Proposal, Proposals, runsAsWritten, type StoredCall } from './proposals.ts';

/** A person's answer. */
interface Answer {
  readonly callId: string | undefined;
  readonly approved: boolean;
  readonly reason: string | undefined;
  /** The call, where another process has asked about it. */
  readonly stored: StoredCall | undefined;
}

/** How approval of one run is set up. */
export interface ApprovalSetup {
  /** Whether hooks may pause the run, too. */
  readonly native: boolean;
  /** Who is asked in place, so that the run does not pause. */
  readonly approver?: Approver | undefined;
  readonly tools: ToolBelt;
  /** What the user has set for the run. */
  readonly theirs: RequireToolApproval | undefined;
  /** Where another process has paused the run: the call that Mastra has stored. */
  readonly stored?: (callId: string | undefined) => Promise<StoredCall | undefined>;
}

/**
 * Approval by Mastra's own pause. Mastra asks before it runs a call whether it needs approval, so the hooks are asked
 * there; what they said is kept until the call runs, in this process also across the pause.
 */
export class Approvals {
  readonly #hooks: Hooks;
  readonly #run: Run;
  setup: ApprovalSetup;
  /** The calls of the model's answers. */
  readonly proposals: Proposals = new Proposals();
  /** The person's answer with which the run was resumed, until the call that it is about runs or is over. */
  #answer: Answer | undefined;

  constructor(hooks: Hooks, run: Run, setup: ApprovalSetup) {
    this.#hooks = hooks;
    this.#run = run;
    this.setup = setup;
    verdicts.add(this.verdict);
  }

  /**
   * Mastra's `requireToolApproval`: whether the run is to pause before this call. What hooks further out want is asked
   * first, and these hooks cannot grant it.
   */
  readonly verdict = async (context: ToolApprovalContext): Promise<boolean> => {
    const { theirs, tools } = this.setup;
    const outer = isVerdict(theirs) && (await theirs(context));
    const toolName = tools.nameOf(context.toolName);
    const pauses = (await this.#decide(toolName, context)) || outer;
    noteVerdict(context.args, { pauses, tool: tools.approvalOf(toolName) });
    return pauses;
  };

  /** The model has answered. */
  propose(chunks: readonly CachedLLMStepChunk[]): void {
    this.proposals.add(chunks, (called) => this.setup.tools.nameOf(called));
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
    const waiting = this.proposals.waiting(callId);
    if (approved || waiting === undefined) {
      const stored = this.proposals.ofId(callId) ?? (await this.setup.stored?.(callId));
      this.#answer = { callId: callId ?? stored?.toolCallId, approved, reason, stored };
      return reason;
    }
    // Mastra does not run it, so that it is over here.
    const ended = await answered(waiting, deny(reason));
    this.proposals.forget(waiting);
    if (ended?.kind !== 'done') return reason;
    noteStop(this.#run, ended.outcome);
    return refusalText(ended.outcome, reason);
  }

  /** What was begun of a call that now runs. Mastra has let it run: for want of a verdict, or because a person said yes. */
  async take(
    callId: string | undefined,
    toolName: string,
    input: unknown,
  ): Promise<Pick<Proposal, 'begun' | 'execution' | 'args'> | undefined> {
    const proposal = this.proposals.running(callId, toolName, input);
    if (proposal === undefined) return undefined;
    this.proposals.forget(proposal);
    if (proposal.begun?.kind === 'ask') {
      const yes = this.#takeAnswer(callId)?.approved;
      await answered(
        proposal,
        yes
          ? { decision: 'allow', source: 'user_approved' }
          : { decision: 'deny', reason: 'Approval is required, but Mastra ran the call without asking.' },
      );
    }
    return proposal;
  }

  /** What is known of the approval of a call that now runs, where another process has sought it. */
  async resumed(
    callId: string | undefined,
    toolName: string,
    input: unknown,
  ): Promise<Pick<ToolCall, 'resumed' | 'needsApproval'>> {
    const { approved, stored } = this.#takeAnswer(callId) ?? {};
    const asked = stored?.toolName !== undefined && this.setup.tools.nameOf(stored.toolName) === toolName;
    // A sub-agent goes on, whatever a person said to the call inside of it: its own call was let through before that.
    const inside = !asked && madeOf(toolName) === 'agent';
    if (approved === undefined || (!approved && !inside)) return {};
    if (!inside && !this.#mayPause(toolName)) return {};
    // Native hooks of the user's may have changed since what the person has seen.
    const seen = asked && !runsAsWritten(toolName, input, stored.args) ? stored.args : input;
    const resumed: Resumed = { decision: 'allow', hash: await hashInput(seen) };
    return { resumed, ...(asked && { needsApproval: approvalReason(toolName) }) };
  }

  /** A call runs whose approval is of no interest: an answer to it is none to another. */
  ran(callId: string | undefined): void {
    this.#takeAnswer(callId);
  }

  /**
   * The calls of the model's answer are over. Tells hooks of a person's no to a call that another process has asked about:
   * it did not run. If something did run under its id, the no was to a call inside of it, and that is told in a
   * sub-agent's own run.
   */
  async settle(): Promise<void> {
    const { approved, reason, stored } = this.#answer ?? {};
    this.#answer = undefined;
    if (approved !== false || stored?.toolName === undefined) return;
    const { toolCallId: callId, args } = stored;
    const toolName = this.setup.tools.nameOf(stored.toolName);
    if (!concerns(this.#hooks, toolName)) return;
    await this.#begin({ callId, toolName }, args, { resumed: deny(reason) });
  }

  async #decide(toolName: string, called: ToolApprovalContext): Promise<boolean> {
    const { toolName: _asCalled, args, ...context } = called;
    const { native, tools } = this.setup;
    const theirs = this.#ofUser;
    const tool = tools.approvalOf(toolName);
    const seed = typeof theirs === 'function' ? await theirs(called) : theirs === true;
    const own = tool && (await ownVerdict(tool, args, context));
    const wants = own?.final ? own.wants : seed || own?.wants === true;
    if (!concerns(this.#hooks, toolName) || (!wants && !native)) return wants;
    const input = argumentsOf(args);
    const proposal = this.proposals.askedAbout(toolName, JSON.stringify(input));
    if (proposal === undefined) return wants; // resumed in another process: this call is asked about when it runs
    const needsApproval = wants ? approvalReason(toolName) : undefined;
    if (proposal.begun === undefined) {
      // A copy: Mastra may add to the arguments in place when the call runs.
      proposal.beginning ??= this.#begin(proposal, JSON.parse(proposal.args), { needsApproval });
      Object.assign(proposal, await proposal.beginning);
    }
    // Also where a call ahead waits already, so that Mastra does not come to run this one.
    if (proposal.begun?.kind === 'done') noteStop(this.#run, proposal.begun.outcome);
    if (this.#run.stop !== undefined) await answered(proposal, canceled(this.#run.stop));
    const { approver } = this.setup;
    if (proposal.begun?.kind === 'ask' && approver !== undefined)
      proposal.begun = await answerToolCall(proposal.begun.token, { approval: approver });
    return proposal.begun?.kind === 'ask';
  }

  /** What the user has set for the run, rather than hooks further out. */
  get #ofUser(): RequireToolApproval | undefined {
    const { theirs } = this.setup;
    return isVerdict(theirs) ? undefined : theirs;
  }

  /** Whether these hooks may be what has paused the run before a call: an answer to others is none to them. */
  #mayPause(toolName: string): boolean {
    const { native, tools } = this.setup;
    return native || Boolean(this.#ofUser) || asksByItself(tools.approvalOf(toolName) ?? {});
  }

  async #begin(
    { callId, toolName }: Pick<Proposal, 'callId' | 'toolName'>,
    input: unknown,
    approval: Pick<ToolCall, 'needsApproval' | 'resumed'>,
  ): Promise<Required<Pick<Proposal, 'begun'>>> {
    const calls = this.setup.tools.get(toolName);
    const ask = this.setup.approver === undefined ? 'unchanged' : true;
    if (calls !== undefined) return calls.begin(this.#run, toolName, callId, input, approval, ask);
    const call = toolCallOf(this.#run, toolName, callId, input);
    return {
      begun: await beginToolCall(this.#hooks, { ...call, ...approval }, { can: { ask } }),
    };
  }

  #takeAnswer(callId: string | undefined): Answer | undefined {
    const answer = this.#answer;
    if (answer === undefined || (answer.callId ?? callId) !== callId) return undefined;
    this.#answer = undefined;
    return answer;
  }
}

/** Those of runs, by which the hooks of one know what those of another want. */
const verdicts: WeakSet<object> = new WeakSet();

function isVerdict(theirs: RequireToolApproval | undefined): theirs is Approvals['verdict'] {
  return typeof theirs === 'function' && verdicts.has(theirs);
}

function deny(reason: string | undefined): { readonly decision: 'deny'; readonly reason?: string } {
  return { decision: 'deny', ...(reason !== undefined && { reason }) };
}
