import { BeforeToolCall, type FindTarget, PermissionRequest, type ToolCall } from '@hooks/core';
import {
  approvalReason,
  isSameInput,
  type PendingApproval,
  shownHash,
  UsedApprovals,
} from '@hooks/core/adapter';
import { type Begun, hashInput, type ToolCallOutcome } from '@hooks/core/tool-call';
import { parsePartialJson } from 'ai';
import type { HookedRun, SentCall } from '../run/hooked-run.ts';
import type { ApprovalAnswer, ApprovalOptions, CallSettings, SdkCall } from '../sdk.ts';
import {
  checkOf,
  describe,
  type Hooked,
  isParsedFrom,
  parsedHash,
  parsedInput,
  refuseRepeated,
} from '../tool/call.ts';
import { keepBegun } from '../tool/client-results.ts';
import { ownApproval, ownOf } from './approval.ts';
import type { AnsweredCall } from './pending.ts';

/** The decision about a call before it runs. */
interface Decided {
  readonly own: ApprovalAnswer;
  readonly begun?: Begun | undefined;
}

/** What a person has said to a call. */
type Answer = Pick<ToolCall, 'resumed' | 'approvalId'>;

interface BeginningCall {
  readonly callId: string;
  readonly sent: unknown;
  /** What the tool's schema makes of it. */
  readonly parsed: unknown;
  /** The same, where the SDK has checked it. */
  readonly given?: unknown;
  /** Whether the tool itself requires approval. */
  readonly asks: boolean;
  readonly answer?: Answer | undefined;
}

/** The context of the SDK call around a tool call. */
export interface CallPlace {
  readonly rename: (callId: string) => FindTarget;
  /** Whether options of the SDK change what a model sent to a tool. */
  readonly isRewritten: (toolName: string) => boolean;
  /** The calls that people have answered, as a client tells. */
  readonly answered: readonly AnsweredCall[];
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

  /** A step begins: earlier decisions are over, and say nothing of later calls with the same ids. */
  nextStep(): void {
    const { answers, unproven } = this.#run;
    this.#decided = undefined;
    answers.clear();
    unproven.clear();
  }

