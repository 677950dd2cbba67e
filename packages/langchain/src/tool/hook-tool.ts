import { type Hooks, markHooked } from '@hooks/core';
import { Attachment, noteHookedAgain, type RunToolCall } from '@hooks/core/adapter';
import { Runnable } from '@langchain/core/runnables';
import type { ClientTool } from '@langchain/core/tools';
import { checkWaitsFor, isAnswered, nativeApproval, type Pausable } from '../approval/approval.ts';
import { CallMemory, type NodeCall, type NodeCalls, nodeCalls } from '../approval/node-calls.ts';
import { idOfItsOwn } from '../approval/review.ts';
import { ambientConfig, parentCall, threadId } from '../config.ts';
import { agentName, inputOfNode, isPause, isToolCall, resumedWith, takenOf } from '../internals.ts';
import { type HookToolOptions, type NativeToolCall, OF_TOOLS } from '../options.ts';
import { attach, outermost, type Registries } from '../registries.ts';
import { HookedRun, nativeRun, principalOf, runOf } from '../run/run.ts';
import { argumentsOf } from './arguments.ts';
import { callHooked } from './call.ts';
import { descriptor, textOf } from './result.ts';
import {
  type FindTool,
  findIn,
  type HookableTool,
  type HookedTool,
  hookable,
  hookedTool,
  noteHooked,
} from './tool.ts';

/**
 * Hooks one tool, for your own graph, a `ToolNode`, or direct calls. The copy has the same class, name, types, schema
 * and options; the tool itself does not change. Hooking it twice with the same `hooks` has no effect.
 *
 * A blocked call returns a `ToolMessage` with status `error`, or throws a `BlockedError` if it has no tool call id
 * (`tool.invoke(args)`).
 *
 * @example
 * ```ts
 * const node = new ToolNode([hookTool(search, hooks)]);
 * ```
 * @throws HooksError `UNSUPPORTED_EVENT`, see `supports`
 */
export function hookTool<T extends ClientTool>(tool: T, hooks: Hooks, options: HookToolOptions = {}): T {
  return hookOne(tool, attach({ of: 'hookTool', takes: OF_TOOLS }, hooks, options, [tool.name]));
}

/**
 * Hooks a list or a record of tools. A hook can rename a call to another tool of the same list.
 *
 * @throws HooksError `UNSUPPORTED_EVENT`, see `supports`
 */
export function hookTools<const Tools extends readonly ClientTool[] | { readonly [key: string]: ClientTool }>(
  tools: Tools,
  hooks: Hooks,
  options: HookToolOptions = {},
): Tools {
  const all = Object.values<ClientTool>(tools).map(hookable);
  const attached = attach(
    { of: 'hookTools', takes: OF_TOOLS },
    hooks,
    options,
    all.map(({ name }) => name),
  );
  const copies: HookableTool[] = [];
  const find = findIn(copies);
  const entries = Object.entries<ClientTool>(tools).map(
    ([key, tool]) => [key, hookOne(tool, attached, find)] as const,
  );
  copies.push(...entries.map(([, tool]) => hookable(tool)));
  const hooked = Array.isArray(tools) ? entries.map(([, tool]) => tool) : Object.fromEntries(entries);
  return hooked as Tools; // the same keys, each with a copy of the same type
}

/** A copy of the tool with one more registry, which is outermost. */
function hookOne<T extends ClientTool>(tool: T, attached: Registries, find?: FindTool): T {
  const known = hookedTool(tool);
  const original = known?.original ?? hookable(tool);
  const registries = attached.around(known?.registries ?? Attachment.none);
  if (registries === known?.registries) return tool;
  noteHookedAgain(known);
  const hooked: HookedTool = { original, registries, find: find ?? known?.find };
  const entries = new Map<PropertyKey, unknown>([['invoke', entry(hooked, 'invoke')]]);
  if ('call' in original) entries.set('call', entry(hooked, 'call'));
  const marks: object = markHooked(Object.create(null), tool);
  const copy = new Proxy(original, {
    get(target, property) {
      const own = entries.get(property) ?? Reflect.get(marks, property) ?? methodBack(target, property);
      if (own !== undefined) return own;
      const value: unknown = Reflect.get(target, property, target);
      // A Runnable's own methods (stream, batch, pipe, …) must call our `invoke`. Others may need #private fields.
      const through = property in Runnable.prototype || property === 'constructor';
      return typeof value === 'function' && !through && !isFixed(target, property)
        ? value.bind(target)
        : value;
    },
  });
  noteHooked(copy, hooked);
  return copy as object as T; // a copy of the original, which `tool` is or was made of
}

