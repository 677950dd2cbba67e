import {
  BeforeExecute,
  BeforeToolCall,
  type Execute,
  type FindTarget,
  type InvalidInput,
  PermissionRequest,
  type ToolCallOutcome,
  type ToolDescriptor,
} from '@hooks/core';
import { BlockedError, isSameInput, type RunToolCall } from '@hooks/core/adapter';
import type { BeginOptions } from '@hooks/core/tool-call';
import { RequestContext } from '@mastra/core/request-context';
import type { ValidationError } from '@mastra/core/tools';
import { type ApprovalParts, asksByItself } from '../approval/own-approval.ts';
import { checksItself, innerContext } from '../internals.ts';
import type { NativeToolCall } from '../native.ts';
import type { Registries } from '../registries.ts';
import { type HookedRun, inRun, type StartingCall } from '../run/run.ts';
import { deliver, ReturnedError } from '../translate.ts';
import { type CallContext, callIdOf, watchSuspend } from './context.ts';
import { currentCall } from './current-call.ts';
import { Execution, isPause, Suspended } from './execution.ts';
import { ForeignOutputs } from './model-output.ts';
import { type Checked, checkInput, checkKeys, jsonSchemaOf } from './schema.ts';

/** A tool call as it enters core's pipeline. */
export interface EnteringCall {
  readonly run: HookedRun;
  readonly registries: Registries;
  readonly toolName: string;
  readonly callId: string | undefined;
  /** The call of the tool that made this call. */
  readonly insideOf?: string | undefined;
  /** The input as Mastra gives it. */
  readonly given: unknown;
  /** Whether what it has paused for may have been answered by the model. */
  readonly isAnswered?: boolean;
  readonly context: CallContext | undefined;
  readonly descriptor: ToolDescriptor;
  readonly native?: NativeToolCall['tool'];
  readonly attempt: (input: unknown, execution: Execution) => unknown;
  /** Only for tools that are hooked at their function. Others run once, unchanged. */
  readonly own?: {
    /** Another tool has given this result, because a hook renamed the call. */
    readonly foreign?: ForeignOutputs;
    check(input: unknown): Promise<InvalidInput | undefined>;
    find(toolName: string, execution: Execution): ReturnType<FindTarget>;
  };
}

/** Sends every hooked tool call through core's pipeline. Returns the tool's result for Mastra. */
export async function enterCall(entering: EnteringCall): Promise<unknown> {
  const { run, registries, toolName, callId, insideOf, native, own } = entering;
  const isInside = insideOf !== undefined;
  const approvals = isInside ? undefined : run.approvals;
  const execution = isInside
    ? new Execution(callId, toolName, entering.given)
    : run.calls.take(callId, toolName, entering.given);
  const { hasEntered, sent } = execution;
  const context = execution.enter(entering.context);
  execution.admit = () => refuseUnseenAnswer(entering);
  const starting = { callId, toolName, input: sent };
  const approval = await approvals?.enter(starting, hasEntered);
  const principal = registries.principalOfCall(run, context?.requestContext ?? new RequestContext());
  const call: RunToolCall = {
    toolName,
    callId,
    input: sent,
    tool: entering.descriptor,
    native: { ...(native && { tool: native }), context } satisfies NativeToolCall,
    parentCallId: insideOf,
    principal,
    signal: context?.abortSignal ?? run.signal,
    ...approval,
  };
  const check = own?.check ?? keysCheck(toolName);
  const options = { check, pause: NOT_ASKED, inner: registries.attached() };
  // What begins without capabilities runs once, unchanged.
  if (own === undefined && callId !== undefined)
    await run.beginTool({ ...call, callId }, { ...options, runsIn: 'callTool' });
  const execute: Execute = (input, { call: about }) =>
    execution.during(registries.withheld(toolName, about), () => entering.attempt(input, execution));
  const rename = own && ((name: string) => own.find(name, execution));
  let outcome: ToolCallOutcome;
  try {
    outcome = await run.callTool(call, execute, { ...options, rename, isControlFlow: isPause });
  } catch (error) {
    if (!isInside) run.calls.keep(execution);
    if (isPause(error)) await approvals?.paused(callId);
    if (error instanceof Suspended) return error.output;
    throw error;
  }
  if (callId !== undefined) run.pending.forget({ callId, toolName, input: sent });
  if (outcome.renamedTo !== undefined && outcome.status === 'ok') own?.foreign?.note(outcome.output);
  return execution.settle(() => deliver(outcome));
}

