import type { ApprovalAnswer, ApprovalRequest, Approver, Begun, Hooks, Resumed, ToolCall } from '@hooks/core';
import { concerns } from '@hooks/core/adapter';
import { answerToolCall, beginToolCall, hashInput } from '@hooks/core/tool-call';
import type { CachedLLMStepChunk } from '@mastra/core/processors';
import type { RequireToolApproval, ToolApprovalContext } from '@mastra/core/tools';
import { askInPlace } from './ask.ts';
import type { Execution } from './execution.ts';
import { madeOf } from './internals.ts';
import { approvalReason, asksByItself, noteVerdict, ownVerdict } from './own-approval.ts';
import { type Run, toolCallOf } from './run.ts';
import type { ToolBelt } from './tool-belt.ts';

/** A call that the model proposed and, once Mastra has asked whether it needs approval, what came of it. */
interface Proposal {
  readonly callId: string | undefined;
  readonly toolName: string;
  /** The arguments as JSON: Mastra asks about a call without telling which it is. */
  readonly args: string;
  begun?: Begun | undefined;
  /** How it is to run, where the tool is hooked at its function. */
  execution?: Execution | undefined;
}

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

/** A call that waits for approval, as Mastra stores it with a paused run. */
export interface StoredCall {
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly args?: unknown;
}

/**
 * Approval by Mastra's own pause. Mastra asks before it runs a call whether it needs approval, so the hooks are asked
 * there; what they said is kept until the call runs, in this process also across the pause.
 */
export class Approvals {
  readonly #hooks: Hooks;
  readonly #run: Run;
  setup: ApprovalSetup;
  #proposals: Proposal[] = [];
  /** The person's answer with which the run was resumed, until the call that it is about runs or is over. */
  #answer: Answer | undefined;

  constructor(hooks: Hooks, run: Run, setup: ApprovalSetup) {
    this.#hooks = hooks;
    this.#run = run;
    this.setup = setup;
    verdicts.add(this.verdict);
  }

  /** Notes the calls of a model's answer. */
  propose(chunks: readonly CachedLLMStepChunk[]): void {
    for (const { type, payload } of chunks) {
      if (type !== 'tool-call') continue;
      const { toolCallId, toolName, args }: StoredCall = Object(payload);
      this.#proposals.push({ callId: toolCallId, toolName: String(toolName), args: JSON.stringify(args) });
    }
  }

  /**
   * Mastra's `requireToolApproval`: whether the run is to pause before this call. What hooks further out want is asked
   * first, and these hooks cannot grant it.
   */
  readonly verdict = async (context: ToolApprovalContext): Promise<boolean> => {
    const { theirs } = this.setup;
    const outer = isVerdict(theirs) && (await theirs(context));
    const verdict = (await this.#decide(context)) || outer;
    noteVerdict(context.args, verdict);
    return verdict;
  };

  /** What is waited for: of these calls Mastra may be asking about some only after the others. */
  get requests(): readonly ApprovalRequest[] {
    return this.#proposals.flatMap(({ begun }) => (begun?.kind === 'ask' ? [begun.request] : []));
  }

  /** The run is resumed with a person's answer. */
  async resume(callId: string | undefined, approved: boolean, reason: string | undefined): Promise<void> {
    const waiting = this.#proposals.find(
      ({ begun, callId: id }) => begun?.kind === 'ask' && (callId ?? id) === id,
    );
    if (approved || waiting === undefined) {
      const stored = this.#letThrough(callId) ?? (await this.setup.stored?.(callId));
      this.#answer = { callId: callId ?? stored?.toolCallId, approved, reason, stored };
    } else {
      // Mastra does not run it, so that it is over here.
      await answered(waiting, deny(reason));
      this.#forget(waiting);
    }
  }

