import type { ApprovalRequest, Approver, Resumed } from '../approval/approval.ts';
import { type Answerer, type ApprovalOption, type NextStep, nextStep } from '../approval/questions.ts';
import { revealInput } from '../conceal.ts';
import { PROCEED, patchOf } from '../decision.ts';
import { defined } from '../defined.ts';
import { type Chain, mergeChains, type Owner } from '../dispatch/chain.ts';
import { ask, type PipelineOptions, type Settling } from '../dispatch/dispatch.ts';
import { sealEvent, thaw } from '../dispatch/seal.ts';
import type { ToolEvent } from '../event/catalogue/groups.ts';
import {
  AfterToolCall,
  BeforeExecute,
  BeforeToolCall,
  PermissionRequest,
  ToolApprovalDecision,
  TransformToolResult,
} from '../event/catalogue/tool.ts';
import type { EventPayload, PointData } from '../event/event.ts';
import type { Execute } from '../execute.ts';
import { canonicalName } from '../match.ts';
import { isSameInput, readPlain } from '../plain.ts';
import { isSamePrincipal, type Principal } from '../principal.ts';
import type { KnownSession } from '../session/state.ts';
import { after } from '../thenable.ts';
import { listOf, type Member, maxAttempts, membersOf } from './members.ts';
import { targetOf } from './rename.ts';
import type {
  Approving,
  BeginOptions,
  CallToken,
  Capabilities,
  InputCheck,
  Registries,
  RenameTarget,
  ToolCall,
  ToolCallOutcome,
} from './types.ts';

/** The state of a call. */
export type CallState =
  | { readonly kind: 'new' }
  /** Waits for approval. */
  | { readonly kind: 'waiting'; readonly request: ApprovalRequest }
  /** Has been answered, and hooks hear of it. No other answer counts. */
  | { readonly kind: 'answered' }
  /** Cleared to run, after this many milliseconds. */
  | { readonly kind: 'ready'; readonly delayMs: number }
  | { readonly kind: 'running' }
  | { readonly kind: 'finished'; readonly outcome: ToolCallOutcome };

/** The state of a call whose input user code changed while it ran; see `recheckToolCall`. */
export interface ChangedInput {
  /** The call as `execute` gets it, also on a retry. */
  readonly from: BeforeToolCall;
  /** The results for inputs that passed, by canonical JSON. */
  readonly passed: Map<string, PassedInput>;
  /** The inputs that guards of `BeforeExecute` have let run, by canonical JSON. A person may have put one in the place of another. */
  readonly admitted: Set<string>;
  /** The attempt in which the tool got its latest input, and the call with that. */
  ran: { readonly attempt: number; readonly event: BeforeToolCall } | undefined;
  /** An input is being checked. Meanwhile, no token can answer for the call. */
  checking: boolean;
  /** The call ended because an input did not pass, or because a person answered in place of the tool. */
  over: boolean;
}

/** The call with an input that passed, or that waits for a person. */
export interface PassedInput {
  readonly event: BeforeToolCall;
  readonly request: ApprovalRequest | undefined;
}

