import { attachAdapter } from '@hooks/core/adapter';
import type { Connection, Reply, Route } from '../connection.ts';
import { hasDisguised, isFields, type RpcMessage } from '../message/message.ts';
import { sessionOf } from '../session.ts';
import { supports } from '../supports.ts';
import { isToolName } from './doors.ts';
import { offer, type ToolDefinition } from './offer.ts';

/** Forwards a page of `tools/list` without the tools that hooks hide, and remembers the tools for their calls. */
export async function listThroughHooks(
  connection: Connection,
  request: RpcMessage,
  reply: Reply,
  { principal }: Route,
): Promise<void> {
  const { route, message } = reply;
  const { result } = message.json;
  const listed: unknown = result?.['tools'];
  if (hasDisguised(result, LIST_FIELDS)) throw new Error('a list of tools has another spelling of `tools`');
  if (!Array.isArray(listed)) return connection.pass(message, 'tools/list', route);
  const { hooks, server, tools, allowUnsupported } = connection.settings;
  const { session, own } = sessionOf(request.params, connection.settings);
  const agent = connection.agentOf(request);
  const kept: ToolDefinition[] = [];
  for (const tool of listed) {
    if (!isTool(tool) || hasDisguised(tool, TOOL_FIELDS)) continue;
    const known = await offer(hooks, session, { tool, listed: true, server, agent, principal });
    tools.set(tool.name, known);
    if (known.hidden === undefined) kept.push(tool);
  }
  if (own) await session.close();
  const names = [...kept.map(({ name }) => name), 'resources/read', 'prompts/get'];
  attachAdapter(hooks, { supports, tools: names, allowUnsupported });
  if (kept.length === listed.length) return connection.pass(message, 'tools/list', route);
  const { cacheScope } = result ?? {};
  // The hidden tools may depend on the user, so no cache may share the list.
  const shown = { ...result, tools: kept, ...(cacheScope !== undefined && { cacheScope: 'private' }) };
  connection.pass(
    { ...message, raw: undefined, json: { ...message.json, result: shown } },
    'tools/list',
    route,
  );
}

const LIST_FIELDS: ReadonlySet<string> = new Set(['tools']);

/** A client that ignores case would read other values than hooks. */
const TOOL_FIELDS: ReadonlySet<string> = new Set([
  ...['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'],
]);

function isTool(tool: unknown): tool is ToolDefinition {
  return isFields(tool) && isToolName(tool['name']);
}
