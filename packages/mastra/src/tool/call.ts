import type {
  Begun,
  ExecuteOptions,
  InvalidInput,
  RenameTarget,
  ToolCall,
  ToolCallOutcome,
  ToolDescriptor,
} from '@hooks/core';
import { concerns, decidesResult } from '@hooks/core/adapter';
import { type AskOuter, beginToolCall, callTool, runNested } from '@hooks/core/tool-call';
import { type ApprovalParts, asksByItself } from '../approval/own-approval.ts';
import { checksItself, innerContext, isEagerHandback } from '../internals.ts';
import type { NativeToolCall } from '../native.ts';
import { bareRun, noteStop, type Run, turnOf } from '../run/run.ts';
import { deliver, ReturnedError } from '../translate.ts';
import { type CallContext, callIdOf } from './context.ts';
import { Execution, Suspended } from './execution.ts';
import { claim, linkOf, passOn } from './link.ts';
import { type Checked, checkInput } from './schema.ts';
import { describe } from './tool-parts.ts';
import type { ToolSetup } from './tool-setup.ts';

/** A call that was begun before it runs. */
export interface BegunCall {
  readonly begun: Begun;
  readonly execution: Execution;
}

/** One call, as it reaches the hooked tool. */
interface Called {
  readonly toolName: string;
  /** What the model sent. */
  readonly sent: unknown;
  /** What Mastra made of it, where it has checked it already. */
  readonly parsed: unknown;
  /** Set where the context is that of the call of another tool. */
  readonly role?: 'called' | 'replacing' | 'inside' | undefined;
  /** Hooks of another registry that have had the call before. */
  readonly outer: AskOuter | undefined;
}

/** The calls of one hooked tool: each goes through core's pipeline, once. */
export class ToolCalls {
  readonly #setup: ToolSetup;
  readonly #descriptor: ToolDescriptor;

  constructor(setup: ToolSetup) {
    this.#setup = setup;
    this.#descriptor = describe(setup.tool);
  }

  /** What the model knows it by, or did where it was hooked. */
  get name(): string {
    return this.#setup.name;
  }

  /** What the copy's `execute` does. */
  async run(input: unknown, context: CallContext | undefined, outer: AskOuter | undefined): Promise<unknown> {
    const { hooks, name, execute, run: ownRun } = this.#setup;
    const link = linkOf(hooks, context);
    const role = link && claim(link, name);
    if (link !== undefined && role === 'called') {
      const { gated, toolName, input: sent } = link;
      if (gated || !concerns(hooks, toolName)) return execute(input, context, outer);
      return this.#call(link.run, { toolName, sent, parsed: input, outer }, context);
    }
    if (!concerns(hooks, name)) return execute(input, context, outer);
    const known = link?.run ?? ownRun;
    // A tool that one step brought along is called with what Mastra has parsed, as is one in an agent that is not hooked.
    const written = link === undefined ? ownRun?.approvals?.proposals.ofId(callIdOf(context)) : undefined;
    const sent = written?.toolName === name ? written.args : input;
    const call: Called = { toolName: name, sent, parsed: input, role, outer };
    if (known !== undefined) return this.#call(known, call, context);
    const run = bareRun(hooks, context);
    try {
      return await this.#call(run, call, context);
    } finally {
      await run.end?.();
    }
  }

