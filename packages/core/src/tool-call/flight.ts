import type { ApprovalRequest } from '../approval/approval.ts';
import { type HookDecision, PROCEED } from '../decision.ts';
import { ask, type DispatchOptions } from '../dispatch/dispatch.ts';
import type { ToolEvent } from '../event/catalogue/groups.ts';
import type { BeforeToolCall } from '../event/catalogue/tool.ts';
import type { EventPayload } from '../event/event.ts';
import type { Execute, ExecuteOptions } from '../execute.ts';
import type { Chain } from '../registry/chain.ts';
import type { Hooks, HooksInternal } from '../registry/hooks.ts';
import type { KnownSession } from '../session/session.ts';
import { isThenable } from '../thenable.ts';
import { type CallChains, callChains } from './chains.ts';
import type { Changed } from './recheck.ts';
import type { Ending } from './result.ts';
import { NO_RULES, type Rules } from './rules.ts';
import type { CallToken, Can, InputCheck, RenameTarget, ToolCall } from './types.ts';

const NO_CONTEXT: readonly string[] = [];
const CANNOT: Can = {};
const NOTHING_RAN: Ending = { status: 'error', ran: false };

/** One tool call on its way through the pipeline; what hooks may do to it, beside what their events permit. */
export class Flight implements DispatchOptions, ExecuteOptions {
  declare readonly internal: HooksInternal;
  declare readonly session: KnownSession;
  declare readonly can: Can;
  declare readonly check: InputCheck | undefined;
  /** As the adapter described it; renewed when a paused call is taken up again. */
  declare described: ToolCall;
  /** The call as hooks have left it. */
  declare event: BeforeToolCall;
  /** The hooks of the tool that will run. */
  declare chains: CallChains;
  /** The tool that a hook put in the place of the one called. */
  target: RenameTarget | undefined = undefined;
  /** Nothing stands in the way of running it any more, and it is not over. */
  cleared = false;
  attempt = 0;
  startedAt = 0;
  /** How long to wait before it runs again. */
  delayMs = 0;
  exhausted = false;
  context: readonly string[] = NO_CONTEXT;
  /** Set while a person is asked. */
  request: ApprovalRequest | undefined = undefined;
  /** How its last run ended. */
  ending: Ending = NOTHING_RAN;
  /** Of the event that its hooks are being asked about. */
  rules: Rules = NO_RULES;
  /** The hash of what was approved when it was sought. Absent until then, as is what follows: most calls pay nothing for it. */
  declare approved?: string | undefined;
  /** In the split form: what it goes on with. */
  declare due?: CallToken | undefined;
  /** What `recheckToolCall` knows of it. */
  declare changed?: Changed;

  constructor(
    internal: HooksInternal,
    session: KnownSession,
    described: ToolCall,
    event: BeforeToolCall,
    chains: CallChains,
    can: Can,
    check: InputCheck | undefined,
  ) {
    this.internal = internal;
    this.session = session;
    this.described = described;
    this.event = event;
    this.chains = chains;
    this.can = can;
    this.check = check;
  }

  /** Asks the hooks of one of the call's events, and keeps the context that they contribute. */
  ask(chain: Chain, event: EventPayload, rules: Rules): HookDecision | PromiseLike<HookDecision> {
    this.rules = rules;
    const decision = ask(this.internal, chain, event, this);
    if (decision === PROCEED) return PROCEED;
    return isThenable(decision) ? decision.then((settled) => keep(this, settled)) : keep(this, decision);
  }

  get signal(): AbortSignal | undefined {
    return this.described.signal;
  }

  /** For the adapter's own `execute`, to which the flight is what a hook's gets as its options. */
  get call(): ToolEvent {
    return this.event;
  }

  /** It has run as often as it may. */
  get last(): boolean {
    return this.attempt >= (this.internal.options.maxAttempts ?? 3);
  }

  refuse(decision: HookDecision, event: EventPayload): string | undefined {
    return this.rules.refuse?.(this, decision, event);
  }

  final(event: EventPayload): void {
    this.rules.final?.(this, event);
  }

