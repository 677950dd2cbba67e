import {
  type Begun,
  type CallOptions,
  type ExecuteOptions,
  originalTool,
  type RenameTarget,
  type ToolCallOutcome,
  type ToolDescriptor,
} from '@hooks/core';
import { concerns, decidesResult, isIdle, registered, warnOnce } from '@hooks/core/adapter';
import { beginToolCall, callTool, runNested } from '@hooks/core/tool-call';
import { People, yesTo } from '../approval/decisions.ts';
import { asksItself } from '../approval/own-policy.ts';
import { type BegunCall, begunCall } from '../approval/pending-calls.ts';
import { isAgentTool, type SdkContext, type SdkDetails, type SdkFunctionTool } from '../internals.ts';
import type { Attached } from '../options.ts';
import { forgetRefusal, noteRefusal, RunBlockedError } from '../run/blocked.ts';
import { noteStop, openScope, type Scope, scopeOf } from '../run/scope.ts';
import { keptScope, leave } from '../run/single-call.ts';
import { runSubagent, SubagentPaused } from '../run/subagent.ts';
import { parseInput } from '../translate.ts';
import { type Definition, definitionOf, type Invocation, isOfRunner } from './definition.ts';
import { describe } from './describe.ts';
import { expectStop, stopOfRun } from './final-output.ts';
import type { ToolPlace } from './place.ts';
import { noteReplaced } from './replaced-output.ts';
import { checkOf, notAnObject } from './schema.ts';
import { unlessTimedOut } from './timeout.ts';
import { unenforcedOf } from './unenforced.ts';

/** The calls of one hooked tool. */
export class HookedCalls<T extends SdkFunctionTool = SdkFunctionTool> {
  readonly tool: T;
  readonly definition: Definition;
  readonly check: NonNullable<CallOptions['check']>;
  readonly attached: Attached;
  readonly place: ToolPlace;
  readonly people: People;
  /** The tool as tool events describe it. */
  readonly descriptor: ToolDescriptor;
  #replaceable = false;
  /** As of which hooks that is known. */
  #asked: object | undefined;
  /** Whether the SDK itself asks before calls of this tool, always or sometimes; as of the last turn. */
  asks = false;
  /** The copy that agents have in the tool's place, and that with an approval policy; made when first needed. */
  copy: SdkFunctionTool | undefined;
  asking: SdkFunctionTool | undefined;
  /** What the copies of the tool have as theirs: one function, since the SDK compares it. */
  readonly invoke: (context: SdkContext, input: string, details?: SdkDetails) => Promise<unknown>;

  constructor(tool: T, attached: Attached, place: ToolPlace) {
    this.tool = tool;
    this.definition = definitionOf(tool);
    this.attached = attached;
    this.place = place;
    this.descriptor = { kind: place.kind, ref: originalTool(tool), description: tool.description };
    this.invoke = (context, input, details) => this.take({ context, input, details }, true);
    this.people = new People(tool, place.agent);
    const schema = checkOf(this.definition.parameters);
    this.check = (input) => notAnObject(input) ?? schema?.(input);
  }

  /** Whether anything applies to calls of the tool; to an agent as a tool, since its own calls are made inside it. */
  get concerned(): boolean {
    const { hooks } = this.attached;
    return concerns(hooks, this.tool.name) || (isAgentTool(this.tool) && !isIdle(hooks));
  }

  /**
   * Takes a call through the pipeline.
   *
   * @param worded whether a failure is to be what the SDK makes of it, rather than thrown as it is
   */
  take(invocation: Invocation, worded: boolean): Promise<unknown> {
    const { context, input, details } = invocation;
    const callId = details?.toolCall?.callId;
    forgetRefusal(context, this.tool.name, callId ?? '');
    const running = scopeOf(this.attached);
    const scope = running ?? keptScope(this.attached, context, callId);
    const begun = scope?.begun && begunCall(scope, this, callId ?? '', parseInput(input));
    if (begun === undefined && !this.concerned)
      return worded ? this.tool.invoke(context, input, details) : this.definition.run(invocation);
    if (running === undefined) return this.#alone(scope, invocation, begun, worded);
    const taken = this.#through(running, invocation, begun, worded);
    // After a timeout the SDK goes on without the call, of which hooks may still be asked.
    if (this.tool.timeoutMs !== undefined) running.pending.push(taken.catch(() => {}));
    return taken;
  }