/** A tool call in the pipeline. */
export class ActiveCall {
  /** The adapter's description. Replaced when a paused call resumes. */
  described: ToolCall;
  /** Outermost first. Replaced when a paused call resumes. */
  members: readonly [Member, ...Member[]];
  capabilities: Capabilities;
  check: InputCheck | undefined;
  /** What the model sent, as hooks see it. */
  readonly sent: unknown;
  /** Why what was sent is not plain data. Hooks cannot see it, so it may run only if no hook concerns the call. */
  problem: string | undefined;
  state: CallState = { kind: 'new' };
  /** The call as hooks left it. Sealed. */
  event: BeforeToolCall;
  /** The tool that a hook selected instead. Not known here if another process selected it. */
  target: RenameTarget | undefined;
  /** The framework's name of the tool that another process selected. */
  #targetName: string | undefined;
  /** Why that tool may not run where the paused call resumes. */
  lapsed: string | undefined;
  /** How often it has run, including this attempt. */
  attempt = 0;
  startedAt = 0;
  exhausted = false;
  context: readonly string[] = [];
  /** Who answers for registries that do not say. */
  otherwise: ApprovalOption | undefined;
  /** Asks through the framework's own pause; or why it cannot, as a clause. */
  byPause: Approver | string | undefined;
  /** The registries whose hooks require approval. */
  readonly requiredBy: Set<Owner> = new Set();
  /** Who has said yes so far, each with the hash that it was for. */
  readonly answers: Map<Answerer, string> = new Map();
  /** The hash that was approved last. */
  approved: string | undefined;
  /** In the split form: the token that continues it. */
  due: CallToken | undefined;
  changed: ChangedInput | undefined;
  /** Whether `BeforeExecute` hooks let it run. They are asked once, however often it runs. */
  admitted = false;
  /** Tells it from all others, once `BeforeExecute` hooks are asked. */
  executionId: string | undefined;
  /** A person's answer takes the place of the tool, so that nothing runs, here or elsewhere. */
  answer: { readonly output: unknown } | undefined;
  /** The process in which it began has an answer in place of the tool. */
  answeredElsewhere = false;
  /** What `BeforeExecute` hooks set. */
  idempotencyKey: string | undefined;
  /** Where it runs once it may: in `callTool`, or wherever the caller of the split form lets it. */
  readonly runsIn: BeginOptions['runsIn'];

  constructor(
    members: readonly [Member, ...Member[]],
    described: ToolCall,
    { capabilities = {}, check, runsIn, ...approving }: BeginOptions,
  ) {
    this.members = members;
    this.described = described;
    this.capabilities = capabilities;
    this.check = check;
    this.runsIn = runsIn;
    this.approveBy(approving);
    const { toolName, callId, resumed, approvalId } = described;
    const read = readPlain(described.input);
    this.problem = 'problem' in read ? read.problem : undefined;
    this.sent = 'problem' in read ? undefined : read.data;
    this.event = sealEvent({
      type: BeforeToolCall.type,
      session: this.outermost.session,
      callId: callId || mintCallId(),
      toolName: canonicalName(toolName, this.outermost.internal.options),
      nativeToolName: toolName,
      input: this.sent,
      modelInput: this.sent,
      ...present(described),
      ...defined({ resumed: resumed && shownResumed(resumed), approvalId }),
    });
  }

  /** Replaces fields of its event. */
  change(fields: Partial<BeforeToolCall>): void {
    this.event = Object.freeze({ ...this.event, ...fields });
  }

  /** Takes the user that a hook named when a session started. The innermost registry decides. */
  identify(): void {
    const principal = principalOf(this.members);
    if (this.event.principal === undefined && principal !== undefined) this.change({ principal });
  }

  /** Continues in another request of the framework: with its tools, and with its native objects. */
  resume(
    members: readonly [Member, ...Member[]],
    described: ToolCall,
    { capabilities = {}, check, ...approving }: BeginOptions,
  ): void {
    this.members = members;
    this.described = described;
    this.capabilities = capabilities;
    this.check = check;
    this.approveBy(approving);
    this.due = undefined;
    const { native } = described;
    if (native !== undefined) this.change({ native });
    if (this.target === undefined) return;
    const target = targetOf(this, this.target.name);
    this.lapsed = typeof target === 'string' ? target : undefined;
    if (typeof target === 'string') return;
    this.target = target;
    if (target.native !== undefined) this.change({ native: target.native });
  }

  /** The framework's name of the tool that a hook selected instead. */
  get targetName(): string | undefined {
    return this.target?.name ?? this.#targetName;
  }

  get outermost(): Member {
    return this.members[0];
  }

  get signal(): AbortSignal | undefined {
    return this.described.signal;
  }