  /** A hook has ended the run beside calls that wait for a person: nobody is asked any more. */
  async cancel(reason: string): Promise<void> {
    for (const proposal of this.#proposals) await answered(proposal, canceled(reason));
  }

  /** What was begun of a call that now runs. Mastra has let it run: for want of a verdict, or because a person said yes. */
  async take(
    callId: string | undefined,
    toolName: string,
    input: unknown,
  ): Promise<Pick<Proposal, 'begun' | 'execution' | 'args'> | undefined> {
    const args = JSON.stringify(input);
    // To what an agent as a tool is given Mastra adds the thread of its own.
    const extended = madeOf(toolName) === 'agent' && callId !== undefined;
    const proposal = this.#proposals.find(
      (one) =>
        one.toolName === toolName &&
        (one.args === args || (extended && one.callId === callId)) &&
        (one.callId ?? callId) === callId &&
        one.begun,
    );
    if (proposal === undefined) return undefined;
    this.#forget(proposal);
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
    const asked = stored?.toolName === toolName;
    // A sub-agent goes on, whatever a person said to the call inside of it: its own call was let through before that.
    const inside = !asked && madeOf(toolName) === 'agent';
    if (approved === undefined || (!approved && !inside)) return {};
    if (!inside && !this.#mayPause(toolName)) return {};
    const resumed: Resumed = { decision: 'allow', hash: await hashInput(input) };
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
    if (approved !== false || stored?.toolName === undefined || !concerns(this.#hooks, stored.toolName))
      return;
    const { toolCallId: callId, toolName, args } = stored;
    await this.#begin({ callId, toolName }, args, { resumed: deny(reason) });
  }

  async #decide({ toolName, args, ...context }: ToolApprovalContext): Promise<boolean> {
    const { native, tools } = this.setup;
    const theirs = this.#ofUser;
    const tool = tools.approvalOf(toolName);
    const seed =
      typeof theirs === 'function' ? await theirs({ toolName, args, ...context }) : theirs === true;
    const own = tool && (await ownVerdict(tool, args, context));
    const wants = own?.final ? own.wants : seed || own?.wants === true;
    if (!concerns(this.#hooks, toolName) || (!wants && !native)) return wants;
    const proposal = this.#next(toolName, JSON.stringify(args));
    if (proposal === undefined) return wants; // resumed in another process: this call is asked about when it runs
    const needsApproval = wants ? approvalReason(toolName) : undefined;
    if (proposal.begun === undefined)
      Object.assign(proposal, await this.#begin(proposal, args, { needsApproval }));
    if (this.#run.stop !== undefined) await answered(proposal, canceled(this.#run.stop));
    const { approver } = this.setup;
    if (proposal.begun?.kind === 'ask' && approver !== undefined)
      proposal.begun = await askInPlace(this.#hooks, proposal.begun, approver, this.#run.signal);
    return proposal.begun?.kind === 'ask';
  }

  /** The call of that id, where these hooks let it run and the answer is to others. */
  #letThrough(callId: string | undefined): StoredCall | undefined {
    if (callId === undefined) return undefined;
    const proposal = this.#proposals.find((one) => one.callId === callId);
    if (proposal === undefined || proposal.begun?.kind === 'ask') return undefined;
    const { toolName, args } = proposal;
    return { toolCallId: callId, toolName, args: JSON.parse(args) };
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

  /** The call that Mastra asks about: of equal ones the first not asked about yet. */
  #next(toolName: string, args: string): Proposal | undefined {
    const equal = this.#proposals.filter((one) => one.toolName === toolName && one.args === args);
    return equal.find(({ begun }) => begun === undefined) ?? equal[0];
  }

  #takeAnswer(callId: string | undefined): Answer | undefined {
    const answer = this.#answer;
    if (answer === undefined || (answer.callId ?? callId) !== callId) return undefined;
    this.#answer = undefined;
    return answer;
  }

  #forget(proposal: Proposal): void {
    this.#proposals = this.#proposals.filter((other) => other !== proposal);
  }
}

/** Those of runs, by which the hooks of one know what those of another want. */
const verdicts: WeakSet<object> = new WeakSet();

function isVerdict(theirs: RequireToolApproval | undefined): theirs is Approvals['verdict'] {
  return typeof theirs === 'function' && verdicts.has(theirs);
}

async function answered(proposal: Proposal, answer: ApprovalAnswer): Promise<void> {
  if (proposal.begun?.kind === 'ask') proposal.begun = await answerToolCall(proposal.begun.token, answer);
}

function canceled(reason: string): ApprovalAnswer {
  return { decision: 'canceled', source: 'context_canceled', reason };
}

function deny(reason: string | undefined): { readonly decision: 'deny'; readonly reason?: string } {
  return { decision: 'deny', ...(reason !== undefined && { reason }) };
}