  rechain(event: EventPayload): Chain {
    const call = event as Writable<BeforeToolCall>;
    const { toolName, before } = callChains(this.internal, call.toolName);
    call.toolName = toolName;
    if (this.target?.tool !== undefined) call.tool = this.target.tool;
    else if (this.target !== undefined) delete call.tool;
    return before;
  }

  verify(event: EventPayload): string | undefined | PromiseLike<string | undefined> {
    return this.rules.verify?.(this, event);
  }

  /** A new event about this call, with what all of a call's events carry. */
  tell(type: string): Writable<ToolEvent> {
    const { callId, toolName, nativeToolName, input } = this.event;
    return toolEvent(type, this.session, this.event, callId, toolName, nativeToolName, input);
  }

  /** What runs next: the effective input, and what stands in for the tool. */
  get running(): { readonly input: unknown; readonly execute?: Execute } {
    const { input } = this.event;
    const execute = this.event.execute ?? this.target?.execute;
    return execute === undefined ? { input } : { input, execute };
  }

  /** Runs the tool, or what hooks have put in its place. */
  start(execute: Execute): unknown {
    if (this.changed !== undefined) this.event = this.changed.from;
    const { event, target } = this;
    const routed = event.execute;
    if (routed !== undefined) return routed(event.input, { signal: this.signal, call: event });
    return (target?.execute ?? execute)(event.input, this);
  }

  /** The call as plain JSON. */
  get token(): CallToken {
    const { type, session, tool, native, ...call } = this.tell('token');
    const { attempt, startedAt, can } = this;
    return { ...call, session: session.id, attempt, startedAt, retry: can.retry === true };
  }
}

/** A call that has just come in. */
export function makeFlight(hooks: Hooks, call: ToolCall, can: Can = CANNOT, check?: InputCheck): Flight {
  const internal = hooks['~internal'];
  const chains = callChains(internal, call.toolName);
  // Hooks see the session of their own registry, with what they keep in it.
  const session = internal.state(call.session);
  const event: Writable<BeforeToolCall> = toolEvent(
    'before_tool_call',
    session,
    call,
    call.callId ?? mintCallId(),
    chains.toolName,
    call.toolName,
    call.input,
  );
  if (call.resumed !== undefined) event.resumed = call.resumed;
  return new Flight(internal, session, call, event, chains, can, check);
}

/** Keeps the context that a decision contributes. */
function keep(flight: Flight, decision: HookDecision): HookDecision {
  if (decision.kind !== 'modify') return decision;
  const { context } = decision.patch as { readonly context?: readonly string[] };
  if (context !== undefined) flight.context = [...flight.context, ...context];
  return decision;
}

/** A type whose fields can be set while it is being made. */
export type Writable<T> = { -readonly [Field in keyof T]: T[Field] };

/** Field by field instead of by spreading: a call makes several, and their hidden class stays one. */
function toolEvent(
  type: string,
  session: KnownSession,
  from: Pick<ToolCall, 'agent' | 'run' | 'turn' | 'tool' | 'parentCallId' | 'native'>,
  callId: string,
  toolName: string,
  nativeToolName: string,
  input: unknown,
): Writable<ToolEvent> {
  const event: Writable<ToolEvent> = { type, session, callId, toolName, nativeToolName, input };
  describe(event, from);
  return event;
}

/** Sets what not every call has. */
export function describe(
  event: Writable<ToolEvent>,
  from: Pick<ToolCall, 'agent' | 'run' | 'turn' | 'tool' | 'parentCallId' | 'native'>,
): void {
  if (from.agent !== undefined) event.agent = from.agent;
  if (from.run !== undefined) event.run = from.run;
  if (from.turn !== undefined) event.turn = from.turn;
  if (from.tool !== undefined) event.tool = from.tool;
  if (from.parentCallId !== undefined) event.parentCallId = from.parentCallId;
  if (from.native !== undefined) event.native = from.native;
}

function mintCallId(): string {
  return `call-${crypto.randomUUID()}`;
}
