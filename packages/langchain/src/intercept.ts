import type { HookableTool, ToolBody } from './tool.ts';

/**
 * A tool whose own function is called through `around`, inside its run: what `around` makes of the result is all that
 * callbacks, traces, streams and memory ever see.
 *
 * @returns undefined for a tool that has an `invoke` of its own and thus no function that could be reached
 */
export function interceptBody(
  tool: HookableTool,
  around: (body: ToolBody) => ToolBody,
): HookableTool | undefined {
  const body: unknown = Reflect.get(tool, '_call');
  if (typeof body !== 'function' || !invokesBody(tool)) return undefined;
  const intercepted = around((...args) => Reflect.apply(body, tool, args));
  return new Proxy(tool, {
    get(target, property) {
      if (property === '_call') return intercepted;
      const value: unknown = Reflect.get(target, property, target);
      // `invoke` and `call` find our `_call` on the proxy; everything else is at home on the tool (#private fields).
      const through = property === 'invoke' || property === 'call' || property === 'constructor';
      return typeof value === 'function' && !through ? value.bind(target) : value;
    },
  });
}

/** Whether `invoke` is StructuredTool's own, which ends in `_call`; by shape, since a CommonJS copy counts too. */
function invokesBody(tool: object): boolean {
  for (let owner: object | null = tool; owner !== null; owner = Object.getPrototypeOf(owner)) {
    if (Object.hasOwn(owner, 'invoke'))
      return Object.hasOwn(owner, 'call') && Object.hasOwn(owner, 'lc_namespace');
  }
  return false;
}