  /** Whether a call of the model may run. */
  async ofStep(about: ApprovalOptions): Promise<ApprovalAnswer> {
    const { toolCallId, toolName, input, providerExecuted } = about.toolCall;
    const run = this.#run;
    const hooked = this.#concerned(toolName);
    if (providerExecuted || hooked === undefined || !run.asksPeople)
      return ownApproval(this.#settings, about);
    const runsHere = hooked.tool.execute !== undefined;
    if (run.isRepeated(toolCallId)) {
      // What runs here is refused where it would run, so that each call gets its own answer.
      if (runsHere) return { type: 'not-applicable' };
      return refusal(
        await refuseRepeated(run, {
          hooked,
          sent: input,
          callId: toolCallId,
          context: ownOf(about.toolsContext, toolName),
        }),
      );
    }
    this.#decided ??= this.#decideAll(about);
    const decided = (await this.#decided).get(toolCallId) ?? (await this.#decide(about.toolCall, about));
    if (decided === undefined) return ownApproval(this.#settings, about);
    const { own, begun } = decided;
    if (runsHere && own.type !== 'denied') return this.#ofTool(toolCallId, begun);
    if (begun === undefined) return own;
    if (begun.kind === 'done') return refusal(begun.outcome);
    if (own.type !== 'user-approval') return this.#ofClient(hooked, about.toolCall, begun);
    if (begun.kind === 'ask' && begun.native) return { type: 'user-approval', reason: begun.request.reason };
    const answer = await this.#ofClient(hooked, about.toolCall, begun);
    return answer.type === 'denied' ? answer : { type: 'approved' };
  }

  /**
   * Only what a person is to answer becomes a request. The SDK also signs what it approves and denies by itself, and a
   * client could send that back with a yes: so what hooks refuse is refused where it would run, and what needs no person
   * runs without a request. For one id the SDK makes no request, and the call would never be answered.
   */
  #ofTool(callId: string, begun: Begun | undefined): ApprovalAnswer {
    if (begun?.kind !== 'ask' || !begun.native || callId === '__proto__') return { type: 'not-applicable' };
    return { type: 'user-approval', reason: begun.request.reason };
  }

  /** The client runs the call as the model wrote it, so a changed input cannot be honored. */
  async #ofClient(hooked: Hooked, call: SdkCall, begun: Begun): Promise<ApprovalAnswer> {
    const { toolCallId: callId, toolName, input } = call;
    const { pending, sent } = this.#run;
    const pause = this.#run.whyNoPause(callId, 'client');
    const asked = begun.kind === 'ask' ? await this.#run.answerTool(callId, { pause }) : begun;
    if (asked?.kind !== 'run') {
      pending.forget(callId);
      return asked?.kind === 'done' ? refusal(asked.outcome) : { type: 'denied' };
    }
    const known = this.#place.isRewritten(toolName)
      ? undefined
      : sent.find((one) => one.toolCallId === callId);
    if (isSameInput(asked.input, (known ?? { input }).input)) {
      pending.forget(callId);
      await keepBegun(this.#run, hooked, call, asked);
      return { type: 'not-applicable' };
    }
    const reason = 'A hook has changed the input of this call, which the AI SDK cannot hand to the client.';
    await pending.abandon(callId, reason);
    return { type: 'denied', reason };
  }

  /** Decides all calls of an answer. If one ends the run, those that wait for a person are canceled. */
  async #decideAll(about: ApprovalOptions): Promise<ReadonlyMap<string, Decided>> {
    const run = this.#run;
    // The SDK reports calls that it repaired or refined one by one.
    const sent = run.sent.filter(
      ({ toolCallId, toolName, providerExecuted }) =>
        !providerExecuted && !run.isRepeated(toolCallId) && !this.#place.isRewritten(toolName),
    );
    const calls = await Promise.all(
      sent.map(async (call) => ((await isReadable(call)) ? this.#decide(call, about) : undefined)),
    );
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
    const begun = await this.#begin(hooked, about, { callId, sent: input, parsed, asks });
    return { own, begun };
  }

  /**
   * Whether a call that a person has approved may run. Messages can be made up: an approval counts if the SDK has
   * verified its signature, or if this process waits for it. Otherwise the call is a new one.
   */
  async ofResumed(about: ApprovalOptions): Promise<ApprovalAnswer> {
    const { toolCallId: callId, toolName, input } = about.toolCall;
    const run = this.#run;
    const own = await ownApproval(this.#settings, about);
    const hooked = this.#concerned(toolName);
    if (own.type === 'denied' || hooked === undefined) return own;
    const asks = own.type === 'user-approval';
    const answered = this.#place.answered.find((call) => call.callId === callId);
    const waiting = this.#waiting(answered);
    // What the model wrote before the schema parsed it stands in the messages, too, but the signature does not cover it.
    let sent = input;
    if (waiting !== undefined) {
      if (!(await isSameCall(hooked, waiting, about.toolCall))) {
        const ended = await run.answerTool(callId, { decision: 'deny', reason: CHANGED });
        run.pending.forget(callId);
        return ended?.kind === 'done' ? refusal(ended.outcome) : { type: 'denied', reason: CHANGED };
      }
      sent = waiting.input;
    }
    if (!run.sent.some((call) => call.toolCallId === callId))
      run.sent.push({ toolCallId: callId, toolName, input: sent });
    let answer: Answer | undefined;
    if (waiting === undefined && this.#settings.experimental_toolApprovalSecret === undefined) {
      run.unproven.add(callId);
      // Where hooks have no say, the tool asks as it does without them: the SDK believes the messages.
      if (!asks || !this.#isDecided(hooked)) return { type: 'not-applicable' };
    } else {
      if (answered !== undefined && (await earlierAnswer(run, answered)) !== undefined)
        return { type: 'denied', reason: USED };
      const resumed = { decision: 'allow', hash: await shownHash(sent) } as const;
      answer = { resumed, approvalId: answered?.approvalId };
      run.answers.set(callId, answer);
      if (waiting !== undefined) return { type: 'not-applicable' };
    }
    const call = { callId, sent, parsed: input, given: input, asks, answer };
    const begun = await this.#begin(hooked, about, call);
    return begun.kind === 'done' ? refusal(begun.outcome) : { type: 'not-applicable' };
  }

  /**
   * The call that waits for approval, and whose result the client has brought: the person's yes must come with it.
   * Undefined if none waits.
   */
  async ofResult(call: SdkCall): Promise<Begun | undefined> {
    const { pending } = this.#run;
    const { toolCallId: callId, toolName } = call;
    if (!pending.waiting.some((one) => one.callId === callId)) return undefined;
    const answered = this.#place.answered.find((one) => one.callId === callId && one.approved);
    const waiting = this.#waiting(answered);
    const hooked = this.#tools.get(toolName);
    const approved = waiting && hooked && (await isSameCall(hooked, waiting, call));
    const begun = await this.#run.answerTool(
      callId,
      approved
        ? { decision: 'allow', approvalId: answered?.approvalId }
        : { decision: 'deny', reason: NOT_APPROVED },
    );
    pending.forget(callId);
    return begun;
  }

  /** The call of this run that waits for this very answer. */
  #waiting(answered: AnsweredCall | undefined): PendingApproval | undefined {
    const { pending, requests } = this.#run;
    if (answered === undefined || requests.get(answered.approvalId) !== answered.callId) return undefined;
    return pending.waiting.find(({ callId }) => callId === answered.callId);
  }

  /** Whether hooks have a say in calls of a tool. */
  #isDecided(hooked: Hooked): boolean {
    const registries = this.#run.registriesOf(hooked);
    return (
      registries.options('approval').some((approval) => typeof approval === 'function') ||
      registries.decides(BeforeToolCall, hooked.name) ||
      registries.decides(PermissionRequest, hooked.name)
    );
  }

  /**
   * Tells hooks of the calls that people have refused.
   *
   * @returns what the model reads of them, by call id
   */
  async settleRefusals(): Promise<ReadonlyMap<string, string | undefined>> {
    const run = this.#run;
    const reasons = new Map<string, string | undefined>();
    for (const answered of this.#place.answered) {
      const { approvalId, callId, toolName, approved, reason } = answered;
      const hooked = this.#concerned(toolName);
      if (approved || hooked === undefined) continue;
      const waiting = this.#waiting(answered);
      const earlier = await earlierAnswer(run, answered, waiting !== undefined);
      if (earlier === 'allow' && waiting === undefined) {
        // The call may have run, so nobody is told that it was denied.
        reasons.set(callId, USED);
        continue;
      }
      const sent = waiting?.input ?? answered.input;
      const context = ownOf(this.#settings.toolsContext, toolName);
      const call = { ...describe(run, { hooked, sent, callId, context }), callId, approvalId };
      const no = { decision: 'deny', reason } as const;
      reasons.set(callId, (await run.denyTool(call, no, { inner: hooked.own.attached() })) ?? reason);
    }
    return reasons;
  }

  /** Asks hooks about a call before it runs. */
  async #begin(
    hooked: Hooked,
    { toolsContext }: ApprovalOptions,
    { callId, sent, parsed, given, asks, answer }: BeginningCall,
  ): Promise<Begun> {
    const { tool, name, own } = hooked;
    const here = { retry: true, route: true, rename: this.#place.rename(callId) };
    const described = {
      ...describe(this.#run, { hooked, sent, callId, context: ownOf(toolsContext, name) }),
      callId,
      parsedHash: await parsedHash(sent, parsed),
      ...answer,
      needsApproval: asks ? approvalReason(name) : undefined,
    };
    return this.#run.beginTool(described, {
      inner: own.attached(),
      check: checkOf(hooked, sent, given),
      capabilities: { ...(tool.execute && here), ask: 'unchanged' },
      runsIn: tool.execute && 'callTool',
    });
  }

  #concerned(toolName: string): Hooked | undefined {
    const hooked = this.#tools.get(toolName);
    return hooked && this.#run.registriesOf(hooked).concerns(toolName) ? hooked : undefined;
  }
}

/** Whether the SDK reads the arguments of a call. It refuses those with fields that would change a prototype. */
async function isReadable({ input }: SentCall): Promise<boolean> {
  try {
    return (await parsePartialJson(JSON.stringify(input))).state === 'successful-parse';
  } catch {
    // Nested too deep to be written as JSON.
    return false;
  }
}

const USED = 'This approval was used by another request. Call the tool again to ask anew.';

type Decision = 'allow' | 'deny';

/** What a person has answered to requests in this process. */
const used = new UsedApprovals<Decision>();

/**
 * The requests that are denied in messages, and for which nobody can vouch. A client can make up any number of them, so they
 * are kept apart: they displace no answer to a request that was made.
 */
const denied = new UsedApprovals<Decision>();

/**
 * The first answer to this request; undefined if that is this one. A client may send one twice, also at the same time, while
 * the run waits for another answer, or a yes after a no.
 *
 * @param isProven whether the request was made: its signature is valid, or this process waits for its answer
 */
async function earlierAnswer(
  run: HookedRun,
  answered: AnsweredCall,
  isProven = true,
): Promise<Decision | undefined> {
  const request = await requestOf(run, answered);
  const [here, other] = isProven ? [used, denied] : [denied, used];
  return other.get(request) ?? here.use(request, answered.approved ? 'allow' : 'deny');
}

/**
 * Names a request. Ids may repeat, so it is that of a session (unless each request has its own), a user and a call, with the
 * input as the SDK's signature covers it, for which -0 is 0: what else stands in a request is the client's.
 */
async function requestOf(
  { ownsSession, session, principal }: HookedRun,
  { approvalId, callId, toolName, input }: AnsweredCall,
): Promise<string> {
  const signed = async () => hashInput(JSON.parse(JSON.stringify(input)));
  return JSON.stringify([
    ownsSession ? null : session.id,
    principal?.tenant ?? null,
    principal?.id ?? null,
    approvalId,
    callId,
    toolName,
    await signed().catch(() => null),
  ]);
}

const CHANGED = 'The call is not the one that was approved: its input has been changed since.';

const NOT_APPROVED = 'The result is withheld: nobody has approved the call.';

/** Whether a call that waits is the one in messages, whose input the tool's schema has parsed. */
async function isSameCall(
  { tool }: Hooked,
  waiting: PendingApproval,
  { toolName, input }: SdkCall,
): Promise<boolean> {
  return waiting.toolName === toolName && (await isParsedFrom(tool, input, waiting.input));
}

function refusal({ message, reason, error }: ToolCallOutcome): ApprovalAnswer {
  const why = message ?? reason ?? (error instanceof Error ? error.message : undefined);
  return { type: 'denied', ...(why !== undefined && { reason: why }) };
}