  async #alone(
    known: Scope | undefined,
    invocation: Invocation,
    begun: BegunCall | undefined,
    worded: boolean,
  ): Promise<unknown> {
    const scope = known ?? openScope(this.attached, this.attached.hooks.session());
    try {
      return await this.#through(scope, invocation, begun, worded);
    } finally {
      await leave(scope, invocation.context, invocation.details?.toolCall?.callId);
    }
  }

  async #through(
    scope: Scope,
    invocation: Invocation,
    known: BegunCall | undefined,
    worded: boolean,
  ): Promise<unknown> {
    const parsed = known === undefined ? parseInput(invocation.input) : known.input;
    const approved =
      known === undefined && this.people.approved(invocation) && (await this.#mayPause(invocation));
    const yes = approved ? await yesTo(this.tool.name, parsed) : {};
    const call = describe(this, scope, invocation, parsed, yes);
    const at = known?.at ?? { invocation };
    at.invocation = invocation;
    const { hooks, options } = this.attached;
    const rename = (name: string) => this.rename(name, scope, at);
    const ask = typeof options.approval === 'function';
    const replaceable = this.#isReplaceable();
    let given: unknown;
    const run = (effective: unknown, running: ExecuteOptions) => {
      const calling =
        effective === parsed && this.definition.hooked !== true
          ? this.#run(scope, invocation)
          : this.#nested(scope, effective === parsed ? undefined : { input: effective }, invocation, running);
      return replaceable ? calling.then((output) => (given = output)) : calling;
    };
    try {
      // The session may know it as one that waits, also where the state was restored.
      const can = approved && { retry: true, route: true, rename, ask };
      const begun = can ? await beginToolCall(hooks, call, { check: this.check, can }) : known?.begun;
      const outcome = await callTool(hooks, call, run, {
        check: this.check,
        rename,
        approval: this.#approver(begun, invocation),
        begun,
        isControlFlow: (error) => error instanceof SubagentPaused,
      });
      if (known !== undefined) scope.begun?.delete(outcome.callId);
      if (replaceable && outcome.output !== given) noteReplaced(invocation);
      if (scope.bare && outcome.context.length > 0)
        warnOnce(hooks, '@hooks/openai-agents hands context to models in runs of a hooked runner only.');
      return outcome.status === 'ok'
        ? outcome.output
        : await this.#settle(outcome, scope, invocation, worded);
    } catch (error) {
      if (error instanceof SubagentPaused) {
        // Its own approval is given: taken up again, the call goes on where it was.
        scope.begun?.delete(call.callId ?? '');
        return error.output;
      }
      if (worded) scope.ended = 'error';
      throw error;
    }
  }

  /** Whether hooks may put something in the place of what the tool gives. */
  #isReplaceable(): boolean {
    const { hooks } = this.attached;
    const now = registered(hooks);
    if (this.#asked !== now) {
      this.#asked = now;
      this.#replaceable = decidesResult(hooks, this.tool.name);
    }
    return this.#replaceable;
  }

  /** The tool that a hook put in the place of this one, or why it cannot be. */
  rename(name: string, scope: Scope, at: { readonly invocation: Invocation }): RenameTarget | string {
    const target = this.place.sibling?.(name);
    if (target === undefined) return `the agent has no function tool "${name}"`;
    const unenforced = unenforcedOf(target.tool, target.asks);
    const { timeoutMs } = this.tool;
    if (unenforced !== undefined) return `"${name}" ${unenforced}`;
    return {
      tool: target.descriptor,
      check: target.check,
      // Those further out were not asked about that tool.
      execute: (input, running) =>
        target.#nested(scope, { input }, { ...at.invocation, outer: undefined }, running, timeoutMs),
    };
  }

  /** Runs the tool where hooks further out let it run with another input, and tells those further in to ask ours. */
  #nested(
    scope: Scope,
    changed: { readonly input: unknown } | undefined,
    invocation: Invocation,
    running: ExecuteOptions,
    timeoutMs?: number,
  ): Promise<unknown> {
    // A yes in the SDK's own way was to what it has shown, and to nothing that hooks have made of it since.
    const approval = this.attached.options.approval === 'native' ? 'deny' : this.attached.options.approval;
    const nested = { running, approval, outer: invocation.outer };
    return runNested(nested, changed, (left, outer) => {
      const input = left === undefined ? invocation.input : JSON.stringify(left.input);
      return this.#run(scope, { ...invocation, input, outer }, timeoutMs);
    });
  }

  #approver(begun: Begun | undefined, invocation: Invocation): CallOptions['approval'] {
    const { approval } = this.attached.options;
    if (typeof approval === 'function') return approval;
    const allowed = begun?.kind === 'ask' && this.people.approved(invocation);
    const ended = allowed ? stopOfRun(invocation.context) : undefined;
    if (ended !== undefined) return () => ({ decision: 'canceled', reason: ended });
    return allowed ? () => ({ decision: 'allow' }) : 'deny';
  }

  /** Whether a pause may have been for these hooks, or is the tool's own: a yes to what other hooks want is none to them. */
  async #mayPause({ context }: Pick<Invocation, 'context'>): Promise<boolean> {
    return this.attached.options.approval === 'native' || asksItself(this.tool, context);
  }

  #run(scope: Scope, invocation: Invocation, timeoutMs = this.tool.timeoutMs): Promise<unknown> {
    const { signal } = invocation.details ?? {};
    // A call that was begun before knows only the signal of that time.
    signal?.throwIfAborted();
    const run = () => this.definition.run(invocation);
    if (isAgentTool(this.tool)) return runSubagent(scope, invocation, run);
    return timeoutMs === undefined || signal === undefined ? run() : unlessTimedOut(run(), signal);
  }

  /** What the SDK gets of a call that did not go well. */
  async #settle(
    outcome: ToolCallOutcome,
    scope: Scope,
    invocation: Invocation,
    worded: boolean,
  ): Promise<unknown> {
    if (outcome.status === 'error') {
      if (outcome.aborted || !worded) throw outcome.error;
      const failed = { ...invocation, input: JSON.stringify(outcome.input) };
      return outcome.code === undefined
        ? this.definition.fail(failed, outcome.error)
        : this.definition.refuse(failed, outcome.error);
    }
    const { reason = '', message = reason, stop, callId } = outcome;
    const { agent } = this.place;
    const unscoped = agent !== undefined && scopeOf(this.attached) === undefined;
    noteRefusal(invocation, this.tool.name, callId, reason, stop && unscoped);
    noteStop(scope, outcome);
    if (stop && agent !== undefined) expectStop(agent);
    // Of a tool that was hooked by itself nobody knows the agent: its run can only be ended by an error.
    else if (stop && isOfRunner(invocation)) throw new RunBlockedError(reason);
    return message;
  }
}
