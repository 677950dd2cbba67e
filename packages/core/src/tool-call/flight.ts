import type { ApprovalRequest } from '../approval.ts';
import { keepContributed } from '../contributed.ts';
import type { HookDecision } from '../decision.ts';
import { ask, type DispatchOptions } from '../dispatch.ts';
import type { EventPayload, PointData } from '../event.ts';
import type { ToolEvent } from '../events/groups.ts';
import type { BeforeToolCall } from '../events/tool.ts';
import type { Execute } from '../execute.ts';
import type { Hooks, HooksInternal } from '../hooks.ts';
import { canonicalName } from '../match.ts';
import type { SessionState } from '../session.ts';
import { after } from '../thenable.ts';
import type { BeginOptions, CallToken, RenameTarget, ToolCall } from './types.ts';

/** One tool call on its way through the pipeline. */
export class Flight {
  readonly hooks: Hooks;
  readonly internal: HooksInternal;
  readonly session: SessionState;
  readonly options: BeginOptions;
  /** As the adapter described it; renewed when a paused call is taken up again. */
  call: ToolCall;
  /** The call as hooks have left it. */
  event: BeforeToolCall;
  /** The tool that a hook put in the place of the one called. */
  target: RenameTarget | undefined;
  attempt = 0;
  startedAt = 0;
  exhausted = false;
  context: readonly string[] = [];
  /** Set while a person is asked. */
  request: ApprovalRequest | undefined;

  constructor(hooks: Hooks, call: ToolCall, options: BeginOptions) {
    this.hooks = hooks;
    this.internal = hooks['~internal'];
    this.session = this.internal.state(call.session);
    this.options = options;
    this.call = call;
    this.event = beforeToolCall(this.session, call, canonicalName(call.toolName, this.internal.options));
  }

  /** Asks the hooks of one of the call's events, and keeps the context that they contribute. */
  ask(
    point: PointData,
    event: EventPayload,
    options: DispatchOptions,
  ): HookDecision | PromiseLike<HookDecision> {
    const chain = this.internal.chain(point, this.event.toolName);
    if (chain.empty) return ask(this.internal.host, chain, event, options);
    return after(ask(this.internal.host, chain, event, options), (decision) => {
      if (decision.kind === 'modify') this.#keep(point, event, decision);
      return decision;
    });
  }

  /** What all of the call's events carry. */
  get common(): ToolEvent {
    const { approval, execute, context, resumed, ...common } = this.event;
    return common;
  }

  /** What runs next: the effective input, and what stands in for the tool. */
  get running(): { readonly input: unknown; readonly execute?: Execute } {
    const { input } = this.event;
    const execute = this.event.execute ?? this.target?.execute;
    return execute === undefined ? { input } : { input, execute };
  }

  get token(): CallToken {
    const { callId, toolName, nativeToolName, input, agent, run, turn, parentCallId } = this.event;
    return {
      callId,
      toolName,
      nativeToolName,
      input,
      session: this.session.id,
      attempt: this.attempt,
      startedAt: this.startedAt,
      retry: this.options.can?.retry === true,
      ...(agent !== undefined && { agent }),
      ...(run !== undefined && { run }),
      ...(turn !== undefined && { turn }),
      ...(parentCallId !== undefined && { parentCallId }),
    };
  }

  #keep(point: PointData, event: EventPayload, decision: HookDecision & { readonly kind: 'modify' }): void {
    keepContributed(this.session, point.spec, event, decision);
    const { context } = decision.patch as { readonly context?: readonly string[] };
    if (context !== undefined) this.context = [...this.context, ...context];
  }
}

let minted = 0;

function beforeToolCall(session: SessionState, call: ToolCall, toolName: string): BeforeToolCall {
  // One literal for all calls, so that their events share a hidden class; absent fields stay undefined-free.
  const event: { -readonly [Field in keyof BeforeToolCall]: BeforeToolCall[Field] } = {
    type: 'before_tool_call',
    session,
    callId: call.callId ?? `call-${Date.now().toString(36)}-${(minted++).toString(36)}`,
    toolName,
    nativeToolName: call.toolName,
    input: call.input,
  };
  if (call.agent !== undefined) event.agent = call.agent;
  if (call.run !== undefined) event.run = call.run;
  if (call.turn !== undefined) event.turn = call.turn;
  if (call.tool !== undefined) event.tool = call.tool;
  if (call.parentCallId !== undefined) event.parentCallId = call.parentCallId;
  if (call.native !== undefined) event.native = call.native;
  if (call.resumed !== undefined) event.resumed = call.resumed;
  return event;
}
