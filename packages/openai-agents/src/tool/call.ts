import {
  type Execute,
  type FindTarget,
  type InputCheck,
  markHooked,
  originalTool,
  type ToolCallOutcome,
  type ToolDescriptor,
  type ToolKind,
} from '@hooks/core';
import {
  approvalReason,
  BlockedError,
  errorText,
  forgetBlocked,
  isSameInput,
  NO_APPROVER,
  noteBlocked,
  type RunToolCall,
  shownHash,
  standIn,
} from '@hooks/core/adapter';
import {
  ANSWERED,
  approvalIdOf,
  decisionOn,
  isUsed,
  releaseApproval,
  type SdkCall,
  useApproval,
} from '../approval/decision.ts';
import {
  approvalKey,
  type Invocation,
  isAgentTool,
  type SdkAgent,
  type SdkContext,
  type SdkDetails,
  type SdkFunctionTool,
} from '../internals.ts';
import type { Registries } from '../options.ts';
import { currentRun, HookedRun } from '../run/hooked-run.ts';
import { giveUp, runSubagent, SubagentPaused } from '../run/subagent.ts';
import { parseInput } from '../translate.ts';
import { checkOfCall, type Definition, definitionOf, withInput } from './definition.ts';
import { stopAtRefusal } from './final-output.ts';
import { noteReplaced, withoutCustomData } from './replaced-output.ts';
import { furtherOut, passed, type RunningCall, whileRunning } from './running-call.ts';
import { checkOf, notAnObject, parsed } from './schema.ts';

/** `native` of tool events: the SDK's own objects. */
export interface NativeToolCall {
  readonly tool: SdkFunctionTool;
  /** The run's `RunContext`. */
  readonly context: unknown;
  /** What the SDK passes to a tool besides its input. */
  readonly details: SdkDetails | undefined;
  readonly agent: SdkAgent | undefined;
}

/** The place of a tool: its kind, its agent and that agent's registries. */
export interface ToolPlace {
  readonly kind: ToolKind;
  /** The agent that has it. */
  readonly agent?: SdkAgent;
  /** The registries that are attached to the agent. */
  readonly attached?: () => Registries;
  /** The hooked tool of that name of the same agent, as it is in the run with this context. */
  readonly sibling?: (name: string, context: SdkContext | undefined) => HookedTool | undefined;
}

const HOOKED = Symbol('hooks.tool');
const POLICY = Symbol('hooks.policy');

/** Why a call cannot wait where the SDK has not asked a person about it. */
const CANNOT_PAUSE = `${NO_APPROVER} to an approver, or run the agent with a hooked runner`;

/** The hooked tool behind a copy, also behind one that the SDK or its users have made of it. One with another name is another tool. */
export function hookedToolOf({ name, invoke }: SdkFunctionTool): HookedTool | undefined {
  const found: HookedTool | undefined = Reflect.get(invoke, HOOKED);
  return found?.tool.name === name ? found : undefined;
}

/** The tool under hooks, at its place: of one that is hooked already, the tool behind them, and they go on to hook it. */
export function hook<T extends SdkFunctionTool>(
  tool: T,
  registries: Registries,
  place: ToolPlace,
): HookedTool<T> {
  const known = hookedToolOf(tool);
  if (known === undefined) return new HookedTool(tool, registries, place);
  const { invoke } = known.tool;
  // With what else the copy has.
  const behind = standIn(tool, {
    // The SDK's own function is known by its text.
    invoke: Object.hasOwn(known.tool, 'invoke') ? invoke : invoke.bind(known.tool),
    ...(POLICY in tool.needsApproval && { needsApproval: known.tool.needsApproval }),
  });
  return new HookedTool(behind, registries.around(known.standing), place);
}

/** A function tool under hooks: where its calls enter. */
export class HookedTool<T extends SdkFunctionTool = SdkFunctionTool> {
  /** The tool as it is without hooks. */
  readonly tool: T;
  readonly place: ToolPlace;
  /** Whether the SDK itself asks before calls of this tool, always or sometimes; as of the last turn. */
  asks = false;
  readonly #definition: Definition;
  readonly #check: InputCheck;
  /** The tool as tool events describe it. */
  readonly #descriptor: ToolDescriptor;
  /** The `invoke` of all hooked copies of the tool. It is one function because the SDK compares it. */
  readonly #invoke: SdkFunctionTool['invoke'];
  readonly #own: Registries;
  readonly #copies: Map<boolean, T> = new Map();

