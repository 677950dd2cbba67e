import { type Hooks, markHooked } from '@hooks/core';
import { Attachment, noteHookedAgain } from '@hooks/core/adapter';
import { Runnable } from '@langchain/core/runnables';
import type { ClientTool } from '@langchain/core/tools';
import { isAnswered } from '../approval/approval.ts';
import { CallMemory, type NodeCall, type NodeCalls, nodeCalls } from '../approval/node-calls.ts';
import { ambientConfig, parentCall, threadId, type Whereabouts } from '../config.ts';
import { agentName, inputOfNode, isPause, isToolCall } from '../internals.ts';
import { type HookToolOptions, OF_TOOLS } from '../options.ts';
import { outermost, type Registries } from '../registries.ts';
import { HookedRun, nativeRun, principalOf, runOf } from '../run/run.ts';
import { supports } from '../supports.ts';
import { argumentsOf } from './arguments.ts';
import { callHooked } from './call.ts';
import { toolWith } from './intercept.ts';
import { textOf } from './result.ts';
import {
  type FindTool,
  findIn,
  type HookableTool,
  type HookedTool,
  hookable,
  hookedTool,
  noteHooked,
  partsOf,
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
  return hookOne(
    tool,
    Attachment.of(hooks, options, { of: 'hookTool', takes: OF_TOOLS, supports, tools: [tool.name] }),
  );
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
  const attached: Registries = Attachment.of(hooks, options, {
    of: 'hookTools',
    takes: OF_TOOLS,
    supports,
    tools: all.map(({ name }) => name),
  });
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
  const { original, registries } = partsOf(hookable(tool), attached);
  if (registries === known?.registries) return tool;
  noteHookedAgain(known);
  const hooked: HookedTool = { original, registries, find: find ?? known?.find };
  const entries = new Map<PropertyKey, unknown>([['invoke', entry(hooked, 'invoke')]]);
  if ('call' in original) entries.set('call', entry(hooked, 'call'));
  const marks: object = markHooked(Object.create(null), tool);
  const copy = toolWith(
    original,
    (property) => entries.get(property) ?? Reflect.get(marks, property) ?? methodBack(original, property),
  );
  noteHooked(copy, hooked);
  return copy as object as T; // a copy of the original, which `tool` is or was made of
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

type Invoke = (input: unknown, config?: Whereabouts, ...rest: unknown[]) => Promise<unknown>;

/** A method that calls the tool: `invoke`, or the deprecated `call`. */
function entry(hooked: HookedTool, method: 'invoke' | 'call'): Invoke {
  const { original, registries } = hooked;
  return async (input, config, ...rest) => {
    const start = (target: object, given: unknown): Promise<unknown> =>
      Reflect.apply(Reflect.get(target, method), target, [given, config, ...rest]);
    const concerned = registries.concerns(original.name);
    const request = isToolCall(input) ? input : undefined;
    const callId = request?.id ?? callIdIn(config);
    const around: Whereabouts | undefined = config?.configurable === undefined ? ambientConfig() : config;
    const answered = isAnswered(callId, around);
    const pauses = (concerned && registries.isNative) || answered;
    const node = nodeCalls(around);
    const nodeCall = node?.begin({ callId, parent: parentCall(around), mayPause: pauses });
    try {
      if (!concerned && !answered) {
        await nodeCall?.ready();
        nodeCall?.runs();
        return await start(original, input);
      }
      return await callConcerned(
        { hooked, request, input, callId, config, around, pauses, node, nodeCall },
        start,
      );
    } catch (error) {
      if (isPause(error)) node?.paused(error);
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
  readonly config: Whereabouts | undefined;
  readonly around: Whereabouts | undefined;
  /** Whether hooks may wait for a person, or one has answered. */
  readonly pauses: boolean;
  /** The calls of its node, and this one among them. */
  readonly node: NodeCalls | undefined;
  readonly nodeCall: NodeCall | undefined;
}

/** A call that hooks decide on: finds its run, or opens one. Calls nothing again that ran before its node paused. */
async function callConcerned(
  { hooked, input, request, callId, config, around, pauses, node, nodeCall }: GivenCall,
  start: (target: object, given: unknown) => Promise<unknown>,
): Promise<unknown> {
  const { original, registries, find } = hooked;
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
  if (nodeCall && memory) nodeCall.used = memory.used;
  let held = false;
  try {
    const calling: Promise<unknown> = callHooked({
      registries,
      run,
      tool: original,
      about,
      native: { tool: original as object as ClientTool, config },
      state,
      config: around,
      place,
      pauses,
      node: nodeCall,
      before: () => memory?.before && nodeCall?.again(memory.before, around),
      approvers: new Map(),
      between: false,
      find,
      start(target = original, effective) {
        nodeCall?.runs();
        return start(target, request === undefined ? effective : { ...request, args: effective });
      },
      failed: (error) => {
        throw error;
      },
    });
    nodeCall?.onRun((used) => memory?.note(calling, used));
    return await calling;
  } catch (error) {
    // Only where hooks may wait for a person: a call with decided hooks overtakes others, and its tool asks out of turn.
    held = isPause(error) && outer === undefined && memory !== undefined && node?.mayPause === true;
    if (held) memory?.hold(run);
    throw error;
  } finally {
    if (outer === undefined && !held) await run.close();
  }
}

/** The id of the call that a config was made for, as `StructuredTool.invoke` leaves it. */
function callIdIn(config: object | undefined): string | undefined {
  const call: unknown = config === undefined ? undefined : Reflect.get(config, 'toolCall');
  return isToolCall(call) ? call.id : undefined;
}
