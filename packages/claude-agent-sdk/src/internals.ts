import type { ToolDescriptor } from '@hooks/core';
import type { OwnServer } from './sdk.ts';

/*
 * What the MCP server of the SDK does not show in public. A test pins each use.
 */

/** A tool, as its server keeps it. */
export interface RegisteredTool {
  readonly description?: string;
  /** A zod object. */
  readonly inputSchema?: unknown;
  readonly annotations?: ToolDescriptor['annotations'];
  readonly handler?: unknown;
}

/** The tools of a server by name. Empty for a server that keeps them elsewhere: it checks inputs itself. */
export function registeredTools({ instance }: OwnServer): ReadonlyMap<string, RegisteredTool> {
  const tools: unknown = Reflect.get(instance, '_registeredTools');
  return new Map(Object.entries(Object(tools) as { readonly [name: string]: RegisteredTool }));
}