  /** @param own the registries that the tool itself was hooked with */
  constructor(tool: T, own: Registries, place: ToolPlace) {
    this.tool = tool;
    this.#own = own;
    this.place = place;
    this.#definition = definitionOf(tool);
    this.#descriptor = {
      kind: place.kind,
      ref: originalTool(tool),
      description: tool.description,
      inputSchema: () => tool.parameters,
    };
    const schema = checkOf(this.#definition.parameters);
    this.#check = (input) => notAnObject(input) ?? schema?.(input);
    const invoke = (context: SdkContext, input: string, details?: SdkDetails) =>
      this.#enter({ context, input, details });
    this.#invoke = Object.assign(invoke, { [HOOKED]: this });
  }

  /**
   * The copy that stands in the tool's place: same name, schema and options, its calls through the hooks.
   *
   * @param asks whether hooks are asked when the SDK asks whether a call needs approval
   */
  copy(asks: boolean): T {
    const known = this.#copies.get(asks);
    if (known !== undefined) return known;
    const needsApproval = Object.assign(this.#needsApproval.bind(this), { [POLICY]: true });
    const changed = { invoke: this.#invoke, ...(asks && { needsApproval }) };
    const copy = markHooked(standIn(withoutCustomData(this.tool), changed), this.tool);
    this.#copies.set(asks, copy);
    return copy;
  }

  /** The registries that hook it whoever runs it: its agent's and its own. */
  get standing(): Registries {
    return this.place.attached?.().around(this.#own) ?? this.#own;
  }

  /** All registries that hook it here. */
  get registries(): Registries {
    return currentRun()?.hookedBy.around(this.standing) ?? this.standing;
  }

  /** Whether its calls go through core: a hook applies to them, or to what an agent as a tool does. */
  isConcerned(registries: Registries = this.registries): boolean {
    return registries.concerns(this.tool.name) || isAgentTool(this.tool);
  }

  /**
   * The approval policy of a copy: in a hooked run hooks are asked when the SDK asks whether the call needs approval, and not
   * again when it runs. The SDK pauses where a person is to be asked.
   */
  async #needsApproval(context: SdkContext, input: unknown, callId?: string): Promise<boolean> {
    const { tool, place, registries } = this;
    const asks = await tool.needsApproval(context, await parsed(this.#definition.parameters, input), callId);
    const run = currentRun();
    if (run === undefined || run.single || !run.owns(context, place.agent?.name ?? '')) return asks;
    if (callId === undefined || !(asks || registries.isNative) || !this.isConcerned(registries)) return asks;
    const raw = JSON.stringify(input);
    const details = { toolCall: { callId, name: tool.name, arguments: raw } };
    const call = this.#begin(run, { context, input: raw, details }, input, asks);
    const begun = await run.beginTool(
      { ...this.#describe(call, run), callId },
      {
        check: this.#checkOf(call.invocation),
        inner: this.standing.attached(),
        // The SDK's pause shows a person the model's arguments, and runs those.
        capabilities: { retry: true, route: true, rename: this.#finder(call, run), ask: 'unchanged' },
        runsIn: 'callTool',
      },
    );
    // Approvers are asked in place, when the SDK invokes the tool.
    return begun.kind === 'ask' && begun.native;
  }

  #enter(invocation: Invocation): Promise<unknown> {
    const { context, input, details } = invocation;
    const outer = furtherOut(details, this.tool.name);
    if (outer !== undefined) return this.#enterInside(outer, invocation);
    const { registries } = this;
    const run = currentRun();
    // Forget what was noted about another call in the same context.
    if (run === undefined && context !== undefined) forgetBlocked(context);
    const callId = details?.toolCall?.callId ?? '';
    if (run?.calls.has(callId) !== true && !this.isConcerned(registries))
      return this.tool.invoke(context, input, details);
    if (run === undefined) return this.#callAlone(registries, undefined, invocation);
    const called = this.#call(run, undefined, invocation);
    // After a timeout the SDK goes on without the call, of which hooks may still be asked.
    if (this.tool.timeoutMs !== undefined) run.waitFor(called.catch(() => {}));
    return called;
  }

  /** The hooks of those further out were asked: it runs, unless it has further ones of its own. */
  async #enterInside(outer: RunningCall, invocation: Invocation): Promise<unknown> {
    const registries = this.registries.without(outer.registries);
    if (!registries.isEmpty && this.isConcerned(registries))
      return this.#callAlone(registries, outer, invocation);
    const input = await passed(outer, parseInput(invocation.input));
    return this.#definition.run(withInput(this.tool, invocation, input));
  }

  /** A call that is part of no hooked run has one of its own. */
  async #callAlone(
    registries: Registries,
    outer: RunningCall | undefined,
    invocation: Invocation,
  ): Promise<unknown> {
    const { context, details } = invocation;
    const principal = registries.principal(context?.context);
    const run = new HookedRun(registries, { signal: details?.signal, principal, single: true });
    try {
      return await this.#call(run, outer, invocation);
    } finally {
      await giveUp(run);
      await run.end({ kind: 'done' });
    }
  }

  async #call(run: HookedRun, outer: RunningCall | undefined, invocation: Invocation): Promise<unknown> {
    const { tool, standing } = this;
    const registries = run.hookedBy.around(standing);
    const { call, answer } = await this.#start(run, registries, invocation);
    let given: unknown;
    const execute: Execute = async (effective, running) => {
      const input = await passed(outer, effective);
      const asked = outer?.registries.around(registries) ?? registries;
      given = await this.#run(run, invocation, { registries: asked, input, running, outer });
      return given;
    };
    try {
      const outcome = await run.callTool({ ...this.#describe(call, run), ...answer }, execute, {
        check: this.#checkOf(invocation),
        inner: standing.attached(),
        rename: this.#finder(call, run),
        pause: isUsed(call) ? ANSWERED : CANNOT_PAUSE,
        isControlFlow: (error) => error instanceof SubagentPaused,
      });
      if (decisionOn(call) === true) useApproval(call);
      const isReplaced = outcome.output !== given && registries.decidesResult(tool.name);
      // What another tool gave is not for the extractor of this one.
      if (outcome.renamedTo !== undefined || isReplaced) noteReplaced(invocation);
      if (run.single && outcome.context.length > 0)
        run.warnOnce('@hooks/openai-agents hands context to models in runs of a hooked runner only.');
      if (outcome.status === 'ok') return outcome.output;
      return outcome.status === 'error' ? await this.#failed(outcome, call) : this.#blocked(outcome, call);
    } catch (error) {
      // The approval of the call itself is given: it resumes where it was.
      if (error instanceof SubagentPaused) {
        releaseApproval(call);
        return error.output;
      }
      run.ended = 'error';
      throw error;
    } finally {
      run.calls.delete(invocation.details?.toolCall?.callId ?? '');
    }
  }

  /** A call that is to run, and what a person has said to it. A yes is used for it. */
  async #start(
    run: HookedRun,
    { isNative }: Registries,
    invocation: Invocation,
  ): Promise<{ readonly call: SdkCall; readonly answer?: Pick<RunToolCall, 'resumed' | 'approvalId'> }> {
    const { tool, place } = this;
    const callId = invocation.details?.toolCall?.callId;
    const sent = parseInput(invocation.input);
    const begun = run.calls.get(callId ?? '');
    const isBegun = begun?.tool === tool && begun.agent === place.agent && isSameInput(begun.input, sent);
    const call = isBegun ? begun : this.#begin(run, invocation, sent, false);
    call.invocation = invocation;
    const isApproved = decisionOn(call) === true;
    // Before anything is waited for: another run may have the same context.
    if (isApproved) useApproval(call);
    if (!isBegun && isApproved) call.asks = await this.#asksAbout(call).catch(() => false);
    if (!isBegun && isUsed(call)) call.asks = await this.#asksAbout(call);
    // Only where a person may have been asked about this very call.
    if (!isApproved || !(call.asks || isNative)) return { call };
    const resumed = { decision: 'allow', hash: await shownHash(sent) } as const;
    return {
      call,
      answer: { resumed, approvalId: approvalIdOf(run.pausedAs, approvalKey(tool), place.agent, callId) },
    };
  }

  /** Whether the tool's own policy wants a person to see a call. */
  async #asksAbout({ input, invocation: { context, details } }: SdkCall): Promise<boolean> {
    const given = await parsed(this.#definition.parameters, input);
    return this.tool.needsApproval(context, given, details?.toolCall?.callId);
  }

  /** A call that enters a run, as far as what people say about it goes. */
  #begin({ calls }: HookedRun, invocation: Invocation, input: unknown, asks: boolean): SdkCall {
    const call: SdkCall = { tool: this.tool, agent: this.place.agent, input, invocation, asks };
    calls.set(invocation.details?.toolCall?.callId ?? '', call);
    return call;
  }

