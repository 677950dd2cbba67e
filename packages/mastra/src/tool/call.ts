import type { Begun, InvalidInput, RenameTarget, ToolCall, ToolCallOutcome, ToolDescriptor } from '@hooks/core';
import { type Attached, beginToolCall, callTool } from '@hooks/core/tool-call';
import { type ApprovalParts, asksByItself } from '../approval/own-approval.ts';
import { checksItself, innerContext } from '../internals.ts';
import type { NativeToolCall } from '../native.ts';
import {
  attachedTo,
  bareRun,
  holdsWrites,
  isHooked,
  noteStop,
  type Registry,
  type Run,
  turnOf,
} from '../run/run.ts';
import { deliver, ReturnedError } from '../translate.ts';
import { type CallContext, callIdOf } from './context.ts';
import { currentCall } from './current-call.ts';
import { Execution, isPause, Suspended } from './execution.ts';
import { type Checked, checkInput } from './schema.ts';

/** A tool call as it enters core's pipeline. */
export interface EnteringCall {
  readonly run: Run;
  readonly registries: readonly Registry[];
  readonly toolName: string;
  readonly callId: string | undefined;
  /** The call of the tool from inside of which this one is made. */
  readonly insideOf?: string | undefined;
  /** What the model sent. */
  readonly sent: unknown;
  readonly context: CallContext | undefined;
  readonly descriptor: ToolDescriptor;
  readonly native?: NativeToolCall['tool'];
  /** Runs the tool; `sent` is what hooks were shown first. */
  readonly attempt: (input: unknown, sent: unknown, execution: Execution) => unknown;
  /** What only a tool has that we have hooked at its function: others run once, and as themselves. */
  readonly own?: {
    /** Whether Mastra has checked the input already. */
    readonly checked: boolean;
    check(input: unknown): Promise<InvalidInput | undefined>;
    rename(toolName: string, execution: Execution): RenameTarget | string;
  };
}

/** Where every hooked tool call goes through core's pipeline. Gives what Mastra is to have as the tool's result. */
export async function enterCall(entering: EnteringCall): Promise<unknown> {
  const { run, registries, toolName, callId, own } = entering;
  const inside = entering.insideOf !== undefined;
  const approvals = inside ? undefined : run.approvals;
  const paused = inside ? undefined : run.paused.get(callId);
  if (paused !== undefined) approvals?.ran(callId); // the answer was for what paused inside of it
  const taken = paused ? undefined : await approvals?.take(callId, toolName, entering.sent);
  // Mastra may have added to the arguments since the model wrote them.
  const sent: unknown = taken === undefined ? (paused ?? entering).sent : JSON.parse(taken.args);
  const execution = paused?.execution ?? taken?.execution ?? new Execution();
  const context = execution.enter(entering.context);
  const call: ToolCall = {
    ...describeCall({ ...entering, sent, context }),
    ...(paused === undefined &&
      taken === undefined &&
      (await approvals?.resumed(callId, toolName, sent))),
  };
  const attached = attachedTo(registries);
  let begun: Begun | undefined = taken?.begun;
  if (own === undefined) {
    const ask = attached.some(({ approval }) => typeof approval === 'function');
    begun ??= await beginToolCall(attached, call, { can: { ask } });
  }
  const hold = holdsWrites(registries, toolName);
  let outcome: ToolCallOutcome;
  try {
    outcome = await callTool(
      attached,
      call,
      (input) => execution.during(hold, () => entering.attempt(input, sent, execution)),
      {
        check: own && (async (input) => (own.checked && input === sent ? undefined : own.check(input))),
        rename: own && ((name) => own.rename(name, execution)),
        isControlFlow: isPause,
        begun,
      },
    );
  } catch (error) {
    if (!inside) run.paused.set(callId, { execution, sent });
    if (error instanceof Suspended) return error.output;
    throw error;
  }
  if (!inside) run.paused.delete(callId);
  noteStop(run, outcome);
  return execution.settle(outcome, () => deliver(outcome));
}

/** The call as core wants it described. */
export function describeCall({
  run,
  toolName,
  callId,
  insideOf,
  sent,
  context,
  descriptor,
  native,
}: Omit<EnteringCall, 'attempt' | 'own' | 'registries'>): ToolCall {
  return {
    session: run.session,
    agent: run.agent,
    run: run.id,
    turn: turnOf(run),
    toolName,
    callId,
    parentCallId: insideOf ?? run.parentCallId,
    input: sent,
    tool: descriptor,
    signal: context?.abortSignal ?? run.signal,
    native: { ...(native && { tool: native }), context } satisfies NativeToolCall,
  };
}

/** What a tool tells of itself. */
export interface ToolParts extends ApprovalParts {
  readonly id?: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
  readonly mcpMetadata?: unknown;
  readonly mcp?: { readonly annotations?: ToolDescriptor['annotations'] };
}

/** A call of a hooked tool. */
interface Call extends Pick<EnteringCall, 'run' | 'toolName' | 'callId' | 'sent' | 'insideOf'> {
  /** Whether Mastra has checked the input already. */
  readonly checked?: boolean;
}

/** A tool and how it is hooked. */
export interface ToolSetup {
  readonly tool: ToolParts;
  readonly execute: (input: unknown, context?: CallContext) => unknown;
  /** What the model knows it by. */
  readonly name: string;
  readonly registries: readonly Registry[];
  /** The tools that were hooked together with it, itself included. */
  readonly siblings: ReadonlyMap<string, HookedTool>;
  /** The run whose tool it is, where it is one run's alone. */
  readonly run?: (() => Run | undefined) | undefined;
}

