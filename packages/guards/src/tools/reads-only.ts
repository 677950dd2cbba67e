import type { ToolEvent } from '@hooks/core';
import { PINNED_TOOLS } from '@hooks/core/tool-call';
import { checkArgument, expecting } from '../options.ts';

const serverNames = expecting('a list of names', Array.isArray);

/**
 * Whether a tool declares that it only reads (MCP's `readOnlyHint`) and its declaration can be trusted. Your program's
 * own tools are trusted. A tool of an MCP server is trusted if you trust the server, or if `pinTools` of the same
 * registry pins the tool, so that its declaration cannot change.
 *
 * @param trustedServers the servers that you trust, by the names that the program gives them (`tool.server`)
 * @throws HooksError `CONFIG_INVALID` if `trustedServers` is no list
 * @example
 * ```ts
 * hooks.on(BeforeToolCall, (call) => (readsOnly(call, ['files']) ? proceed() : requireApproval('It may write.')));
 * ```
 */
export function readsOnly(call: ToolEvent, trustedServers: readonly string[] = []): boolean {
  checkArgument('readsOnly', 'trustedServers', trustedServers, serverNames);
  const { tool, session, toolName } = call;
  if (tool?.annotations?.readOnlyHint !== true) return false;
  if (tool.kind !== 'mcp') return true;
  if (tool.server !== undefined && trustedServers.includes(tool.server)) return true;
  return session.get(PINNED_TOOLS)?.has(toolName) ?? false;
}