  /** A call as a run takes it. */
  #describe({ input, invocation, asks }: SdkCall, run: HookedRun): RunToolCall {
    const { tool, place } = this;
    const { context, details } = invocation;
    return {
      agent: place.agent?.name ?? run.agent,
      toolName: tool.name,
      principal: this.standing.principalOfCall(run, context?.context),
      callId: details?.toolCall?.callId,
      input,
      needsApproval: asks ? approvalReason(tool.name) : undefined,
      tool: this.#descriptor,
      signal: details?.signal ?? run.signal,
      native: this.#nativeOf(invocation),
    };
  }

  #nativeOf({ context, details }: Invocation): NativeToolCall {
    return { tool: this.tool, context, details, agent: this.place.agent };
  }

  #checkOf(invocation: Invocation): InputCheck {
    return checkOfCall(this.#check, this.#definition, invocation);
  }

  #finder(call: SdkCall, run: HookedRun): FindTarget {
    return (name) => {
      const { invocation } = call;
      const target = this.place.sibling?.(name, invocation.context);
      if (target === undefined) return `the agent has no function tool "${name}"`;
      const registries = run.hookedBy.around(this.standing);
      return {
        name,
        tool: target.#descriptor,
        native: { ...this.#nativeOf(invocation), tool: target.tool },
        registries: run.hookedBy.around(target.standing).attached(),
        unenforced: target.#unenforced,
        check: target.#checkOf(invocation),
        execute: (input, running) => {
          call.ran = { tool: target.tool, definition: target.#definition };
          const told = { registries, input, running, outer: undefined };
          return target.#run(run, call.invocation, told, this.tool.timeoutMs);
        },
      };
    };
  }

  /** What the SDK would enforce of it if the model called it, and does not where a hook puts it in another's place. */
  get #unenforced(): string | undefined {
    const { inputGuardrails = [], outputGuardrails = [], timeoutMs } = this.tool;
    if (inputGuardrails.length + outputGuardrails.length > 0)
      return 'has guardrails, which the SDK would not run';
    if (timeoutMs !== undefined) return 'has a timeout, which the SDK would not enforce';
    return this.asks ? 'asks for approval, which the SDK would not do' : undefined;
  }

  /** Runs the tool with an input that hooks decided on. */
  #run(
    run: HookedRun,
    given: Invocation,
    call: Omit<RunningCall, 'toolName'>,
    timeoutMs = this.tool.timeoutMs,
  ): Promise<unknown> {
    const { tool } = this;
    const invocation = withInput(tool, given, call.input);
    return whileRunning(invocation.details, { ...call, toolName: tool.name }, () => {
      const { signal } = invocation.details ?? {};
      // A call that was begun before knows only the signal of that time.
      signal?.throwIfAborted();
      const act = () => this.#definition.run(invocation);
      if (isAgentTool(tool)) return runSubagent(run, invocation, act);
      return timeoutMs === undefined || signal === undefined ? act() : unlessTimedOut(act(), signal);
    });
  }

  /** What the SDK gets of a call that has failed. */
  async #failed(
    { aborted, code, by, error, input }: ToolCallOutcome,
    { invocation, ran }: SdkCall,
  ): Promise<unknown> {
    if (aborted) throw error;
    // The SDK's default text for invalid inputs does not say what is wrong, and it does not know a hook's schema.
    if (by !== undefined) return errorText(error);
    if (code !== undefined) return this.#definition.refuse(invocation, error);
    const { tool, definition } = ran ?? { tool: this.tool, definition: this.#definition };
    return definition.fail(withInput(tool, invocation, input), error);
  }

  /** What the SDK gets of a call that was blocked. */
  #blocked(outcome: ToolCallOutcome, { invocation }: SdkCall): string {
    const { reason = '', message = reason, stop, callId } = outcome;
    const around = currentRun();
    if (around !== undefined) {
      around.refuse(this.tool.name, callId);
      // The end of such a run is the runner's: only an error ends it.
      if (stop && around.single) throw new BlockedError(outcome);
      if (stop) around.endBy({ reason, by: outcome.by });
      if (stop && this.place.agent !== undefined) stopAtRefusal(this.place.agent);
      return message;
    }
    for (const told of [invocation.context, invocation.details])
      if (told !== undefined) noteBlocked(told, reason);
    if (stop) throw new BlockedError(outcome);
    return message;
  }
}

/**
 * What a tool gives, or its timeout where that comes first: the SDK then answers in the tool's place and lets it run on,
 * so the call is over for hooks, too.
 */
async function unlessTimedOut<T>(running: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const aborted = (): void => {
    // For a tool whose run is aborted, or whose sibling has failed, the SDK waits.
    if (isTimeout(signal.reason)) reject(signal.reason);
  };
  signal.addEventListener('abort', aborted, { once: true });
  try {
    return await Promise.race([running, promise]);
  } finally {
    signal.removeEventListener('abort', aborted);
  }
}

function isTimeout(reason: unknown): boolean {
  return typeof reason === 'object' && reason !== null && 'toolName' in reason && 'timeoutMs' in reason;
}