  get callId(): string {
    return this.event.callId;
  }

  /** Whether it has used all attempts. */
  get last(): boolean {
    return this.answered || this.attempt >= maxAttempts(this.members);
  }

  /** Whether a hook or a person answers in place of the tool. */
  get answered(): boolean {
    return this.answeredElsewhere || this.event.execute?.answers === true;
  }

  /** The hooks of all registries for one of the call's events. */
  chain(point: PointData): Chain {
    return mergeChains(
      point.spec,
      this.members.map(({ internal }) => internal.chain(point, this.toolNameIn(internal))),
    );
  }

  /** Whether a hook or a person has a say in the call, or looks at it. */
  get concerned(): boolean {
    const { needsApproval, resumed } = this.described;
    return (
      needsApproval !== undefined ||
      resumed !== undefined ||
      TOOL_POINTS.some((point) => !this.chain(point).empty)
    );
  }

  /** Runs the hooks of one of the call's events, and stores their context. */
  ask(point: PointData, event: EventPayload, rules?: PipelineOptions): Settling {
    return this.askChain(this.chain(point), event, rules);
  }

  /** Like `ask`, for the hooks of a chain. */
  askChain(chain: Chain, event: EventPayload, rules?: PipelineOptions): Settling {
    if (chain.empty) return PROCEED;
    const options: PipelineOptions = {
      signal: this.signal,
      toolNameIn: (owner) => this.toolNameIn(owner),
      approvalRequiredBy: (owner) => void this.requiredBy.add(owner),
      ...rules,
    };
    return after(ask(chain, event, options), (decision) => {
      const { context = [] }: { readonly context?: readonly string[] } = patchOf(decision);
      this.context = [...this.context, ...context];
      return decision;
    });
  }

  /** The canonical name of its tool in a registry. */
  toolNameIn(owner: Owner): string {
    const { internal } = this.members.find((member) => member.internal === owner) ?? this.outermost;
    return canonicalName(this.targetName ?? this.event.nativeToolName, internal.options);
  }

  /** Another event about this call, with the fields that all its events share. */
  tell<More extends object>(type: string, more: More): Omit<ToolEvent, keyof More> & More {
    const { session, callId, toolName, nativeToolName, input, modelInput } = this.event;
    const common = { session, callId, toolName, nativeToolName, input, modelInput, ...present(this.event) };
    return Object.freeze({ ...common, type, ...more });
  }

  /** The function that runs instead of the tool. */
  get substitute(): Execute | undefined {
    return this.event.execute ?? this.target?.execute;
  }

  /** The input to run: a copy of what hooks saw, so that nobody who knows the original can change it. */
  get input(): unknown {
    return this.problem === undefined ? thaw(this.event.input) : this.described.input;
  }

  /** The input as the tool gets it. */
  get runnable(): unknown {
    const { concealed, input } = this.event;
    return concealed === undefined ? this.input : thaw(revealInput(concealed, input));
  }

  /** Counts another attempt, which begins in this many milliseconds. */
  begin(delayMs = 0): void {
    this.state = { kind: 'running' };
    this.attempt++;
    this.startedAt = Date.now() + delayMs;
    if (this.changed !== undefined) this.event = this.changed.from;
  }

  /** Undoes `begin`, because the call did not run. */
  pause(): void {
    this.attempt--;
    this.state = { kind: 'ready', delayMs: 0 };
  }

  /** What it waits for as it is now, with that hash. */
  nextStep(hash: string): NextStep {
    const { members, requiredBy, otherwise, answers } = this;
    return nextStep(
      {
        options: members.map(({ approval }) => approval),
        requires: (at) => requiredBy.has(members[at]?.internal ?? this.outermost.internal),
        // If neither a hook nor the tool requires it, a person has approved another call.
        tool:
          this.described.needsApproval !== undefined ||
          (requiredBy.size === 0 && answers.get('native') !== hash),
        otherwise,
      },
      answers,
      hash,
    );
  }