/** Whether a proxy may give nothing else, as for an own function of a frozen tool. */
function isFixed(tool: HookableTool, property: PropertyKey): boolean {
  const own = Object.getOwnPropertyDescriptor(tool, property);
  return own?.configurable === false && own.writable === false;
}

/**
 * A tool made of a runnable (`graph.asTool()`) forwards its methods to that runnable, past our `invoke`. Those of every
 * runnable are replaced, so that they call ours.
 */
function methodBack(tool: HookableTool, property: PropertyKey): unknown {
  const handsOn = 'bound' in tool && property !== 'constructor' && property !== 'getName';
  return handsOn && Object.hasOwn(Runnable.prototype, property)
    ? Reflect.get(Runnable.prototype, property)
    : undefined;
}

type Invoke = (input: unknown, config?: Pausable, ...rest: unknown[]) => Promise<unknown>;

/** A method that calls the tool: `invoke`, or the deprecated `call`. */
function entry(hooked: HookedTool, method: 'invoke' | 'call'): Invoke {
  const { original, registries } = hooked;
  return async (input, config, ...rest) => {
    const start = (target: object, given: unknown): Promise<unknown> =>
      Reflect.apply(Reflect.get(target, method), target, [given, config, ...rest]);
    const concerned = registries.concerns(original.name);
    const request = isToolCall(input) ? input : undefined;
    const callId = request?.id ?? callIdIn(config);
    const around: Pausable | undefined = config?.configurable === undefined ? ambientConfig() : config;
    const answered = isAnswered(callId, around);
    const mayPause = (concerned && registries.isNative) || answered;
    const node = nodeCalls(around);
    const nodeCall = node?.begin({ callId, parent: parentCall(around), mayPause });
    try {
      if (!concerned && !answered) {
        await nodeCall?.ready();
        nodeCall?.runs();
        return await start(original, input);
      }
      return await callConcerned(
        { hooked, request, input, callId, config, around, mayPause, node, nodeCall },
        start,
      );
    } catch (error) {
      if (isPause(error)) nodeCall?.paused(error);
      throw error;
    } finally {
      nodeCall?.end();
    }
  };
}

/** A call of a tool, as it was made. */
interface GivenCall {
  readonly hooked: HookedTool;
  readonly input: unknown;
  /** The input, if it is a call. */
  readonly request: { readonly args: unknown } | undefined;
  readonly callId: string | undefined;
  /** The config that it was made with, and that of its node. */
  readonly config: Pausable | undefined;
  readonly around: Pausable | undefined;
  /** Whether hooks may wait for a person, or one has answered. */
  readonly mayPause: boolean;
  /** The calls of its node, and this one among them. */
  readonly node: NodeCalls | undefined;
  readonly nodeCall: NodeCall | undefined;
}

/** Runs the tool, or the one that a hook renamed the call to. */
type StartTool = (target: object, given: unknown) => Promise<unknown>;

