import { bodyOf, invokesBody, PRIVATE } from '../internals.ts';
import type { HookableTool, ToolBody } from './tool.ts';

/** Wraps the function of a tool. */
export type Around = (body: ToolBody) => ToolBody;

interface Interception {
  /** The intercepted tool itself. */
  readonly self: HookableTool;
  /** The tool that it was made of. */
  readonly over: HookableTool;
  readonly around: Around;
}

/** A field of intercepted tools: a WeakMap would cost the garbage collector at every call. */
const INTERCEPTION = Symbol('interception');

function interceptionOf(tool: unknown): Interception | undefined {
  return typeof tool === 'object' && tool !== null ? Reflect.get(tool, INTERCEPTION) : undefined;
}

/** The tool itself, of one whose function is intercepted. */
export function bareTool(tool: HookableTool): HookableTool {
  const over = interceptionOf(tool)?.over;
  return over === undefined ? tool : bareTool(over);
}

/** Whether calling `tool` calls `before`, which user code may have wrapped meanwhile. */
export function isThrough(tool: HookableTool | undefined, before: HookableTool): boolean {
  if (tool === before) return true;
  const known = interceptionOf(tool);
  return known !== undefined && (known.self === before || isThrough(known.over, before));
}

/** Whether the function of a tool is intercepted. */
export function isIntercepted(tool: HookableTool | undefined): boolean {
  return interceptionOf(tool) !== undefined;
}

/**
 * A tool whose own function is called through `around`, inside its run: callbacks, traces, streams and memory only ever see
 * what `around` makes of the result.
 *
 * @returns undefined for a tool that has an `invoke` of its own, and thus no function that could be reached
 */
export function interceptBody(tool: HookableTool, around: Around): HookableTool | undefined {
  if (!invokesBody(tool)) return undefined;
  const body = around(bodyOf(tool));
  const self: HookableTool = new Proxy(tool, {
    get(target, property) {
      if (property === PRIVATE.body) return body;
      if (property === INTERCEPTION) return interception;
      const value: unknown = Reflect.get(target, property, target);
      // `invoke` and `call` find our `_call` on the proxy; everything else is at home on the tool (#private fields).
      const through = property === 'invoke' || property === 'call' || property === 'constructor';
      return typeof value === 'function' && !through ? value.bind(target) : value;
    },
  });
  const interception: Interception = { self, over: tool, around };
  return self;
}

/** The tool as it is intercepted in `by`, on which a hooked tool was called. */
export function interceptedAs(by: unknown, tool: HookableTool): HookableTool {
  const known = interceptionOf(by);
  return known === undefined ? tool : (interceptBody(interceptedAs(known.over, tool), known.around) ?? tool);
}