  /** Sets who answers where no registry says, and how the framework pauses. */
  approveBy({ approval, pause }: Approving): void {
    this.otherwise = approval ?? this.otherwise;
    this.byPause = pause ?? this.byPause;
  }

  /** Restores a tool that another process selected. */
  renamed({ toolName, renamedTo }: Pick<CallToken, 'toolName' | 'renamedTo'>): void {
    if (renamedTo === undefined) return;
    this.#targetName = renamedTo;
    this.change({ toolName, renamedTo });
  }

  /** The call as plain JSON. */
  get token(): CallToken {
    const { type, session, tool, native, ...call } = this.tell('token', {});
    const { attempt, startedAt, capabilities, executionId, idempotencyKey, answered } = this;
    return {
      ...call,
      session: session.id,
      attempt,
      startedAt,
      retry: capabilities.retry === true,
      ...defined({ executionId, idempotencyKey, answered: answered || undefined }),
    };
  }
}

/** Fields that only some calls have. */
function present({
  agent,
  run,
  turn,
  principal,
  renamedTo,
  parsedHash,
  tool,
  parentCallId,
  native,
}: Partial<ToolEvent> | (Omit<ToolCall, 'session'> & { readonly renamedTo?: string })) {
  return defined({ agent, run, turn, principal, renamedTo, parsedHash, tool, parentCallId, native });
}

/** The events of a call, in their order. */
export const TOOL_POINTS: readonly PointData[] = [
  BeforeToolCall,
  PermissionRequest,
  ToolApprovalDecision,
  BeforeExecute,
  TransformToolResult,
  AfterToolCall,
];

/** The incoming call: a new one, or the same one if it paused in this process, which from now on is not paused. */
export function enter(registries: Registries, call: ToolCall, options: BeginOptions): ActiveCall {
  const members = membersOf(listOf(registries), call.session);
  const [{ session }] = members;
  const { principal = principalOf(members) } = call;
  const paused = pausedAs(session, { ...call, principal });
  if (paused === undefined) return new ActiveCall(members, call, options);
  session.paused?.delete(paused);
  paused.resume(members, call, options);
  return paused;
}

/** The principal of the sessions: that of the innermost registry that knows one. */
function principalOf(members: readonly Member[]): Principal | undefined {
  return members.findLast(({ session }) => session.principal !== undefined)?.session.principal;
}

/** What tells calls apart. Their ids alone do not: models choose them, for two calls of an answer, or again in each run. */
export type PausedIdentity = Pick<
  ToolCall,
  'callId' | 'run' | 'principal' | 'toolName' | 'input' | 'resumed'
>;

/**
 * The paused call of a session that is this very call: with the same id, of the same user, tool and input, and in the same
 * run. A person's answer resumes it also in another run, where the framework restored its state.
 */
export function pausedAs(session: KnownSession, call: PausedIdentity): ActiveCall | undefined {
  const { principal = session.principal, resumed } = call;
  for (const one of session.paused ?? [])
    if (
      one instanceof ActiveCall &&
      one.callId === call.callId &&
      (one.event.run === call.run || resumed !== undefined) &&
      // What hooks decided for one user says nothing of another's call.
      isSamePrincipal(one.event.principal, principal) &&
      one.described.toolName === call.toolName &&
      isSameInput(one.sent, call.input)
    )
      return one;
  return undefined;
}

/** A person's decision as hooks see it before the call: an output is a result, which hooks on results see first. */
export function shownResumed({ output: _, ...rest }: Resumed): Resumed {
  return rest;
}

/** Stores a call in its session until it resumes. */
export function keepPaused(call: ActiveCall): void {
  const { session } = call.outermost;
  session.paused ??= new Set();
  session.paused.add(call);
}

function mintCallId(): string {
  return `call-${crypto.randomUUID()}`;
}