/** A call that hooks decide on: finds its run, or opens one. */
async function callConcerned(given: GivenCall, start: StartTool): Promise<unknown> {
  const { hooked, request, input, callId, config, around, node } = given;
  const { original, registries } = hooked;
  const toolName = original.name;
  const hooks = outermost(registries);
  const sessionId = threadId(around);
  const place = { ...around, ...config };
  const outer = runOf(hooks, around);
  const principal = outer ? principalOf(registries, outer, place) : registries.principal(nativeRun(place));
  const state: unknown = Reflect.get(Object(config), 'state') ?? inputOfNode(around);
  const about = { toolName, callId, input: request === undefined ? input : argumentsOf(request, state) };
  const text = textOf(about.input);
  const memory =
    node && callId !== undefined && sessionId !== undefined && text !== undefined
      ? await CallMemory.open(node, hooks.session(sessionId), around, [callId, toolName, text, principal])
      : undefined;
  const run =
    outer ??
    memory?.takeRun() ??
    new HookedRun(registries, original, { sessionId, agent: agentName(around), principal });
  let held = false;
  try {
    return await callEntered({ ...given, run, about, state, memory }, (target, effective) =>
      start(target ?? original, request === undefined ? effective : { ...request, args: effective }),
    );
  } catch (error) {
    // Only where hooks may wait for a person: a call with decided hooks overtakes others, and its tool asks out of turn.
    held = isPause(error) && outer === undefined && memory !== undefined && node?.mayPause === true;
    if (held) memory?.hold(run);
    throw error;
  } finally {
    if (outer === undefined && !held) await run.close();
  }
}

/** A call in its run. */
interface EnteredCall extends GivenCall {
  readonly run: HookedRun;
  readonly about: Pick<RunToolCall, 'toolName' | 'callId' | 'input'>;
  /** The state of the graph, or the input of its node. */
  readonly state: unknown;
  readonly memory: CallMemory | undefined;
}

/** Runs a call through the hooks, unless it ran before its node paused. */
async function callEntered(
  { hooked, run, about, config, around, mayPause, state, nodeCall, memory }: EnteredCall,
  start: (target: HookableTool | undefined, effective: unknown) => unknown,
): Promise<unknown> {
  const { original, registries, find } = hooked;
  const { callId } = about;
  const place = { ...around, ...config };
  const principal = principalOf(registries, run, place);
  await checkWaitsFor(principal, { run, registries, callId, config: around, node: nodeCall });
  const native =
    mayPause &&
    (await nativeApproval({
      registries,
      run,
      call: { ...about, callId: idOfItsOwn(callId, state) }, // only an answer has to name the call
      config: around,
      principal,
      node: nodeCall,
    }));
  const { pause, ...said } = native || {};
  const before = memory?.before;
  if (before !== undefined) return again(before, nodeCall, around);
  if (callId !== undefined && said.resumed?.decision === 'deny') run.pending.forget(callId);
  const calling: Promise<unknown> = callHooked({
    registries,
    run,
    tool: original,
    call: {
      ...about,
      ...said,
      agent: run.agent,
      tool: descriptor(original),
      parentCallId: parentCall(around),
      signal: config?.signal ?? around?.signal,
      native: { tool: original as object as ClientTool, config } satisfies NativeToolCall,
    },
    pause,
    approvers: new Map(),
    config: place,
    between: false,
    find,
    ready: nodeCall && (() => nodeCall.ready()),
    start(target, effective) {
      nodeCall?.runs();
      return start(target, effective);
    },
    failed: (error) => {
      throw error;
    },
  });
  nodeCall?.onRun((approval) => memory?.note(calling, approval));
  return calling;
}

/** What came of a call before its node paused, with the values of LangGraph's that it has used. */
async function again(
  { approval, result, taken }: NonNullable<CallMemory['before']>,
  nodeCall: NodeCall | undefined,
  config: Pausable | undefined,
): Promise<unknown> {
  await nodeCall?.ranBefore(approval);
  const end = Math.min(taken(), resumedWith(config).length);
  for (let index = takenOf(config); index < end; index++) config?.interrupt?.(undefined);
  nodeCall?.runs();
  return result;
}

/** The id of the call that a config was made for, as `StructuredTool.invoke` leaves it. */
function callIdIn(config: object | undefined): string | undefined {
  const call: unknown = config === undefined ? undefined : Reflect.get(config, 'toolCall');
  return isToolCall(call) ? call.id : undefined;
}