/** Why a person's approval is lacking. */
const NOT_ASKED =
  'Mastra has run the call without asking a person about this input: set the `approval` option to an approver';

/** The events at which hooks decide whether a call runs. */
const DECIDING = [BeforeToolCall, PermissionRequest, BeforeExecute];

/**
 * Refuses an answer that may be the model's, where hooks decide on calls of the tool: they do not see it, and the tool would
 * take it for that of a person.
 *
 * @throws BlockedError
 */
function refuseUnseenAnswer({ isAnswered, registries, toolName }: EnteringCall): void {
  if (!isAnswered) return;
  const [unasked] = registries.unasked({ points: DECIDING, toolName });
  if (unasked === undefined) return;
  const reason = `The call did not run: the model may have written the answer that "${toolName}" has paused for (resumeData), and hooks on ${unasked.event} do not see it. Hook the agent with hookedAgent, without autoResumeSuspendedTools, or add "${unasked.event}" to allowUnsupported.`;
  throw new BlockedError({ reason, toolName });
}

/** The context of a call that no hook concerns. An answer to it counts once all the same. */
export function unconcerned(
  run: HookedRun | undefined,
  call: StartingCall,
  context: CallContext | undefined,
): CallContext | undefined {
  const isAnswered = run?.approvals?.ran(call) === true;
  return isAnswered ? watchSuspend(context, () => void run?.approvals?.paused(call.callId)) : context;
}

/** The check of a tool whose schema Mastra itself checks. */
export function keysCheck(toolName: string): (input: unknown) => InvalidInput | undefined {
  return (input) => invalid(checkKeys(input, toolName));
}

function invalid(error: ValidationError | undefined): InvalidInput | undefined {
  return error && { message: error.message, error: new ReturnedError(error) };
}

/** What a tool tells of itself. */
interface ToolParts extends ApprovalParts {
  readonly id?: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
  readonly toModelOutput?: unknown;
  readonly mcpMetadata?: { readonly serverName?: string };
  readonly mcp?: { readonly annotations?: ToolDescriptor['annotations'] };
}

/** A tool and how it is hooked. */
export interface ToolSetup {
  readonly tool: ToolParts;
  readonly execute: (input: unknown, context?: CallContext) => unknown;
  /** What the model knows it by. */
  readonly name: string;
  readonly registries: Registries;
  /** The tools that were hooked together with it, itself included. */
  readonly siblings: ReadonlyMap<string, HookedTool>;
  /** The run whose tool it is, where it is one run's alone. */
  readonly run?: (() => HookedRun | undefined) | undefined;
}

/** What Mastra gives to a hooked tool. */
interface GivenInput {
  /** The input of the call. */
  readonly raw: unknown;
  /** The same, parsed. */
  readonly parsed: unknown;
  /** Whether Mastra has checked it already. */
  readonly isChecked?: boolean;
}

/** A tool that is hooked at its function. */
export class HookedTool {
  readonly setup: ToolSetup;
  readonly foreign: ForeignOutputs = new ForeignOutputs();
  readonly descriptor: ToolDescriptor;

  constructor(setup: ToolSetup) {
    this.setup = setup;
    const { tool } = setup;
    const { description, inputSchema, mcpMetadata, mcp } = tool;
    this.descriptor = {
      kind: mcpMetadata === undefined ? 'function' : 'mcp',
      server: mcpMetadata?.serverName,
      ref: tool,
      description,
      inputSchema: inputSchema === undefined ? undefined : () => jsonSchemaOf(inputSchema),
      annotations: mcp?.annotations,
    };
  }

  /** What the `execute` of its copy does. */
  async run(input: unknown, context: CallContext | undefined): Promise<unknown> {
    const { name, registries, execute, run: runOf } = this.setup;
    const current = currentCall(context);
    const isInside = current?.reached === true;
    if (current !== undefined) current.reached = true;
    const known = current?.run ?? runOf?.();
    if (known === undefined && !registries.concerns(name)) return execute(input, context);
    return inRun(known, registries, context, (run) => {
      if (current === undefined) return this.#unseen(run, input, context);
      if (isInside) {
        const call = { run, toolName: name, callId: undefined, insideOf: current.callId };
        return this.#call(call, { raw: input, parsed: input }, context && innerContext(context));
      }
      const { toolName, callId, input: raw, isAnswered } = current;
      return this.#call({ run, toolName, callId, isAnswered }, { raw, parsed: input }, context);
    });
  }

