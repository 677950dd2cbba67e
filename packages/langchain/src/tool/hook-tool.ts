import { type Hooks, markHooked } from '@hooks/core';
import { attachAdapter, concerns } from '@hooks/core/adapter';
import { Runnable } from '@langchain/core/runnables';
import type { ClientTool } from '@langchain/core/tools';
import { isAnswered, nativeApproval, type Pausable } from '../approval/approval.ts';
import { ambientConfig, parentCall, threadId } from '../config.ts';
import { agentName } from '../internals.ts';
import { hasMember, type Member, type Members } from '../members.ts';
import type { NativeToolCall } from '../native.ts';
import type { HookToolOptions } from '../options.ts';
import { HookedRun, principalIn, runOf } from '../run/run.ts';
import { supports } from '../supports.ts';
import { callHooked } from './call.ts';
import { interceptedAs } from './intercept.ts';
import { descriptor } from './result.ts';
import {
  type FindTool,
  type HookableTool,
  type HookedTool,
  hookable,
  hookedTool,
  noteHooked,
  unhooked,
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
  attach([tool], hooks, options);
  return hookOne(tool, { hooks, options });
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
  const all: readonly ClientTool[] = Object.values(tools);
  attach(all, hooks, options);
  const find: FindTool = (name) => {
    const target = all.find((tool) => tool.name === name);
    return target === undefined
      ? `there is no hooked tool "${name}" beside it`
      : unhooked(hookable(target), [{ hooks, options }]);
  };
  const entries = Object.entries<ClientTool>(tools).map(
    ([key, tool]) => [key, hookOne(tool, { hooks, options }, find)] as const,
  );
  const hooked = Array.isArray(tools) ? entries.map(([, tool]) => tool) : Object.fromEntries(entries);
  return hooked as Tools; // the same keys, each with a copy of the same type
}

function attach(tools: readonly ClientTool[], hooks: Hooks, { allowUnsupported }: HookToolOptions): void {
  attachAdapter(hooks, {
    supports,
    tools: tools.map(({ name }) => name),
    ...(allowUnsupported && { allowUnsupported }),
  });
}

/** A copy of the tool whose calls go through one more registry, which is outermost. */
function hookOne<T extends ClientTool>(tool: T, member: Member, find?: FindTool): T {
  const known = hookedTool(tool);
  if (known !== undefined && hasMember(known.members, member.hooks)) return tool;
  const original = known?.original ?? hookable(tool);
  const members: Members = [member, ...(known?.members ?? [])];
  const hooked: HookedTool = { original, members, find: find ?? known?.find };
  const entries = new Map<PropertyKey, unknown>([['invoke', entry(hooked, 'invoke')]]);
  if ('call' in original) entries.set('call', entry(hooked, 'call'));
  const marks: object = markHooked(Object.create(null), tool);
  const copy = new Proxy(original, {
    get(target, property) {
      const own = entries.get(property) ?? Reflect.get(marks, property) ?? methodBack(target, property);
      if (own !== undefined) return own;
      const value: unknown = Reflect.get(target, property, target);
      // A Runnable's own methods (stream, batch, pipe, …) come back to our `invoke`; others are at home on the tool.
      const through = property in Runnable.prototype || property === 'constructor';
      return typeof value === 'function' && !through ? value.bind(target) : value;
    },
  });
  noteHooked(copy, hooked);
  return copy as object as T; // a copy of the original, which `tool` is or was made of
}

/**
 * A tool that was made of a runnable (`graph.asTool()`) hands its methods on to that: those of every runnable come back to
 * our `invoke`.
 */
function methodBack(tool: HookableTool, property: PropertyKey): unknown {
  const handsOn = 'bound' in tool && property !== 'constructor' && property !== 'getName';
  return handsOn && Object.hasOwn(Runnable.prototype, property)
    ? Reflect.get(Runnable.prototype, property)
    : undefined;
}

type Invoke = (input: unknown, config?: Pausable, ...rest: unknown[]) => Promise<unknown>;

/** A method of the tool through which it is called: `invoke`, or the deprecated `call`. */
function entry({ original, members, find }: HookedTool, method: 'invoke' | 'call'): Invoke {
  const [{ hooks }] = members;
  const pauses = members.some(({ options }) => options.approval === 'native');
  const toolName = original.name;
  return async function (this: unknown, input, config, ...rest) {
    const tool = interceptedAs(this, original);
    const start = (target: object, given: unknown): Promise<unknown> =>
      Reflect.apply(Reflect.get(target, method), target, [given, config, ...rest]);
    const concerned = members.some((one) => concerns(one.hooks, toolName));
    if (!concerned && !pauses) return start(tool, input);
    const request = isToolCall(input) ? input : undefined;
    const callId = request?.id ?? callIdIn(config);
    const around: Pausable | undefined = config?.configurable === undefined ? ambientConfig() : config;
    if (!concerned && !isAnswered(members, callId, around)) return start(tool, input);
    const sessionId = threadId(around);
    const agent = agentName(around);
    const outer = runOf(hooks, around);
    const run =
      outer ??
      new HookedRun([members[0]], original, {
        sessionId,
        agent,
        principal: principalIn({ ...around, ...config }, members, undefined),
      });
    const about = { toolName, callId, input: request === undefined ? input : request.args };
    try {
      const native = pauses && (await nativeApproval({ run, call: about, config: around }));
      const { approver, ...said } = native || {};
      return await callHooked({
        members,
        run,
        tool,
        call: {
          ...about,
          ...said,
          agent: run.agent,
          tool: descriptor(original),
          parentCallId: parentCall(around),
          signal: config?.signal ?? around?.signal,
          native: { tool: original as object as ClientTool, config } satisfies NativeToolCall,
        },
        native: approver,
        between: false,
        find,
        start: (target, effective) =>
          start(target ?? tool, request === undefined ? effective : { ...request, args: effective }),
        failed: (error) => {
          throw error;
        },
      });
    } finally {
      if (outer === undefined) await run.close();
    }
  };
}

interface ToolCallInput {
  readonly type: 'tool_call';
  readonly id?: string;
  readonly args: unknown;
}

function isToolCall(input: unknown): input is ToolCallInput {
  return typeof input === 'object' && input !== null && Reflect.get(input, 'type') === 'tool_call';
}

/** The id of the call that a config was made for, as `StructuredTool.invoke` leaves it. */
function callIdIn(config: object | undefined): string | undefined {
  const call: unknown = config === undefined ? undefined : Reflect.get(config, 'toolCall');
  return isToolCall(call) ? call.id : undefined;
}
