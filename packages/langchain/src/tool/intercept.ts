import { Runnable } from '@langchain/core/runnables';
import { bodyOf, invokesBody, PRIVATE } from '../internals.ts';
import type { HookableTool, ToolBody } from './tool.ts';

/** The methods of tools that call them, besides those that every runnable has (`stream`, `batch`, `withRetry`, …). */
const CALLING: ReadonlySet<PropertyKey> = new Set(['invoke', 'call']);

/** A copy of a tool with members of its own: those for which `own` returns something. */
export function toolWith(tool: HookableTool, own: (property: PropertyKey) => unknown): HookableTool {
  return new Proxy(tool, {
    get(target, property) {
      const replaced = own(property);
      if (replaced !== undefined) return replaced;
      const value: unknown = Reflect.get(target, property, target);
      // What calls the tool must find our members on the copy. Other methods may need the tool's #private fields.
      const through = CALLING.has(property) || property in Runnable.prototype;
      return typeof value === 'function' && !through && !isFixed(target, property)
        ? value.bind(target)
        : value;
    },
  });
}

/** Whether a proxy may give nothing else, as for an own function of a frozen tool. */
function isFixed(tool: HookableTool, property: PropertyKey): boolean {
  const own = Object.getOwnPropertyDescriptor(tool, property);
  return own?.configurable === false && own.writable === false;
}

/** A property of intercepted tools. A WeakMap would cost the garbage collector time at every call. */
const ORIGINAL = Symbol('original');

/** The tool without any interception. */
export function originalOf(tool: HookableTool): HookableTool {
  return Reflect.get(tool, ORIGINAL) ?? tool;
}

/** Whether the function of a tool is intercepted. */
export function isIntercepted(tool: HookableTool): boolean {
  return Reflect.get(tool, ORIGINAL) !== undefined;
}

/**
 * Calls a tool's own function through `around`, inside the tool's run: callbacks, traces, streams and memory only see
 * what `around` returns.
 *
 * @returns undefined for a tool with its own `invoke`, whose function is out of reach
 */
export function interceptBody(
  tool: HookableTool,
  around: (body: ToolBody) => ToolBody,
): HookableTool | undefined {
  if (!invokesBody(tool)) return undefined;
  const body = around(bodyOf(tool));
  const own = new Map<PropertyKey, unknown>([
    [PRIVATE.body, body],
    [ORIGINAL, originalOf(tool)],
  ]);
  return toolWith(tool, (property) => own.get(property));
}
