import {
  type Begun,
  type CallOptions,
  callTool,
  type Hooks,
  hashInput,
  type InvalidInput,
  markHooked,
  originalTool,
  type RenameTarget,
  type Resumed,
  type Session,
  type ToolCall,
  type ToolCallOutcome,
  type ToolKind,
} from '@hooks/core';
import { noteBlocked, refusalsOf } from './blocked.ts';
import { type Definition, definitionOf } from './definition.ts';
import type { Attached } from './options.ts';
import { checkOf } from './schema.ts';
import { type Scope, scopeOf, turnId } from './scope.ts';
import {
  copyWith,
  isAgentTool,
  type SdkAgent,
  type SdkContext,
  type SdkDetails,
  type SdkFunctionTool,
} from './sdk.ts';
import { runSubagent, SubagentPaused } from './subagent.ts';
import { expectStop } from './tool-use.ts';
import { parseInput } from './translate.ts';

/** Where a tool stands: the agent that has it, its kind, and its hooked siblings. */
export interface ToolPlace {
  readonly agent?: SdkAgent;
  readonly kind: ToolKind;
  /** The hooked tool of that name of the same agent. */
  readonly sibling?: (name: string) => HookedCalls | undefined;
}

/** The SDK's own objects, as tool events carry them under `native`. */
export interface NativeToolCall {
  readonly tool: SdkFunctionTool;
  /** The run's `RunContext`. */
  readonly context: unknown;
  /** What the SDK hands to a tool beside its input. */
  readonly details: SdkDetails | undefined;
  readonly agent: SdkAgent | undefined;
}

const hookedBy: WeakMap<object, ReadonlySet<Hooks>> = new WeakMap();

/** Whether calls of this tool go through these hooks. */
export function isHooked(tool: object, hooks: Hooks): boolean {
  return hookedBy.get(tool)?.has(hooks) ?? false;
}

/** The hooked copy of a function tool: same name, schema and options, its calls through the pipeline. */
export function hookedCopy<T extends SdkFunctionTool>(calls: HookedCalls<T>, more: object = {}): T {
  const { tool, attached } = calls;
  const copy = copyWith(tool, { invoke: calls.invoke, ...more });
  hookedBy.set(copy, new Set([...(hookedBy.get(tool) ?? []), attached.hooks]));
  return markHooked(copy, tool);
}

/** The calls of one hooked tool. */
export class HookedCalls<T extends SdkFunctionTool = SdkFunctionTool> {
  readonly tool: T;
  readonly definition: Definition;
  readonly check: NonNullable<CallOptions['check']>;
  readonly attached: Attached;
  readonly place: ToolPlace;
  /** Whether the SDK itself asks before calls of this tool, always or sometimes; as of the last turn. */
  asks = false;
  /** What the copies of the tool have as theirs: one function, since the SDK compares it. */
  readonly invoke: (context: SdkContext, input: string, details?: SdkDetails) => Promise<unknown>;

  constructor(tool: T, attached: Attached, place: ToolPlace) {
    this.tool = tool;
    this.definition = definitionOf(tool);
    this.attached = attached;
    this.place = place;
    this.invoke = (context, input, details) => this.#invoke(context, input, details);
    const schema = checkOf(this.definition.parameters);
    this.check = (input) => notAnObject(input) ?? schema?.(input);
  }

  /** Whether anything applies to calls of the tool; to an agent as a tool, since its own calls are made inside it. */
  get concerned(): boolean {
    const { hooks } = this.attached;
    return hooks.concerns(this.tool.name) || (isAgentTool(this.tool) && hooks.list().length > 0);
  }

