import { type Hooks, markHooked } from '@hooks/core';
import { Attachment, standIn } from '@hooks/core/adapter';
import type { Experimental_ToolCallerTool, ToolSet } from 'ai';
import { type HookToolOptions, OF_TOOLS, type Registries } from '../options.ts';
import { currentPlace, HookedRun, inPlaceUntilRead } from '../run/hooked-run.ts';
import type { SdkTool, ToolOptions } from '../sdk.ts';
import { supports } from '../supports.ts';
import { callTool, type Hooked } from './call.ts';
import { unlessHeld } from './parts.ts';
import { readableOutput } from './replaced-output.ts';

const HOOKED = Symbol('@hooks/ai-sdk tool');

/** How a call of a hooked tool enters. */
export type EnterTool = (input: unknown, options: ToolOptions) => unknown;

/**
 * Hooks single tools, or tools of an agent that is not hooked. Each call has its own session. In a hooked agent, their
 * registries are further in than the agent's. Tools without `execute` stay as they are, because the client or the
 * provider runs them.
 *
 * @throws HooksError `UNSUPPORTED_EVENT` where a refusing hook is registered on an event that the AI SDK does not have
 * @example
 * ```ts
 * const tools = hookTools({ readFile, shell }, hooks);
 * ```
 */
export function hookTools<T extends ToolSet>(tools: T, hooks: Hooks, options: HookToolOptions = {}): T {
  const declaration = { of: 'hookTools', takes: OF_TOOLS, supports, tools: Object.keys(tools) };
  const attached: Registries = Attachment.of(hooks, options, declaration);
  const entries = Object.entries(tools).map(([name, tool]) => {
    const known = hookedToolOf(name, tool);
    const own = attached.around(known.own);
    if (own === known.own) return [name, tool];
    return [
      name,
      enteringTool({ ...known, own }, (input, given) => enterAlone({ ...known, own }, input, given)),
    ];
  });
  // Each is a copy of the tool in its place.
  return Object.fromEntries(entries) as T;
}

/** A tool of a set, and how it is hooked by itself. */
export function hookedToolOf(name: string, tool: SdkTool): Hooked {
  const { execute } = tool;
  const known: Hooked | undefined = execute && Reflect.get(execute, HOOKED);
  if (known === undefined) return { name, tool, own: Attachment.none };
  // The user may have made another tool of the hooked one, with another description or schema.
  const original = known.tool;
  return { name, tool: standIn(tool, { execute: original.execute?.bind(original) }), own: known.own };
}

/** A copy of a tool whose calls enter elsewhere. */
export function enteringTool(hooked: Hooked, enter: EnterTool): SdkTool {
  const { tool } = hooked;
  if (tool.execute === undefined) return tool;
  const execute: EnterTool = (input, options) => enter(input, options);
  const { toModelOutput } = tool;
  const changed = {
    execute: Object.assign(execute, { [HOOKED]: hooked }),
    ...(toModelOutput && { toModelOutput: readableOutput(tool, toModelOutput) }),
  };
  return markHooked(standIn(tool, changed), tool);
}

/** A tool that calls others has another one made of it, bound to those: that is what runs. */
export function withBoundTool(tool: SdkTool, hook: (bound: SdkTool) => SdkTool): SdkTool {
  const caller: Experimental_ToolCallerTool['experimental_toolCaller'] | undefined = Reflect.get(
    tool,
    CALLER,
  );
  if (caller?.type !== 'local') return tool;
  const value = { ...caller, bind: (tools: ToolSet) => hook(caller.bind(tools)) };
  return Object.defineProperty(tool, CALLER, { value, configurable: true });
}

const CALLER = 'experimental_toolCaller';

/**
 * What a tool yields passes unless hooks decide on its result. If no hook concerns the tool, the SDK gets what it returns,
 * and its hooks are those of an agent that runs inside it.
 */
function enterAlone(hooked: Hooked, given: unknown, options: ToolOptions): unknown {
  const { own, name, tool } = hooked;
  const act = () => tool.execute?.(given, options);
  if (!own.concerns(name)) {
    const run = runAlone(hooked, options);
    return inPlaceUntilRead({ run, callId: options.toolCallId }, act, () => run.end({ kind: 'done' }));
  }
  return unlessHeld(hooked, own, (passed) => callAlone(hooked, given, options, passed));
}

async function callAlone(
  hooked: Hooked,
  given: unknown,
  options: ToolOptions,
  passed?: (part: unknown) => void,
): Promise<unknown> {
  const { toolCallId: callId } = options;
  const around = currentPlace();
  const run = runAlone(hooked, options);
  await run.begin();
  try {
    return await callTool(run, {
      hooked,
      sent: given,
      given,
      options,
      passed,
      parentCallId: around?.callId,
      callId: around?.callId === callId ? undefined : callId,
    });
  } finally {
    await run.end({ kind: 'done' });
  }
}

/** The run of a single call. Its session opens at its first event. */
function runAlone({ own }: Hooked, { context, abortSignal: signal }: ToolOptions): HookedRun {
  const native = { runtimeContext: context, options: undefined };
  const principal = own.principal(native, currentPlace()?.run);
  return new HookedRun(own, { signal, principal });
}
