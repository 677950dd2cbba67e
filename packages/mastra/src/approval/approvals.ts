import {
  approvalReason,
  BlockedError,
  type CallIdentity,
  type InnerRegistries,
  type RunToolCall,
  shownHash,
} from '@hooks/core/adapter';
import type { BeginOptions } from '@hooks/core/tool-call';
import type { CachedLLMStepChunk } from '@mastra/core/processors';
import type { RequireToolApproval, ToolApprovalContext } from '@mastra/core/tools';
import type { StoredCall } from '../agent.ts';
import { argumentsOf, madeOf } from '../internals.ts';
import type { NativeToolCall } from '../native.ts';
import type { Registries } from '../registries.ts';
import type { CallApproval, CallApprovals, StartingCall } from '../run/run.ts';
import { type AgentCalls, descriptorOf } from '../tool/assembly.ts';
import { keysCheck } from '../tool/call.ts';
import type { Execution } from '../tool/execution.ts';
import { runsAsWritten } from '../tool/known-calls.ts';
import { answerTo, forgetAnswer, type PersonAnswer, type ShownCall, takeAnswer } from './answers.ts';
import { noteVerdict, ownVerdict } from './own-approval.ts';
import { type FindSuspended, storedCall, storedUnbegun } from './stored.ts';

/**
 * Approval by Mastra's own pause. Mastra asks before a call whether it needs approval, so hooks run there. Their
 * decision is kept until the call runs, in this process also across the pause.
 */
