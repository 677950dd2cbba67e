import { withParentCall } from '../run/run.ts';
import type { HookableTool, ToolBody } from './tool.ts';

/** Wraps the function of a tool. */
export interface Around {
  (body: ToolBody): ToolBody;
  /** Told of another input with which hooks further in are about to call the tool: it asks about that around the function. */
  readonly changed?: (change: Change) => void;
  /** Asked about another input with which they are about to call the function once more, while it waits for that. */
  readonly changedAgain?: (change: Change) => Promise<Refusal | undefined>;
}

/** An input that the hooks of a registry have put in place; who is asked about it further out may put in another. */
export interface Change {
  input: unknown;
}

/** What the function is to return that must not run. */
export interface Refusal {
  readonly answer: unknown;
}

interface Interception {
  readonly tool: HookableTool;
  /** Outermost first. */
  readonly arounds: readonly Around[];
}

/** Under which an intercepted tool tells its interception; a WeakMap would cost the garbage collector at every call. */
const INTERCEPTION = Symbol('interception');

function interceptionOf(tool: object): Interception | undefined {
  return Reflect.get(tool, INTERCEPTION);
}

/** The tool itself, of one whose function is intercepted. */
export function bareTool(tool: HookableTool): HookableTool {
  return interceptionOf(tool)?.tool ?? tool;
}

/** Whether calling `tool` calls the tool that `before` is of, with all its interceptions: others may have come since. */
export function isThrough(tool: HookableTool, before: HookableTool): boolean {
  const { arounds = [] } = interceptionOf(tool) ?? {};
  return (
    bareTool(tool) === bareTool(before) &&
    (interceptionOf(before)?.arounds ?? []).every((around) => arounds.includes(around))
  );
}

/**
 * A tool whose own function is called through `around`, inside its run: what `around` makes of the result is all that
 * callbacks, traces, streams and memory ever see. Of two registries the later attached is called first, so its `around`
 * stays outside.
 *
 * @returns undefined for a tool that has an `invoke` of its own and thus no function that could be reached
 */
export function interceptBody(tool: HookableTool, around: Around): HookableTool | undefined {
  const before = interceptionOf(tool);
  if (before !== undefined) return intercepted(before.tool, [...before.arounds, around]);
  return typeof Reflect.get(tool, '_call') === 'function' && invokesBody(tool)
    ? intercepted(tool, [around])
    : undefined;
}

/** Tells those around a tool's function that it will be called with another input. */
export function tellChanged(tool: HookableTool, change: Change): void {
  for (const { changed } of interceptionOf(tool)?.arounds ?? []) changed?.(change);
}

/** Asks those around a tool's function, outermost first, whether it may be called once more, with another input. */
export async function askChanged(tool: HookableTool, change: Change): Promise<Refusal | undefined> {
  for (const { changedAgain } of interceptionOf(tool)?.arounds ?? []) {
    const refusal = await changedAgain?.(change);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** The tool with the interceptions of `by`, where that is what a hooked tool was called on. */
export function interceptedAs(by: unknown, tool: HookableTool): HookableTool {
  const before = typeof by === 'object' && by !== null ? interceptionOf(by) : undefined;
  return before === undefined ? tool : intercepted(tool, before.arounds);
}

function intercepted(tool: HookableTool, arounds: readonly Around[]): HookableTool {
  const original: ToolBody = (...args) => Reflect.apply(Reflect.get(tool, '_call'), tool, args);
  const body = arounds.reduceRight((inner, around) => around(inner), original);
  const interception: Interception = { tool, arounds };
  return new Proxy(tool, {
    get(target, property) {
      if (property === '_call') return body;
      if (property === INTERCEPTION) return interception;
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

/** A tool whose function knows the call that it is in. */
export function insideCall(tool: HookableTool, callId: string | undefined): HookableTool {
  const inside: HookableTool = Object.create(tool);
  inside.invoke = (input, config) => tool.invoke(input, withParentCall(config, callId));
  return inside;
}
