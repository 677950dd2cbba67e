import type { Hooks } from '@hooks/core';
import type { ClientTool } from '@langchain/core/tools';

/** A tool as the adapter deals with it: any LangChain tool, told apart by shape, since a CommonJS copy counts too. */
export interface HookableTool {
  readonly name: string;
  readonly description?: string;
  readonly schema?: unknown;
  readonly responseFormat?: string;
  readonly metadata?: { readonly [key: string]: unknown };
  invoke(input: unknown, config?: unknown): Promise<unknown>;
}

/** What a tool's own function is called with: the parsed input, the run's callbacks, the config. */
export type ToolBody = (input: unknown, runManager: unknown, config: unknown) => unknown;

/** Sees a LangChain tool as the adapter deals with it. */
export function hookable(tool: ClientTool): HookableTool {
  return tool as HookableTool; // its `invoke` takes less than unknown; every input is checked by its schema first
}

interface Obedience {
  /** Which registries a hooked tool obeys. */
  readonly all: ReadonlySet<Hooks>;
  /** The one that it was hooked by last, and what it was before. */
  readonly last: Hooks;
  readonly original: HookableTool;
}

const OBEYED: WeakMap<object, Obedience> = new WeakMap();

/** Notes that calls of `hooked`, which was made of `original`, go through these hooks. */
export function noteHooked(hooked: object, original: HookableTool, hooks: Hooks): void {
  const all = new Set(OBEYED.get(original)?.all).add(hooks);
  OBEYED.set(hooked, { all, last: hooks, original });
}

/** The tool as one calls it who has asked these hooks already. */
export function calledBy(hooks: Hooks, tool: HookableTool): HookableTool {
  const known = OBEYED.get(tool);
  return known?.last === hooks ? known.original : tool;
}

/** Whether calls of this tool go through the hooks of any registry. */
export function isHooked(tool: object): boolean {
  return OBEYED.has(tool);
}

/** Whether calls of this tool go through these hooks by themselves. */
export function isHookedBy(tool: object | undefined, hooks: Hooks): boolean {
  return tool !== undefined && OBEYED.get(tool)?.all.has(hooks) === true;
}