export class Approvals implements CallApprovals {
  readonly #run: AgentCalls;
  /** Whether something may require approval. Otherwise Mastra is not asked to pause, which would keep it from starting tools early. */
  isOn = false;
  /** The user's setting for the run. */
  theirs: RequireToolApproval | undefined;
  /** The answer with which the run resumed last. */
  #answer: PersonAnswer | undefined;
  /** What the model reads of the call that the answer has denied. */
  #denied: string | undefined;
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
    if (pauses) await this.#run.storeOwner();
    return pauses;
  };

  /** The model has answered. */
  propose(chunks: readonly CachedLLMStepChunk[]): void {
    // A model may give a new call the id of an earlier one.
    for (const { callId } of this.#note(chunks.flatMap(calledIn))) forgetAnswer(this.#run.id, callId);
    this.#wanted.clear();
  }

  /** If the run resumes what another process has paused: Mastra will ask about the calls that have not begun there. */
  async restore(): Promise<void> {
    const { by, id, calls, restored } = this.#run;
    if (restored && calls.isEmpty) this.#note(await storedUnbegun(by.agent, id));
  }

  #note(calls: readonly StoredCall[]): readonly Execution[] {
    return this.#run.calls.note(calls, (called) => this.#run.tools.nameOf(called));
  }

  /**
   * The run resumes with a person's answer. Returns what the model reads of a denial; undefined if nobody worded it,
   * so that Mastra does.
   */
  async resume(answer: PersonAnswer, suspended: FindSuspended): Promise<string | undefined> {
    const { callId, approved, reason } = answer;
    this.#answer = answer;
    this.#denied = undefined;
    if (approved === undefined) return reason;
    const waiting = this.#run.pending.waiting.find((one) => one.callId === callId);
    answer.shown =
      waiting ?? shownOf(this.#run.calls.ofId(callId)) ?? (await this.#stored(callId, suspended));
    if (approved || waiting === undefined) return reason;
    // Mastra does not run it, so it is over here. Another call of the same answer with its id has been decided on its own.
    this.#denied = await this.#deny(answer, waiting);
    return this.#denied;
  }

  /** The call of a run that another process has paused. */
  async #stored(callId: string | undefined, suspended: FindSuspended): Promise<ShownCall | undefined> {
    const { by, id, restored, tools } = this.#run;
    const {
      toolName,
      args: input,
      repeats,
    } = (restored && (await storedCall(by.agent, id, callId, suspended))) || {};
    return toolName === undefined ? undefined : { toolName: tools.nameOf(toolName), input, repeats };
  }

  async enter(call: StartingCall, isAgain: boolean): Promise<CallApproval> {
    const { callId, toolName, input } = call;
    const answer = answerTo(this.#run.id, callId);
    if (answer?.wasTakenBy(call)) {
      if (answer !== this.#answer || answer.approved !== false) return { needsApproval: ALREADY_RUN };
      throw new BlockedError({ reason: this.#denied ?? 'A person did not approve this call.', toolName });
    }
    // An answer for a pause inside the call is not an answer for the call.
    if (isAgain) this.ran(call);
    if (answer === undefined || answer.taker !== undefined) return {};
    const { approved, shown } = answer;
    const isShown = shown?.toolName === toolName;
    // The yes is to what the person has seen: not to another call with that id, nor to what native hooks have made of it since.
    if (isShown && (shown.repeats || !runsAsWritten(toolName, input, shown.input)))
      return this.#asking(toolName, shown.input);
    this.ran(call);
    // A sub-agent goes on, whatever a person said to the call inside of it: its own call was let through before that.
    const isApproved = isShown ? approved : approved !== undefined && madeOf(toolName) === 'agent';
    if (!isApproved) return {};
    return {
      resumed: { decision: 'allow', hash: await shownHash(input) },
      approvalId: this.#approvalId(callId),
      ...this.#asking(toolName, input),
    };
  }

  /** Whether the tool itself asks. Mastra has just asked anew, and a tool that may ask need not have asked about this call. */
  #asking(toolName: string, input: unknown): Pick<CallApproval, 'needsApproval'> {
    return this.#wanted.has(contentOf(toolName, input)) ? { needsApproval: approvalReason(toolName) } : {};
  }

  takesResumeData(callId: string | undefined, data: unknown): boolean {
    return answerTo(this.#run.id, callId)?.gives(data) === true;
  }

  async paused(callId: string | undefined): Promise<void> {
    forgetAnswer(this.#run.id, callId);
    // Mastra stores the run as paused once the tool has returned. If this fails, the end of the run tries again.
    await this.#run.storeOwner().catch(() => {});
  }

  ran(call: StartingCall): boolean {
    const { callId } = call;
    const answer = callId === undefined ? undefined : answerTo(this.#run.id, callId);
    if (answer !== undefined) takeAnswer(answer, call);
    return answer !== undefined;
  }

  /**
   * The calls of the model's answer are over. Tells hooks of a person's no to a call of which another process has sought
   * approval: it did not run. If something did run under its id, the no was to a call inside of it, and that is told in a
   * sub-agent's own run.
   */
  async settle(): Promise<void> {
    const answer = this.#answer;
    this.#answer = undefined;
    const { callId, approved, shown, taker } = answer ?? {};
    if (answer === undefined || approved !== false || taker !== undefined) return;
    if (callId !== undefined && shown !== undefined) await this.#deny(answer, { ...shown, callId });
  }

  /** Tells hooks that a person has denied a call. Returns what the model reads of it. */
  async #deny(answer: PersonAnswer, call: CallIdentity): Promise<string | undefined> {
    const { callId, toolName, input } = call;
    const { reason } = answer;
    takeAnswer(answer, { callId, toolName, input });
    if (!this.#registriesOf(toolName).concerns(toolName)) return reason;
    const options = this.#optionsOf(call);
    const described = { ...this.#described(call), approvalId: this.#approvalId(callId) };
    const no = { decision: 'deny', reason } as const;
    const told = await this.#run.denyTool(described, no, options);
    this.#run.calls.forget(call);
    return told ?? reason;
  }

  async #decide(toolName: string, called: ToolApprovalContext): Promise<boolean> {
    const { toolName: _asCalled, args, ...context } = called;
    const { theirs } = this;
    const tool = this.#run.tools.approvalOf(toolName);
    const seed = typeof theirs === 'function' ? await theirs(called) : theirs === true;
    const own = tool && (await ownVerdict(tool, args, context));
    const wants = own?.final ? own.wants : seed || own?.wants === true;
    if (wants) this.#wanted.add(contentOf(toolName, argumentsOf(args)));
    // Mastra finds a tool of every name that each object has (`constructor`), asks about it, and never runs it.
    if (!this.#run.tools.has(toolName)) return wants;
    const registries = this.#registriesOf(toolName);
    if (!registries.concerns(toolName) || (!wants && !registries.isNative)) return wants;
    const { callId, sent } = this.#run.calls.askedAbout(toolName, argumentsOf(args)) ?? {};
    if (callId === undefined) return wants; // resumed in another process: hooks are asked when it runs
    const call = { callId, toolName, input: sent };
    const asking = wants ? { needsApproval: approvalReason(toolName) } : {};
    const begun = await this.#run.beginTool({ ...this.#described(call), ...asking }, this.#optionsOf(call));
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

  /** Identifies the pending approval of a call. */
  #approvalId(callId: string | undefined): string {
    return JSON.stringify([this.#run.id, callId]);
  }

  #registriesOf(toolName: string): Registries {
    return this.#run.tools.get(toolName)?.setup.registries ?? this.#run.hooked;
  }

  #described({ callId, toolName, input }: CallIdentity): RunToolCall & CallIdentity {
    const { setup, descriptor = descriptorOf(toolName) } = this.#run.tools.get(toolName) ?? {};
    const native: NativeToolCall = { ...(setup && { tool: setup.tool }), context: undefined };
    return { toolName, callId, input, tool: descriptor, native };
  }

  #optionsOf({ callId, toolName, input }: CallIdentity): BeginOptions & InnerRegistries {
    const hooked = this.#run.tools.get(toolName)?.beginOptions(this.#run, callId, input);
    const { capabilities, check = keysCheck(toolName) } = hooked ?? {};
    return {
      // Mastra's pause keeps and shows the call as the model has written it.
      capabilities: { ...capabilities, ask: 'unchanged' },
      check,
      inner: this.#registriesOf(toolName).attached(),
      runsIn: 'callTool',
    };
  }
}

/** Why a call does not run once more where its run is resumed again. */
const ALREADY_RUN = 'A person has approved this call before, and it has run. It does not run twice';

function calledIn({ type, payload }: CachedLLMStepChunk): readonly StoredCall[] {
  return type === 'tool-call' ? [Object(payload)] : [];
}

function shownOf(call: Execution | undefined): ShownCall | undefined {
  return call && { toolName: call.toolName, input: call.sent };
}

function contentOf(toolName: string, input: unknown): string {
  return JSON.stringify([toolName, input]);
}