  /** A call that was not seen where an agent assembles its tools: Mastra gives what it has parsed. */
  async #unseen(run: HookedRun, input: unknown, context: CallContext | undefined): Promise<unknown> {
    const { name: toolName } = this.setup;
    const callId = callIdOf(context);
    // In an object: a promise reads what it resolves to.
    const { sent: raw } = (await this.#written(run, callId, input)) ?? { sent: input };
    const isChecked = context?.agent !== undefined;
    const isAnswered = (context?.agent ?? context)?.resumeData !== undefined && !context?.workflow;
    return this.#call({ run, toolName, callId, isAnswered }, { raw, parsed: input, isChecked }, context);
  }

  /** What the model wrote for a call, of which Mastra gives what it has parsed; undefined if it cannot be told. */
  async #written(
    run: HookedRun,
    callId: string | undefined,
    parsed: unknown,
  ): Promise<Execution | undefined> {
    const all = run.calls.of(callId, this.setup.name);
    const [only] = all;
    if (all.length < 2) return only;
    for (const one of all) {
      const { error, data } = await this.#validate(one.sent);
      if (error === undefined && isSameInput(data, parsed)) return one;
    }
    return undefined;
  }

  async #call(
    call: Pick<EnteringCall, 'run' | 'toolName' | 'callId' | 'isAnswered' | 'insideOf'>,
    { raw, parsed, isChecked }: GivenInput,
    context: CallContext | undefined,
  ): Promise<unknown> {
    const { registries, execute, tool } = this.setup;
    const { run, toolName, callId } = call;
    if (!registries.concerns(toolName))
      return execute(parsed, unconcerned(run, { callId, toolName, input: raw }, context));
    let isFirst = true;
    return enterCall({
      ...call,
      given: raw,
      registries,
      context,
      descriptor: this.descriptor,
      native: tool,
      attempt: (input, execution) => {
        const asParsed = isFirst && isSameInput(input, raw);
        isFirst = false;
        return asParsed ? execute(parsed, execution.context) : this.#start(input, execution.context);
      },
      own: {
        ...(tool.toModelOutput !== undefined && { foreign: this.foreign }),
        check: async (input) =>
          isChecked && isSameInput(input, raw) ? keysCheck(toolName)(input) : this.check(input),
        find: (name, execution) => this.#find(run, name, execution),
      },
    });
  }

  /** What core is to do where Mastra asks whether a call needs approval; it goes on in {@link run}. */
  beginOptions(run: HookedRun, callId: string, sent: unknown): BeginOptions {
    const execution = run.calls.prepare(callId, this.setup.name, sent);
    return {
      capabilities: { retry: true, route: true, rename: (name) => this.#find(run, name, execution) },
      check: (input) => this.check(input),
    };
  }

  /** Why an input does not fit the tool's schema. */
  async check(input: unknown): Promise<InvalidInput | undefined> {
    const { error } = await this.#validate(input);
    return invalid(error);
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

  #find(run: HookedRun, name: string, execution: Execution): ReturnType<FindTarget> {
    const { siblings, name: own, registries: hooking } = this.setup;
    const target = siblings.get(name);
    if (target === undefined) {
      const names = [...siblings.keys()].join(', ') || 'none';
      return `there is no hooked tool "${name}" beside "${own}" (hooked together with it: ${names})`;
    }
    const { tool, registries } = target.setup;
    return {
      name,
      tool: target.descriptor,
      native: { tool, context: execution.context } satisfies NativeToolCall,
      registries: registries.attached(),
      unenforced: unenforced(tool) ?? run.unenforced,
      hooked: target,
      check: (input) => target.check(input),
      execute: (input, { call }) =>
        // The call keeps its registries, which may be more than those of the target.
        execution.during(hooking.withheld(name, call), () => target.#start(input, execution.context)),
    };
  }
}

/** What Mastra does where the model calls a tool, and does not where a hook puts it in another's place. */
function unenforced(tool: ToolParts): string | undefined {
  if (asksByItself(tool)) return "needs Mastra's own approval, which it would not ask for";
  return tool.toModelOutput === undefined ? undefined : 'has toModelOutput, which Mastra would not call';
}