  async #invoke(context: SdkContext, input: string, details: SdkDetails | undefined): Promise<unknown> {
    const { hooks } = this.attached;
    const scope = scopeOf(this.attached);
    const callId = details?.toolCall?.callId;
    const begun = callId === undefined ? undefined : scope?.begun.get(callId);
    if (begun === undefined && !this.concerned) return this.tool.invoke(context, input, details);
    if (scope !== undefined) return this.#through(scope.session, scope, context, input, details, begun);
    await using session = hooks.session();
    return await this.#through(session, undefined, context, input, details, begun);
  }

  async #through(
    session: Session,
    scope: Scope | undefined,
    context: SdkContext,
    input: string,
    details: SdkDetails | undefined,
    begun: Begun | undefined,
  ): Promise<unknown> {
    const { hooks } = this.attached;
    const parsed = parseInput(input);
    const resumed =
      begun === undefined ? await resumedOf(this.tool.name, context, details, parsed) : undefined;
    const call = this.describe(session, scope, context, parsed, details, resumed && { resumed });
    try {
      const outcome = await callTool(
        hooks,
        call,
        (effective) =>
          this.#run(scope, context, effective === call.input ? input : JSON.stringify(effective), details),
        {
          check: this.check,
          rename: (name) => this.rename(name, context, details),
          approval: this.#approver(begun),
          begun,
          isControlFlow: (error) => error instanceof SubagentPaused,
        },
      );
      return await this.#settle(outcome, scope, context, details);
    } catch (error) {
      if (error instanceof SubagentPaused) return error.output;
      throw error;
    }
  }

  /** The call as the pipeline takes it. */
  describe(
    session: Session,
    scope: Scope | undefined,
    context: unknown,
    input: unknown,
    details: SdkDetails | undefined,
    more: Partial<ToolCall> = {},
  ): ToolCall {
    const { tool } = this;
    const { agent, kind } = this.place;
    const native: NativeToolCall = { tool, context, details, agent };
    return {
      session,
      agent: agent?.name ?? scope?.agent,
      run: scope?.run,
      turn: scope && turnId(scope),
      toolName: tool.name,
      callId: details?.toolCall?.callId,
      input,
      tool: { kind, ref: originalTool(tool), description: tool.description },
      parentCallId: scope?.parentCallId,
      signal: details?.signal,
      native,
      ...more,
    };
  }

  /** The tool that a hook put in the place of this one, or why it cannot be. */
  rename(name: string, context: unknown, details: SdkDetails | undefined): RenameTarget | string {
    const target = this.place.sibling?.(name);
    if (target === undefined) return `the agent has no function tool "${name}"`;
    const { tool, place, check, definition } = target;
    const { inputGuardrails = [], outputGuardrails = [], timeoutMs } = tool;
    if (inputGuardrails.length + outputGuardrails.length > 0)
      return `"${name}" has guardrails, which the SDK would not run`;
    if (timeoutMs !== undefined) return `"${name}" has a timeout, which the SDK would not enforce`;
    if (target.asks) return `"${name}" asks for approval, which the SDK would not do`;
    return {
      tool: { kind: place.kind, ref: originalTool(tool), description: tool.description },
      check,
      execute: (input) => definition.run(context, JSON.stringify(input), details),
    };
  }

  #approver(begun: Begun | undefined): CallOptions['approval'] {
    const { approval } = this.attached.options;
    if (typeof approval === 'function') return approval;
    // The SDK invokes a tool for which it has asked only after a yes.
    return begun?.kind === 'ask' ? () => ({ decision: 'allow', source: 'user_approved' }) : 'deny';
  }

  #run(
    scope: Scope | undefined,
    context: unknown,
    input: string,
    details: SdkDetails | undefined,
  ): Promise<unknown> {
    // The very details that the SDK made: nested runs hang on hidden properties and on the object itself.
    const run = () => this.definition.run(context, input, details);
    if (!isAgentTool(this.tool)) return run();
    return runSubagent(this.attached, scope, parseInput(input), details, run);
  }

  #stop(scope: Scope | undefined, reason: string): void {
    if (scope !== undefined) scope.stop ??= reason;
    if (this.place.agent !== undefined) expectStop(this.place.agent);
  }

  async #settle(
    outcome: ToolCallOutcome,
    scope: Scope | undefined,
    context: SdkContext,
    details: SdkDetails | undefined,
  ): Promise<unknown> {
    const input = JSON.stringify(outcome.input);
    if (outcome.status === 'ok') return outcome.output;
    if (outcome.status === 'error') {
      if (outcome.aborted) throw outcome.error;
      const { definition } = this;
      if (outcome.code === undefined) return definition.fail(context, input, details, outcome.error);
      return definition.refuse(context, input, details, outcome.error);
    }
    const { reason = '', message = reason, stop, callId } = outcome;
    if (typeof context === 'object' && context !== null) {
      const refusals = refusalsOf(context);
      refusals.calls.set(callId, reason);
      if (stop) refusals.stop ??= reason;
      noteBlocked(context, reason);
    }
    if (details !== undefined) noteBlocked(details, reason);
    if (stop) this.#stop(scope, reason);
    return message;
  }
}

/** A person's yes that was given before this process began the call. */
async function resumedOf(
  toolName: string,
  context: SdkContext,
  details: SdkDetails | undefined,
  input: unknown,
): Promise<Resumed | undefined> {
  const callId = details?.toolCall?.callId;
  if (callId === undefined || context?.isToolApproved?.({ toolName, callId }) !== true) return undefined;
  return { decision: 'allow', hash: await hashInput(input) };
}

function notAnObject(input: unknown): InvalidInput | undefined {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return undefined;
  return { message: 'the input must be a JSON object' };
}
