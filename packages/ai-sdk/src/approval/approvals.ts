import { refusalText } from '@hooks/core/adapter';
import { type Begun, hashInput } from '@hooks/core/tool-call';
import type { ModelMessage } from 'ai';
import { concernsTool, joined } from '../registries.ts';
import type { HookedRun, SentCall } from '../run/hooked-run.ts';
import type { ApprovalAnswer, ApprovalOptions, CallSettings } from '../sdk.ts';
import { checkOf, describe, type Hooked, parsedInput, type Renamer } from '../tool/call.ts';
import { ownApproval } from './approval.ts';
import { approvalReason, requestsIn, responsesIn } from './pending.ts';

/** What is decided of a call before it runs. */
interface Decided {
  readonly own: ApprovalAnswer;
  readonly begun?: Begun | undefined;
}

/** Where the SDK asks whether calls of a run may run. */
export class Approvals {
  readonly #run: HookedRun;
  readonly #settings: CallSettings;
  readonly #tools: ReadonlyMap<string, Hooked>;
  readonly #rename: (callId: string) => Renamer;
  #decided: Promise<ReadonlyMap<string, Decided>> | undefined;

  constructor(
    run: HookedRun,
    settings: CallSettings,
    tools: ReadonlyMap<string, Hooked>,
    rename: (callId: string) => Renamer,
  ) {
    this.#run = run;
    this.#settings = settings;
    this.#tools = tools;
    this.#rename = rename;
  }

  /** A step begins: what was decided is over. */
  nextStep(): void {
    this.#decided = undefined;
  }

