import type { ToolCall } from '@hooks/core';
import { approvalReason, refusalText } from '@hooks/core/adapter';
import { type Begun, hashInput } from '@hooks/core/tool-call';
import type { CachedLLMStepChunk } from '@mastra/core/processors';
import type { RequireToolApproval, ToolApprovalContext } from '@mastra/core/tools';
import type { StoredCall } from '../agent.ts';
import { argumentsOf, madeOf } from '../internals.ts';
import type { Registries } from '../registries.ts';
import type { CallApprovals } from '../run/run.ts';
import { type AgentCalls, descriptorOf } from '../tool/assembly.ts';
import { describeCall, keysCheck } from '../tool/call.ts';
import { asksByItself, noteVerdict, ownVerdict } from './own-approval.ts';
import { type ProposedCall, ProposedCalls, runsAsWritten } from './proposed-calls.ts';

/** A person's answer. */
interface Answer {
  readonly callId: string | undefined;
  readonly approved: boolean;
  readonly reason: string | undefined;
  /** The call, if another process requested approval. */
  readonly stored: StoredCall | undefined;
}

/** How approval is set up for a run, again at each resume. */
export interface ApprovalSetup {
  /** The user's setting for the run. */
  readonly theirs: RequireToolApproval | undefined;
  /** If another process paused the run: the call that Mastra stored. */
  readonly stored?: ((callId: string | undefined) => Promise<StoredCall | undefined>) | undefined;
}

/**
 * Approval by Mastra's own pause. Mastra asks before a call whether it needs approval, so hooks run there. Their
 * decision is kept until the call runs, in this process also across the pause.
 */
export class Approvals implements CallApprovals {
  readonly #run: AgentCalls;
  /**
   * Undefined if nothing may require approval. Then Mastra is not asked to pause, because that would keep it from
   * starting tools early.
   */
  setup: ApprovalSetup | undefined;
  readonly #proposed: ProposedCalls = new ProposedCalls();
  /** The person's answer with which the run resumed, until its call runs or is over. */
  #answer: Answer | undefined;
  /** The call that a person approved, with the input that was shown. */
  #approved: { readonly callId: string; readonly hash: string } | undefined;
  /** The calls for which the run or the tool itself requires approval, as tool and input. */
  readonly #wanted: Set<string> = new Set();

  constructor(run: AgentCalls) {
    this.#run = run;
  }

  /** Mastra's `requireToolApproval`: whether the run pauses before this call. */
  readonly verdict = async (context: ToolApprovalContext): Promise<boolean> => {
    const { tools } = this.#run;
    const toolName = tools.nameOf(context.toolName);
    const pauses = await this.#decide(toolName, context);
    noteVerdict(context.args, { pauses, tool: tools.approvalOf(toolName) });
    return pauses;
  };

