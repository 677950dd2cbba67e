import type { ClientTool } from '@langchain/core/tools';
import { hasMember, type Member, type Members } from '../members.ts';

/** A tool as the adapter deals with it: any LangChain tool, recognized by shape, since a CommonJS copy counts too. */
export interface HookableTool {
  readonly name: string;
  readonly description?: string;
  readonly schema?: unknown;
  readonly responseFormat?: string;
  readonly metadata?: { readonly [key: string]: unknown };
  invoke(input: unknown, config?: unknown): Promise<unknown>;
}

/** A tool's own function: gets the parsed input, the run's callbacks and the config. */
export type ToolBody = (input: unknown, runManager: unknown, config: unknown) => unknown;

/** Sees a LangChain tool as the adapter deals with it. */
export function hookable(tool: ClientTool): HookableTool {
  return tool as HookableTool; // its `invoke` takes less than unknown; every input is checked by its schema first
}

/** Finds another tool of the same agent or list: the tool, or why it cannot be called instead. */
export type FindTool = (name: string) => HookableTool | string;

/** What a hooked tool was made of. */
export interface HookedTool {
  readonly original: HookableTool;
  /** The registries that hook it, outermost first. */
  readonly members: Members;
  /** Finds the tool that a hook wants called in its place. */
  readonly find?: FindTool | undefined;
}

const HOOKED: WeakMap<object, HookedTool> = new WeakMap();

/** Remembers that calls of `copy` go through these registries. */
export function noteHooked(copy: object, hooked: HookedTool): void {
  HOOKED.set(copy, hooked);
}

/** What a tool was hooked with; undefined for a tool without hooks. */
export function hookedTool(tool: object | undefined): HookedTool | undefined {
  return tool && HOOKED.get(tool);
}

/** The original tool where `members` has all registries that hook it; else the hooked one, which asks the others itself. */
export function unhooked(tool: HookableTool, members: readonly Member[]): HookableTool {
  const known = HOOKED.get(tool);
  return known?.members.every((one) => hasMember(members, one.hooks)) ? known.original : tool;
}