  /** Whether a call that the model has made may run. */
  async ofStep(about: ApprovalOptions): Promise<ApprovalAnswer> {
    const { toolCallId, toolName, providerExecuted } = about.toolCall;
    const run = this.#run;
    const hooked = this.#concerned(toolName);
    if (providerExecuted || hooked === undefined) return ownApproval(this.#settings, about);
    if (hooked.tool.execute !== undefined && !run.pauses && !run.asksPeople)
      return { type: 'not-applicable' };
    this.#decided ??= this.#decideAll(about);
    const { own, begun } = (await this.#decided).get(toolCallId) ?? {
      own: await ownApproval(this.#settings, about),
    };
    if (begun === undefined) return own;
    if (begun.kind === 'done') return refusal(begun);
    if (begun.kind === 'run') return own.type === 'user-approval' ? { type: 'approved' } : own;
    if (this.#haveApprovers(hooked)) return { type: 'not-applicable' };
    return { type: 'user-approval', reason: begun.request.reason };
  }

  /** Decides all calls of an answer: one that waits for a person is canceled where another ends the run. */
  async #decideAll(about: ApprovalOptions): Promise<ReadonlyMap<string, Decided>> {
    const run = this.#run;
    const calls = await Promise.all(run.sent.map((sent) => this.#decide(sent, about)));
    if (run.stop !== undefined) await run.pending.cancel(run.stop.reason);
    return new Map(
      calls.flatMap((decided, nth) => {
        const sent = run.sent[nth];
        if (sent === undefined || decided === undefined) return [];
        const { toolCallId: callId, toolName, input } = sent;
        return [
          [callId, { ...decided, begun: decided.begun && run.pending.get({ callId, toolName, input }) }],
        ];
      }),
    );
  }

  async #decide(sent: SentCall, about: ApprovalOptions): Promise<Decided | undefined> {
    const { toolCallId: callId, toolName } = sent;
    const hooked = this.#concerned(toolName);
    if (hooked === undefined) return undefined;
    const toolCall = { ...sent, input: await parsedInput(hooked.tool, sent.input) };
    const own = await ownApproval(this.#settings, { ...about, toolCall });
    if (own.type === 'denied') return { own };
    const asks = own.type === 'user-approval';
    if (hooked.tool.execute !== undefined && !asks && !this.#run.pauses) return { own };
    const described = { ...describe(this.#run, { hooked, sent: sent.input, callId }), callId };
    const begun = await this.#run.beginTool(
      { ...described, ...(asks && { needsApproval: approvalReason(toolName) }) },
      this.#options(hooked, callId, sent.input),
    );
    return { own, begun };
  }

  /** Whether a call that a person has approved may run. */
  async ofResumed(about: ApprovalOptions): Promise<ApprovalAnswer> {
    const { toolCallId: callId, toolName, input } = about.toolCall;
    const run = this.#run;
    const own = await ownApproval(this.#settings, about);
    const hooked = this.#concerned(toolName);
    if (own.type === 'denied' || hooked === undefined) return own;
    const asks = own.type === 'user-approval';
    const sent = this.#sent(about.messages, callId) ?? input;
    const waiting = run.pending.waiting.find((call) => call.callId === callId);
    const call = { callId, toolName, input: sent };
    if (waiting !== undefined) {
      const parsed = await parsedInput(hooked.tool, waiting.input);
      const same = waiting.toolName === toolName && (await hashInput(parsed)) === (await hashInput(input));
      if (!same) {
        const ended = await run.pending.answer(callId, { decision: 'deny', reason: CHANGED });
        run.pending.forget(callId);
        return ended === undefined ? { type: 'denied', reason: CHANGED } : refusal(ended);
      }
      call.input = waiting.input;
    }
    const hash = await hashInput(call.input);
    run.answers.set(callId, { hash, asks });
    run.sent.push({ toolCallId: callId, toolName, input: call.input });
    if (waiting !== undefined) return { type: 'not-applicable' };
    const described = { ...describe(run, { hooked, sent, callId }), callId };
    const begun = await run.beginTool(
      {
        ...described,
        resumed: { decision: 'allow', hash },
        ...(asks && { needsApproval: approvalReason(toolName) }),
      },
      this.#options(hooked, callId, sent),
    );
    return begun.kind === 'done' ? refusal(begun) : { type: 'not-applicable' };
  }

  /**
   * Tells hooks of the calls that people have refused.
   *
   * @returns the messages, with the reasons as hooks left them
   */
  async settleRefusals(messages: ModelMessage[]): Promise<ModelMessage[]> {
    const run = this.#run;
    const requests = requestsIn(messages);
    const reasons = new Map<string, string>();
    for (const { approvalId, approved, reason } of responsesIn(messages)) {
      const request = requests.find((one) => one.approvalId === approvalId);
      const hooked = request && this.#concerned(request.toolName);
      if (approved || request === undefined || hooked === undefined) continue;
      const { callId, input } = request;
      const no = { decision: 'deny', ...(reason !== undefined && { reason }) } as const;
      const ended =
        (await run.pending.answer(callId, no)) ??
        (await run.beginTool({ ...describe(run, { hooked, sent: input, callId }), callId, resumed: no }));
      run.pending.forget(callId);
      if (ended.kind !== 'done') continue;
      const { outcome } = ended;
      if (outcome.stop)
        run.endBy({ reason: outcome.reason ?? '', ...(outcome.by !== undefined && { by: outcome.by }) });
      const text = refusalText(outcome, reason);
      if (text !== undefined && text !== reason) reasons.set(approvalId, text);
    }
    if (reasons.size === 0) return messages;
    return messages.map((message) => {
      if (message.role !== 'tool') return message;
      const content = message.content.map((part) => {
        const reason = part.type === 'tool-approval-response' ? reasons.get(part.approvalId) : undefined;
        return reason === undefined ? part : { ...part, reason };
      });
      return { ...message, content };
    });
  }

  #options(hooked: Hooked, callId: string, sent: unknown) {
    const inner = this.#run.inner(hooked.own);
    const ask = this.#haveApprovers(hooked) || ('unchanged' as const);
    return {
      inner,
      check: checkOf(hooked, sent, undefined),
      can: { retry: true, route: true, rename: this.#rename(callId), ask },
    };
  }

  #sent(messages: readonly ModelMessage[], callId: string): unknown {
    return requestsIn(messages).find((request) => request.callId === callId)?.input;
  }

  #concerned(toolName: string): Hooked | undefined {
    const hooked = this.#tools.get(toolName);
    const registries = hooked && joined(this.#run.hookedBy, hooked.own);
    return registries && concernsTool(registries, toolName) ? hooked : undefined;
  }

  #haveApprovers({ own }: Hooked): boolean {
    return joined(this.#run.hookedBy, own).every(({ options }) => typeof options.approval === 'function');
  }
}

const CHANGED = 'The call is not the one that was approved: its input has been changed since.';

function refusal(begun: Begun): ApprovalAnswer {
  const { message, reason } = begun.kind === 'done' ? begun.outcome : {};
  const why = message ?? reason;
  return { type: 'denied', ...(why !== undefined && { reason: why }) };
}
