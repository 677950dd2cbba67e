import { concernsTool, joinRegistries, refusalText } from '@hooks/core/adapter';
import { type Begun, hashInput } from '@hooks/core/tool-call';
import type { ModelMessage } from 'ai';
import type { HookedRun, SentCall } from '../run/hooked-run.ts';
import type { ApprovalAnswer, ApprovalOptions, CallSettings, SdkCall } from '../sdk.ts';
import { checkOf, describe, type Hooked, parsedInput, type Renamer } from '../tool/call.ts';
import { ownApproval } from './approval.ts';
import { approvalReason, requestsIn, responsesIn } from './pending.ts';

/** The decision about a call before it runs. */
interface Decided {
  readonly own: ApprovalAnswer;
  readonly begun?: Begun | undefined;
}

/** The context of the SDK call around a tool call. */
export interface CallPlace {
  readonly rename: (callId: string) => Renamer;
  /** Whether options of the SDK change what a model sent to a tool. */
  readonly isRewritten: (toolName: string) => boolean;
}

/** Decides for the SDK whether calls of a run may run. */
export class Approvals {
  readonly #run: HookedRun;
  readonly #settings: CallSettings;
  readonly #tools: ReadonlyMap<string, Hooked>;
  readonly #place: CallPlace;
  #decided: Promise<ReadonlyMap<string, Decided>> | undefined;

  constructor(run: HookedRun, settings: CallSettings, tools: ReadonlyMap<string, Hooked>, place: CallPlace) {
    this.#run = run;
    this.#settings = settings;
    this.#tools = tools;
    this.#place = place;
  }

  /** A step begins: earlier decisions are over. */
  nextStep(): void {
    this.#decided = undefined;
  }

  /** Whether a call of the model may run. */
  async ofStep(about: ApprovalOptions): Promise<ApprovalAnswer> {
    const { toolCallId, toolName, providerExecuted } = about.toolCall;
    const run = this.#run;
    const hooked = this.#concerned(toolName);
    const mayWait = run.asksPeople || hooked?.tool.execute === undefined;
    if (providerExecuted || hooked === undefined || !mayWait) return ownApproval(this.#settings, about);
    this.#decided ??= this.#decideAll(about);
    const decided = (await this.#decided).get(toolCallId) ?? (await this.#decide(about.toolCall, about));
    if (decided === undefined) return ownApproval(this.#settings, about);
    const { own, begun } = decided;
    if (begun === undefined) return own;
    if (begun.kind === 'done') return refusal(begun);
    if (hooked.tool.execute === undefined && own.type !== 'user-approval')
      return this.#ofClient(about.toolCall, begun);
    if (begun.kind === 'run') return own.type === 'user-approval' ? { type: 'approved' } : own;
    if (this.#haveApprovers(hooked)) return { type: 'not-applicable' };
    return { type: 'user-approval', reason: begun.request.reason };
  }

  /** The client runs the call as the model wrote it, so a changed input cannot be honored. */
  async #ofClient({ toolCallId, input }: SdkCall, begun: Begun): Promise<ApprovalAnswer> {
    const { ofTool, pending } = this.#run;
    const asked = begun.kind === 'ask' ? await pending.answer(toolCallId, { approval: ofTool }) : begun;
    pending.forget(toolCallId);
    if (asked?.kind !== 'run') return asked === undefined ? { type: 'denied' } : refusal(asked);
    if ((await hashInput(asked.input)) === (await hashInput(input))) return { type: 'not-applicable' };
    const reason = 'A hook has changed the input of this call, which the AI SDK cannot hand to the client.';
    return { type: 'denied', reason };
  }

  /** Decides all calls of an answer. If one ends the run, those that wait for a person are canceled. */
  async #decideAll(about: ApprovalOptions): Promise<ReadonlyMap<string, Decided>> {
    const run = this.#run;
    // The SDK reports calls that it repaired or refined one by one.
    const sent = run.sent.filter(({ toolName }) => !this.#place.isRewritten(toolName));
    const calls = await Promise.all(sent.map((call) => this.#decide(call, about)));
    if (run.stop !== undefined) await run.pending.cancel(run.stop.reason);
    return new Map(
      calls.flatMap((decided, nth) => {
        const call = sent[nth];
        if (call === undefined || decided === undefined) return [];
        const { toolCallId: callId, toolName, input } = call;
        return [
          [callId, { ...decided, begun: decided.begun && run.pending.get({ callId, toolName, input }) }],
        ];
      }),
    );
  }

  async #decide(sent: SentCall, about: ApprovalOptions): Promise<Decided | undefined> {
    const { toolCallId: callId, toolName, input } = sent;
    const hooked = this.#concerned(toolName);
    if (hooked === undefined) return undefined;
    const parsed = sent === about.toolCall ? input : await parsedInput(hooked.tool, input);
    const own = await ownApproval(this.#settings, { ...about, toolCall: { ...sent, input: parsed } });
    if (own.type === 'denied') return { own };
    const asks = own.type === 'user-approval';
    if (hooked.tool.execute !== undefined && !asks && !this.#run.pauses) return { own };
    const described = { ...describe(this.#run, { hooked, sent: input, callId }), callId };
    const begun = await this.#run.beginTool(
      { ...described, ...(asks && { needsApproval: approvalReason(toolName) }) },
      this.#options(hooked, callId, input),
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
    const here = { retry: true, route: true, rename: this.#place.rename(callId) };
    const capabilities = { ...(hooked.tool.execute && here), ask };
    return { inner, check: checkOf(hooked, sent, undefined), capabilities };
  }

  #sent(messages: readonly ModelMessage[], callId: string): unknown {
    return requestsIn(messages).find((request) => request.callId === callId)?.input;
  }

  #concerned(toolName: string): Hooked | undefined {
    const hooked = this.#tools.get(toolName);
    const registries = hooked && joinRegistries(this.#run.hookedBy, hooked.own);
    return registries && concernsTool(registries, toolName) ? hooked : undefined;
  }

  #haveApprovers({ own }: Hooked): boolean {
    return joinRegistries(this.#run.hookedBy, own).every(
      ({ options }) => typeof options.approval === 'function',
    );
  }
}

const CHANGED = 'The call is not the one that was approved: its input has been changed since.';

function refusal(begun: Begun): ApprovalAnswer {
  const { message, reason } = begun.kind === 'done' ? begun.outcome : {};
  const why = message ?? reason;
  return { type: 'denied', ...(why !== undefined && { reason: why }) };
}
