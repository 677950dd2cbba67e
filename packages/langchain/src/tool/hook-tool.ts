import { type Hooks, markHooked } from '@hooks/core';
import { attachAdapter, concerns } from '@hooks/core/adapter';
import { Runnable } from '@langchain/core/runnables';
import type { ClientTool } from '@langchain/core/tools';
import { isAnswered, type Pausable, seatApproval } from '../approval/approval.ts';
import type { ToolHookOptions } from '../options.ts';
import { agentName, ambientConfig, parentCall, runOf, threadId } from '../run/run.ts';
import { supports } from '../supports.ts';
import { callHooked, type FindTool } from './call.ts';
import { interceptedAs } from './intercept.ts';
import { descriptor } from './result.ts';
import { calledBy, hookable, isHookedBy, noteHooked } from './tool.ts';

/** What hooks get as `native` of a bare tool's call. */
export interface ToolNative {
  readonly tool: ClientTool;
  /** The config that the tool was called with. */
  readonly config: unknown;
}

/**
 * Hooks one tool, for graphs of your own, a `ToolNode`, or direct calls. The copy keeps class, name, types, schema and
 * every option; the tool itself is left as it was. Hooking twice with the same `hooks` changes nothing.
 *
 * Without a tool call id (`tool.invoke(args)`) a blocked call throws a `ToolBlockedError`; with one it is answered with
 * a `ToolMessage` of status `error`.
 *
 * @example
 * ```ts
 * const node = new ToolNode([hookTool(search, hooks)]);
 * ```
 * @throws HooksError `UNSUPPORTED_EVENT`, see `supports`
 */
export function hookTool<T extends ClientTool>(tool: T, hooks: Hooks, options: ToolHookOptions = {}): T {
  attach([tool], hooks, options);
  return hookOne(tool, hooks, options, undefined);
}

/**
 * Hooks a list or a record of tools. A hook may have a call made by another tool of the same list.
 *
 * @throws HooksError `UNSUPPORTED_EVENT`, see `supports`
 */
export function hookTools<const Tools extends readonly ClientTool[] | { readonly [key: string]: ClientTool }>(
  tools: Tools,
  hooks: Hooks,
  options: ToolHookOptions = {},
): Tools {
  const all: readonly ClientTool[] = Object.values(tools);
  attach(all, hooks, options);
  const find: FindTool = (name) => {
    const target = all.find((tool) => tool.name === name);
    return target === undefined
      ? `there is no hooked tool "${name}" beside it`
      : calledBy(hooks, hookable(target));
  };
  const entries = Object.entries<ClientTool>(tools).map(
    ([key, tool]) => [key, hookOne(tool, hooks, options, find)] as const,
  );
  const hooked = Array.isArray(tools) ? entries.map(([, tool]) => tool) : Object.fromEntries(entries);
  return hooked as Tools; // the same keys, each with a copy of the same type
}

function attach(tools: readonly ClientTool[], hooks: Hooks, { allowUnsupported }: ToolHookOptions): void {
  attachAdapter(hooks, {
    supports,
    tools: tools.map(({ name }) => name),
    ...(allowUnsupported && { allowUnsupported }),
  });
}

function hookOne<T extends ClientTool>(
  tool: T,
  hooks: Hooks,
  options: ToolHookOptions,
  find: FindTool | undefined,
): T {
  if (isHookedBy(tool, hooks)) return tool;
  const doors = new Map<PropertyKey, unknown>([['invoke', door(tool, 'invoke', hooks, options, find)]]);
  if ('call' in tool) doors.set('call', door(tool, 'call', hooks, options, find));
  const marks: object = markHooked(Object.create(null), tool);
  const copy = new Proxy(tool, {
    get(target, property) {
      const own = doors.get(property) ?? Reflect.get(marks, property) ?? methodBack(target, property);
      if (own !== undefined) return own;
      const value: unknown = Reflect.get(target, property, target);
      // A Runnable's own methods (stream, batch, pipe, …) come back to our `invoke`; others are at home on the tool.
      const through = property in Runnable.prototype || property === 'constructor';
      return typeof value === 'function' && !through ? value.bind(target) : value;
    },
  });
  noteHooked(copy, hookable(tool), hooks);
  return copy;
}

/**
 * A tool that was made of a runnable (`graph.asTool()`) hands its methods on to that: those of every runnable come back to
 * our `invoke`.
 */
function methodBack(tool: ClientTool, property: PropertyKey): unknown {
  const handsOn = 'bound' in tool && property !== 'constructor' && property !== 'getName';
  return handsOn && Object.hasOwn(Runnable.prototype, property)
    ? Reflect.get(Runnable.prototype, property)
    : undefined;
}

/** A method of the tool through which it is called: `invoke`, or the deprecated `call`. */
function door(
  tool: ClientTool,
  method: 'invoke' | 'call',
  hooks: Hooks,
  options: ToolHookOptions,
  find: FindTool | undefined,
): (input: unknown, config?: Pausable, ...rest: unknown[]) => Promise<unknown> {
  const call = (target: object, ...args: unknown[]): Promise<unknown> =>
    Reflect.apply(Reflect.get(target, method), target, args);
  return async function (this: unknown, input, config, ...rest) {
    const own = interceptedAs(this, hookable(tool));
    const concerned = concerns(hooks, tool.name);
    if (!concerned && options.approval !== 'native') return call(own, input, config, ...rest);
    const request = isToolCall(input) ? input : undefined;
    const callId = request?.id ?? callIdIn(config);
    const around: Pausable | undefined = config?.configurable === undefined ? ambientConfig() : config;
    if (!concerned && !isAnswered(options.approval, callId, around)) return call(own, input, config, ...rest);
    const run = runOf(hooks, around);
    const thread = threadId(around);
    const session = run?.session ?? hooks.session(thread);
    const native: ToolNative = { tool, config };
    const sent = request === undefined ? input : request.args;
    const { approval, resumed, needsApproval } = seatApproval(
      options.approval,
      hooks,
      {
        session,
        agent: run?.agent ?? agentName(around),
        run: run?.id,
        turn: run?.turn,
        callId,
        toolName: tool.name,
        input: sent,
      },
      around,
    );
    try {
      return await callHooked({
        hooks,
        tool: own,
        call: {
          session,
          agent: run?.agent ?? agentName(around),
          run: run?.id,
          turn: run?.turn,
          toolName: tool.name,
          callId,
          input: sent,
          tool: descriptor(own),
          parentCallId: parentCall(around),
          signal: config?.signal ?? around?.signal,
          resumed,
          needsApproval,
          native,
        },
        approval,
        between: true,
        holdStream: options.holdStream !== false,
        find,
        run,
        start: (target, effective) =>
          call(
            target ?? own,
            request === undefined ? effective : { ...request, args: effective },
            config,
            ...rest,
          ),
        failed: (error) => {
          throw error;
        },
      });
    } finally {
      if (run === undefined && thread === undefined) await session.close();
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