  /** The model has answered. */
  propose(chunks: readonly CachedLLMStepChunk[]): void {
    const calls = this.#proposed.note(chunks, (called) => this.#run.tools.nameOf(called));
    // A model may give a new call the id of an earlier one.
    for (const { callId } of calls) used.delete(this.#key(callId));
    this.#wanted.clear();
  }

  /** The run resumes what another process has paused: Mastra will ask about the calls that have not begun there. */
  async restore(unbegun: () => Promise<readonly StoredCall[]>): Promise<void> {
    if (this.#proposed.isEmpty)
      this.#proposed.restore(await unbegun(), (called) => this.#run.tools.nameOf(called));
  }

  written(callId: string | undefined): ProposedCall | undefined {
    return this.#proposed.ofId(callId);
  }

  /**
   * The run resumes with a person's answer. Returns what the model reads of a denial; undefined if nobody worded it,
   * so that Mastra does.
   */
  async resume(
    callId: string | undefined,
    approved: boolean,
    reason: string | undefined,
  ): Promise<string | undefined> {
    const { pending } = this.#run;
    const waiting = pending.waiting.find((one) => (callId ?? one.callId) === one.callId);
    this.#answer = undefined;
    // An answer to no pending call may come beside one that is being carried out.
    if (waiting !== undefined)
      this.#approved = approved && !this.#isUsed(waiting.callId) ? waiting : undefined;
    if (waiting === undefined) {
      const written = this.#proposed.ofId(callId);
      const stored: StoredCall | undefined = written
        ? { toolCallId: written.callId, toolName: written.toolName, args: written.input }
        : await this.setup?.stored?.(callId);
      const answered = callId ?? stored?.toolCallId;
      if (answered === undefined || !this.#isUsed(answered))
        this.#answer = { callId: answered, approved, reason, stored };
    }
    if (approved || waiting === undefined) return reason;
    // Mastra does not run it, so it is over here.
    const ended = await this.#run.answerTool(waiting.callId, { decision: 'deny', reason });
    pending.forget(waiting.callId);
    this.#proposed.forget(waiting.callId);
    return ended?.kind === 'done' ? refusalText(ended.outcome, reason) : reason;
  }

  async resumed(
    callId: string | undefined,
    toolName: string,
    input: unknown,
  ): Promise<Pick<ToolCall, 'resumed' | 'needsApproval'>> {
    if (callId !== undefined) this.#proposed.forget(callId);
    const known = this.#approved;
    if (known !== undefined && callId === known.callId) {
      // A yes runs one call, once: it may be given twice, also at the same time.
      this.#approved = undefined;
      this.#use(callId);
      if (known.hash === (await hashInput(input)))
        return {
          resumed: { decision: 'allow', hash: known.hash },
          // The same yes, given at the same time, may have taken the pending call.
          ...this.#asking(toolName, input),
        };
      // Another call of the answer has the same id. The yes is not for it.
      used.delete(this.#key(callId));
      this.#approved = known;
    }
    const { approved, stored } = this.#takeAnswer(callId) ?? {};
    if (stored?.repeats === true) return this.#asking(toolName, input);
    const asked = stored?.toolName !== undefined && this.#run.tools.nameOf(stored.toolName) === toolName;
    // A sub-agent goes on, whatever a person said to the call inside of it: its own call was let through before that.
    const inside = !asked && madeOf(toolName) === 'agent';
    if (approved === undefined || (!approved && !inside)) return {};
    if (!inside && !this.#mayPause(toolName)) return {};
    // Native hooks of the user's may have changed since what the person has seen.
    const seen = asked && !runsAsWritten(toolName, input, stored.args) ? stored.args : input;
    return { resumed: { decision: 'allow', hash: await hashInput(seen) }, ...this.#asking(toolName, seen) };
  }

  /** Whether the tool itself asks. Mastra has just asked anew, and a tool that may ask need not have asked about this call. */
  #asking(toolName: string, input: unknown): Pick<ToolCall, 'needsApproval'> {
    return this.#wanted.has(contentOf(toolName, input)) ? { needsApproval: approvalReason(toolName) } : {};
  }

  hasRun(callId: string | undefined): boolean {
    return callId !== undefined && this.#isUsed(callId);
  }

  paused(callId: string | undefined): void {
    if (callId !== undefined) used.delete(this.#key(callId));
  }

  ran(callId: string | undefined): void {
    this.#takeAnswer(callId);
  }

  /**
   * The calls of the model's answer are over. Tells hooks of a person's no to a call of which another process has sought
   * approval: it did not run. If something did run under its id, the no was to a call inside of it, and that is told in a
   * sub-agent's own run.
   */
  async settle(): Promise<void> {
    const { approved, reason, stored } = this.#answer ?? {};
    this.#answer = undefined;
    const { toolCallId: callId, toolName: called, args: input } = stored ?? {};
    if (approved !== false || called === undefined || callId === undefined) return;
    const toolName = this.#run.tools.nameOf(called);
    if (!this.#registriesOf(toolName).concerns(toolName)) return;
    await this.#begin({ callId, toolName, input }, { resumed: { decision: 'deny', reason } });
    this.#run.pending.forget(callId);
  }

  async #decide(toolName: string, called: ToolApprovalContext): Promise<boolean> {
    const { toolName: _asCalled, args, ...context } = called;
    const theirs = this.setup?.theirs;
    const tool = this.#run.tools.approvalOf(toolName);
    const seed = typeof theirs === 'function' ? await theirs(called) : theirs === true;
    const own = tool && (await ownVerdict(tool, args, context));
    const wants = own?.final ? own.wants : seed || own?.wants === true;
    if (wants) this.#wanted.add(contentOf(toolName, argumentsOf(args)));
    // Mastra finds a tool of every name that each object has (`constructor`), asks about it, and never runs it.
    if (!this.#run.tools.has(toolName)) return wants;
    const registries = this.#registriesOf(toolName);
    if (!registries.concerns(toolName) || (!wants && !registries.isNative)) return wants;
    const call = this.#proposed.askedAbout(toolName, argumentsOf(args));
    if (call === undefined) return wants; // resumed in another process: hooks are asked when it runs
    const { callId } = call;
    const begun = await this.#begin(call, wants ? { needsApproval: approvalReason(toolName) } : {});
    if (begun.kind !== 'ask') return false;
    const { stop } = this.#run;
    // Also where a call ahead waits already, so that Mastra does not come to run this one.
    if (stop !== undefined) {
      const { reason } = stop;
      await this.#run.answerTool(callId, { decision: 'canceled', source: 'context_canceled', reason });
      return false;
    }
    // Approver functions are asked where the call runs. An answer is by id, so of two calls with one id only the first can wait.
    const { waiting } = this.#run.pending;
    return begun.native && waiting.filter((one) => one.callId === callId).length === 1;
  }

  #registriesOf(toolName: string): Registries {
    return this.#run.tools.get(toolName)?.setup.registries ?? this.#run.hooked;
  }

  /** Whether the run may have paused before a call because of approval, rather than for something of the tool's own. */
  #mayPause(toolName: string): boolean {
    return (
      this.#registriesOf(toolName).isNative ||
      Boolean(this.setup?.theirs) ||
      asksByItself(this.#run.tools.approvalOf(toolName) ?? {})
    );
  }

  #begin(
    { callId, toolName, input }: Pick<ProposedCall, 'callId' | 'toolName' | 'input'>,
    approval: Pick<ToolCall, 'needsApproval' | 'resumed'>,
  ): Promise<Begun> {
    const run = this.#run;
    const registries = this.#registriesOf(toolName);
    const hooked = run.tools.get(toolName);
    const { capabilities, check } = hooked?.beginOptions(run, callId, input) ?? {
      check: keysCheck(toolName),
    };
    const described = describeCall({
      toolName,
      callId,
      sent: input,
      descriptor: hooked?.descriptor ?? descriptorOf(toolName),
      native: hooked?.setup.tool,
      context: undefined,
    });
    return run.beginTool(
      { ...described, callId, ...approval },
      {
        // Mastra's pause keeps and shows the call as the model has written it.
        capabilities: { ...capabilities, ask: 'unchanged' },
        check,
        inner: registries.attached(),
        runsIn: 'callTool',
      },
    );
  }

  #key(callId: string): string {
    return JSON.stringify([this.#run.id, callId]);
  }

  #isUsed(callId: string): boolean {
    return used.has(this.#key(callId));
  }

  #use(callId: string): void {
    const [oldest] = used;
    if (oldest !== undefined && used.size >= REMEMBERED) used.delete(oldest);
    used.add(this.#key(callId));
  }

  #takeAnswer(callId: string | undefined): Answer | undefined {
    const answer = this.#answer;
    if (answer === undefined || (answer.callId ?? callId) !== callId) return undefined;
    this.#answer = undefined;
    if (callId !== undefined) this.#use(callId);
    return answer;
  }
}

function contentOf(toolName: string, input: unknown): string {
  return JSON.stringify([toolName, input]);
}

/**
 * The calls that have run with a yes, whichever process had asked for it. They outlive their runs and the agents that were asked
 * to resume them: the yes may come again before Mastra forgets the run.
 */
const used: Set<string> = new Set();

/** The maximum number of remembered calls. */
const REMEMBERED = 10_000;
