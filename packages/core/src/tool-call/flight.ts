import type { ApprovalRequest } from '../approval.ts';
import type { Chain } from '../chain.ts';
import { type HookDecision, PROCEED } from '../decision.ts';
import { ask, type DispatchOptions } from '../dispatch.ts';
import type { EventPayload } from '../event.ts';
import type { ToolEvent } from '../events/groups.ts';
import type { BeforeToolCall } from '../events/tool.ts';
import type { Execute } from '../execute.ts';
import type { Hooks, HooksInternal } from '../hooks.ts';
import type { KnownSession } from '../session.ts';
import { isThenable } from '../thenable.ts';
import { type CallChains, callChains } from './chains.ts';
import type { BeginOptions, CallToken, RenameTarget, ToolCall } from './types.ts';

const NO_CONTEXT: readonly string[] = [];

/** One tool call on its way through the pipeline. */
export class Flight {
  readonly internal: HooksInternal;
  readonly session: KnownSession;
  readonly options: BeginOptions;
  /** As the adapter described it; renewed when a paused call is taken up again. */
  call: ToolCall;
  /** The call as hooks have left it. */
  event: BeforeToolCall;
  /** The hooks of the tool that will run. */
  chains: CallChains;
  /** The tool that a hook put in the place of the one called. */
  target: RenameTarget | undefined = undefined;
  /** Nothing stands in the way of running it any more. */
  cleared = false;
  attempt = 0;
  startedAt = 0;
  exhausted = false;
  context: readonly string[] = NO_CONTEXT;
  /** Set while a person is asked. */
  request: ApprovalRequest | undefined = undefined;

  constructor(hooks: Hooks, call: ToolCall, options: BeginOptions) {
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
    this.internal = internal;
    this.session = session;
    this.options = options;
    this.call = call;
    this.event = event;
    this.chains = chains;
  }

  /** Asks the hooks of one of the call's events, and keeps the context that they contribute. */
  ask(chain: Chain, event: EventPayload, options: DispatchOptions): HookDecision | PromiseLike<HookDecision> {
    if (chain.empty) return PROCEED;
    const decision = ask(this.internal, chain, event, options);
    if (decision === PROCEED) return PROCEED;
    return isThenable(decision) ? decision.then((settled) => this.#keep(settled)) : this.#keep(decision);
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

  /** The call as plain JSON. */
  get token(): CallToken {
    const { type, session, tool, native, ...call } = this.tell('token');
    const { attempt, startedAt, options } = this;
    return { ...call, session: session.id, attempt, startedAt, retry: options.can?.retry === true };
  }

  #keep(decision: HookDecision): HookDecision {
    if (decision.kind !== 'modify') return decision;
    const { context } = decision.patch as { readonly context?: readonly string[] };
    if (context !== undefined) this.context = [...this.context, ...context];
    return decision;
  }
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
  if (from.agent !== undefined) event.agent = from.agent;
  if (from.run !== undefined) event.run = from.run;
  if (from.turn !== undefined) event.turn = from.turn;
  if (from.tool !== undefined) event.tool = from.tool;
  if (from.parentCallId !== undefined) event.parentCallId = from.parentCallId;
  if (from.native !== undefined) event.native = from.native;
  return event;
}

let minted = 0;

function mintCallId(): string {
  return `call-${Date.now().toString(36)}-${(minted++).toString(36)}`;
}