/** A tool that is hooked at its function. */
export class HookedTool {
  readonly setup: ToolSetup;
  readonly descriptor: ToolDescriptor;

  constructor(setup: ToolSetup) {
    this.setup = setup;
    const { tool } = setup;
    const { description, mcpMetadata, mcp } = tool;
    this.descriptor = {
      kind: mcpMetadata === undefined ? 'function' : 'mcp',
      ref: tool,
      ...(description !== undefined && { description }),
      ...(mcp?.annotations !== undefined && { annotations: mcp.annotations }),
    };
  }

  /** What the `execute` of its copy does. */
  async run(input: unknown, context: CallContext | undefined): Promise<unknown> {
    const { name, registries, run: runOf } = this.setup;
    const current = currentCall(context);
    const isInside = current?.reached === true;
    const known = current?.run ?? runOf?.();
    if (known === undefined && !isHooked(registries, name)) return this.setup.execute(input, context);
    const run = known ?? bareRun(registries, context);
    try {
      if (current === undefined) return await this.#call(this.#unseen(run, input, context), input, context);
      if (isInside) {
        const call = { run, toolName: name, callId: undefined, sent: input, insideOf: current.callId };
        return await this.#call(call, input, context && innerContext(context));
      }
      current.reached = true;
      return await this.#call({ ...current, run, sent: current.input }, input, context);
    } finally {
      if ('end' in run && run !== known) await run.end();
    }
  }

  /** A call that was not seen where an agent assembles its tools: Mastra gives what it has parsed. */
  #unseen(run: Run, input: unknown, context: CallContext | undefined): Call {
    const { name: toolName } = this.setup;
    const callId = callIdOf(context);
    const written = run.approvals?.written(callId);
    const sent = written?.toolName === toolName ? written.args : input;
    return { run, toolName, callId, sent, checked: context?.agent !== undefined };
  }

  async #call(
    { checked = false, ...call }: Call,
    parsed: unknown,
    context: CallContext | undefined,
  ): Promise<unknown> {
    const { registries, execute, tool } = this.setup;
    if (!isHooked(registries, call.toolName)) {
      call.run.approvals?.ran(call.callId);
      return execute(parsed, context);
    }
    let isFirst = true;
    return enterCall({
      ...call,
      registries,
      context,
      descriptor: this.descriptor,
      native: tool,
      attempt: (input, sent, execution) => {
        const asParsed = isFirst && isSame(input, sent);
        isFirst = false;
        return asParsed ? execute(parsed, execution.context) : this.#start(input, execution.context);
      },
      own: {
        checked,
        check: (input) => this.check(input),
        rename: (name, execution) => this.#rename(name, execution),
      },
    });
  }

  /** Begins a call where Mastra asks whether it needs approval; it goes on in {@link run}. */
  async begin(
    call: Pick<EnteringCall, 'run' | 'toolName' | 'callId' | 'sent'>,
    approval: Pick<ToolCall, 'needsApproval' | 'resumed'>,
    attached: readonly Attached[],
    ask: true | 'unchanged',
  ): Promise<{ readonly begun: Begun; readonly execution: Execution }> {
    const { tool: native } = this.setup;
    const execution = new Execution();
    const rename = (name: string): RenameTarget | string => this.#rename(name, execution);
    const described = describeCall({ ...call, context: undefined, descriptor: this.descriptor, native });
    const begun = await beginToolCall(
      attached,
      { ...described, ...approval },
      { can: { ask, retry: true, route: true, rename }, check: (input) => this.check(input) },
    );
    return { begun, execution };
  }

  /** Why an input does not fit the tool's schema. */
  async check(input: unknown): Promise<InvalidInput | undefined> {
    const { error } = await this.#validate(input);
    return error && { message: error.message, error: new ReturnedError(error) };
  }

  /** Runs the tool on an input that nobody has parsed. Mastra's own tools parse it themselves. */
  async #start(input: unknown, context: CallContext | undefined): Promise<unknown> {
    const { tool, execute } = this.setup;
    const own = { ...context };
    if (checksItself(tool)) return execute(input, own);
    const checked = await this.#validate(input);
    return checked.error ?? execute(checked.data, own);
  }

  #validate(input: unknown): Promise<Checked> {
    const { tool, name } = this.setup;
    return checkInput(tool.inputSchema, input, tool.id ?? name);
  }

  #rename(name: string, execution: Execution): RenameTarget | string {
    const { siblings, name: own, registries: hooking } = this.setup;
    const target = siblings.get(name);
    if (target === undefined) {
      const names = [...siblings.keys()].join(', ') || 'none';
      return `there is no hooked tool "${name}" beside "${own}" (hooked together with it: ${names})`;
    }
    const { tool, registries } = target.setup;
    if (asksByItself(tool)) return `the tool "${name}" needs Mastra's own approval`;
    if (registries.some(({ hooks }) => !hooking.some((one) => one.hooks === hooks)))
      return `the tool "${name}" is hooked by other registries, too, than "${own}"`;
    return {
      tool: target.descriptor,
      check: (input) => target.check(input),
      execute: (input) =>
        execution.during(holdsWrites(registries, name), () => target.#start(input, execution.context)),
    };
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