  async #call(
    run: Run,
    { toolName, sent, parsed, role, outer }: Called,
    given: CallContext | undefined,
  ): Promise<unknown> {
    const { hooks, options } = this.#setup;
    const inside = role === 'inside';
    const parentCallId = inside ? callIdOf(given) : run.parentCallId;
    const callId = inside ? undefined : callIdOf(given);
    const approvals = inside ? undefined : run.approvals;
    const { begun: taken, execution = (!inside && run.pausedExecutions?.get(callId)) || new Execution() } =
      (await approvals?.take(callId, toolName, sent)) ?? {};
    const context = execution.enter(inside && given ? innerContext(given) : given);
    const approval = taken === undefined && (await approvals?.resumed(callId, toolName, sent));
    const first = taken?.kind === 'run' ? taken.input : sent;
    let fresh = taken === undefined || JSON.stringify(first) === JSON.stringify(sent);
    const checked = role === undefined && context?.agent !== undefined;
    const attempt = (effective: unknown, running: ExecuteOptions): unknown => {
      const asGiven = fresh && effective === first;
      fresh = false;
      const same = effective === sent || JSON.stringify(effective) === JSON.stringify(sent);
      const changed = same ? undefined : { input: effective };
      return runNested(
        { running, approval: options.approval, isControlFlow, outer },
        changed,
        (left, asking) =>
          asGiven && left?.input === changed?.input
            ? this.#setup.execute(parsed, context, asking)
            : this.#start(left === undefined ? effective : left.input, context, asking),
      );
    };
    let outcome: ToolCallOutcome;
    try {
      const call = { ...this.#describe(run, toolName, callId, sent, context), parentCallId };
      const execute = (input: unknown, running: ExecuteOptions) =>
        execution.during(this.#holds(toolName), () => attempt(input, running));
      outcome = await callTool(hooks, { ...call, ...approval }, execute, {
        check: (input) => (checked && input === sent ? undefined : this.check(input)),
        rename: (name) => this.#rename(name, execution),
        approval: options.approval,
        isControlFlow,
        begun: taken,
      });
    } catch (error) {
      if (!inside) {
        run.pausedExecutions ??= new Map();
        run.pausedExecutions.set(callId, execution);
      }
      if (error instanceof Suspended) return error.output;
      throw error;
    }
    if (!inside) run.pausedExecutions?.delete(callId);
    await execution.settle(outcome);
    noteStop(run, outcome);
    return execution.deliver(deliver(outcome));
  }

  /** Begins a call where Mastra asks whether it needs approval, or has an answer; it goes on in {@link run}. */
  async begin(
    run: Run,
    toolName: string,
    callId: string | undefined,
    input: unknown,
    approval: Pick<ToolCall, 'needsApproval' | 'resumed'>,
    ask: true | 'unchanged',
  ): Promise<BegunCall> {
    const execution = new Execution();
    const call = { ...this.#describe(run, toolName, callId, input, undefined), ...approval };
    const rename = (name: string): RenameTarget | string => this.#rename(name, execution);
    const begun = await beginToolCall(this.#setup.hooks, call, {
      can: { ask, retry: true, route: true, rename },
      check: (checked) => this.check(checked),
    });
    return { begun, execution };
  }

  /** The tool as it was given. */
  get tool(): ApprovalParts {
    return this.#setup.tool;
  }

  /** Whether the tool itself ever wants approval. */
  get asksByItself(): boolean {
    return asksByItself(this.#setup.tool);
  }

  #describe(
    run: Run,
    toolName: string,
    callId: string | undefined,
    input: unknown,
    context: CallContext | undefined,
  ): ToolCall {
    return {
      session: run.session,
      agent: run.agent,
      run: run.id,
      turn: turnOf(run),
      toolName,
      callId,
      input,
      tool: this.#descriptor,
      signal: context?.abortSignal ?? run.signal,
      native: { tool: this.#setup.tool, context } satisfies NativeToolCall,
    };
  }

  /** Why an input does not fit the tool's schema. */
  async check(input: unknown): Promise<InvalidInput | undefined> {
    const { error } = await this.#validate(input);
    return error && { message: error.message, error: new ReturnedError(error) };
  }

  /** Runs the tool on an input that nobody has parsed. Mastra's own tools parse it themselves. */
  async #start(input: unknown, context: CallContext | undefined, outer?: AskOuter): Promise<unknown> {
    const { tool, execute } = this.#setup;
    passOn(context, input);
    const own = { ...context };
    if (checksItself(tool)) return execute(input, own, outer);
    const checked = await this.#validate(input);
    return checked.error ?? execute(checked.data, own, outer);
  }

  #validate(input: unknown): Promise<Checked> {
    const { tool, name } = this.#setup;
    return checkInput(tool.inputSchema, input, tool.id ?? name);
  }

  /** Whether what a tool writes is held back. */
  #holds(toolName: string): boolean {
    const { hooks, options } = this.#setup;
    return options.holdStream !== false && decidesResult(hooks, toolName);
  }

  #rename(name: string, execution: Execution): RenameTarget | string {
    const { siblings, name: own, options } = this.#setup;
    const target = siblings.get(name);
    if (target === undefined) {
      const names = [...siblings.keys()].join(', ') || 'none';
      return `there is no hooked tool "${name}" beside "${own}" (hooked together with it: ${names})`;
    }
    if (target.asksByItself) return `the tool "${name}" needs Mastra's own approval`;
    return {
      tool: target.#descriptor,
      check: (input) => target.check(input),
      // Those further out were asked about a call of the tool that is left, and not about one of this.
      execute: (input, running) =>
        execution.during(this.#holds(name), () =>
          runNested(
            { running, approval: options.approval, isControlFlow, outer: undefined },
            undefined,
            (_left, asking) => target.#start(input, execution.context, asking),
          ),
        ),
    };
  }
}

function isControlFlow(error: unknown): boolean {
  return error instanceof Suspended || isEagerHandback(error);
}
