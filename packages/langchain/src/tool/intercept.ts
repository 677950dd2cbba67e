import { Runnable } from '@langchain/core/runnables';
import { bodyOf, invokesBody, PRIVATE } from '../internals.ts';
import type { HookableTool, ToolBody } from './tool.ts';

/** The methods of tools that call them, besides those that every runnable has (`stream`, `batch`, `withRetry`, …). */
const CALLING: ReadonlySet<PropertyKey> = new Set(['invoke', 'call']);

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
  const original = originalOf(tool);
  return new Proxy(tool, {
    get(target, property) {
      if (property === PRIVATE.body) return body;
      if (property === ORIGINAL) return original;
      const value: unknown = Reflect.get(target, property, target);
      // What calls the tool must find our `_call` on the proxy. Other methods may need the tool's #private fields.
      const through = CALLING.has(property) || property in Runnable.prototype;
      return typeof value === 'function' && !through ? value.bind(target) : value;
    },
  });
}
