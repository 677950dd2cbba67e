import type { RenameTarget } from '@hooks/core';
import { Attachment } from '@hooks/core/adapter';
import type { ClientTool } from '@langchain/core/tools';
import type { Registries } from '../registries.ts';

/** Any LangChain tool, recognized by its shape, because a CommonJS copy of LangChain has other classes. */
export interface HookableTool {
  readonly name: string;
  readonly description?: string;
  readonly schema?: unknown;
  readonly responseFormat?: string;
  readonly returnDirect?: boolean;
  readonly metadata?: { readonly [key: string]: unknown };
  invoke(input: unknown, config?: unknown): Promise<unknown>;
}

/** A tool's own function. It gets the parsed input, the callbacks of the run and the config. */
export type ToolBody = (input: unknown, runManager: unknown, config: unknown) => unknown;

export function hookable(tool: ClientTool): HookableTool {
  return tool as HookableTool; // its `invoke` takes less than unknown; every input is checked by its schema first
}

/** A tool to which hooks rename a call, without its hooks. */
interface FoundTool extends Pick<RenameTarget, 'unenforced' | 'hooked'> {
  readonly tool: HookableTool;
  /** The registries that hook it where it was found. */
  readonly registries: Registries;
}

/** Finds another tool of the same agent or list, for a call that hooks rename. */
export type FindTool = (name: string) => FoundTool | undefined;

/** What a hooked tool was made of. */
export interface HookedTool {
  readonly original: HookableTool;
  /** The registries that hook it, outermost first. */
  readonly registries: Registries;
  /** Finds the tool that a hook renames a call to. */
  readonly find?: FindTool | undefined;
}

const HOOKED: WeakMap<object, HookedTool> = new WeakMap();

/** Records what the hooked copy of a tool was made of. */
export function noteHooked(copy: object, hooked: HookedTool): void {
  HOOKED.set(copy, hooked);
}

/** What a hooked tool was made of; undefined for a tool without hooks. */
export function hookedTool(tool: object | undefined): HookedTool | undefined {
  return tool && HOOKED.get(tool);
}

/** A tool without its hooks, and all registries that hook it: those of its agent, and its own further in. */
export function partsOf<T extends HookableTool | undefined>(
  tool: T,
  outer: Registries = Attachment.none,
): { readonly original: T | HookableTool; readonly registries: Registries } {
  const known = hookedTool(tool);
  return {
    original: known?.original ?? tool,
    registries: outer.around(known?.registries ?? Attachment.none),
  };
}

/**
 * The tool without its hooks, for a pipeline that includes them. Undefined if the tool has hooks of further registries,
 * which that pipeline would not ask.
 */
export function unhooked(tool: HookableTool, registries: Registries): HookableTool | undefined {
  const known = HOOKED.get(tool);
  if (known === undefined) return tool;
  return known.registries.without(registries).isEmpty ? known.original : undefined;
}

/** Finds tools in the list of an agent with these registries, or, without one, among tools that were hooked together. */
export function findIn(tools: readonly HookableTool[], agent?: Registries): FindTool {
  return (name) => {
    const target = tools.find((tool) => tool.name === name);
    if (target === undefined) return undefined;
    const { original: tool, registries } = partsOf(target, agent);
    const unenforced =
      tool.returnDirect === true ? 'has returnDirect, which would not end the run' : undefined;
    return { tool, registries, unenforced, hooked: agent === undefined ? HOOKED.get(target) : undefined };
  };
}
