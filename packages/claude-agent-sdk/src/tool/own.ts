import type { Conversation } from '../run/conversation.ts';
import type { Gate } from '../run/gate.ts';
import type { HookAnswer, InputOf } from '../sdk.ts';
import { beforeTool, refused } from './builtin.ts';

/** A call is about to run: in Claude Code, or in this process. */
export function beforeCall(
  gate: Gate,
  conversation: Conversation,
  input: InputOf<'PreToolUse'>,
  signal: AbortSignal,
): Promise<HookAnswer> {
  return input.mcp_server?.source === 'sdk'
    ? announceOwn(gate, conversation, input, signal)
    : beforeTool(conversation, input, signal);
}

/**
 * Notes where a call of a tool of this process comes from. Hooks decide where it runs, unless its server asks for
 * approval: then they do before Claude Code asks.
 */
async function announceOwn(
  gate: Gate,
  conversation: Conversation,
  input: InputOf<'PreToolUse'>,
  signal: AbortSignal,
): Promise<HookAnswer> {
  const { tool_name: toolName, tool_use_id: callId, agent_id: agent } = input;
  const server = input.mcp_server?.name ?? '';
  const own = gate.own.get(server);
  if (own === undefined) return refused(NOT_HOOKED);
  const place = { run: await conversation.runOf(agent), conversation };
  const decided = await own.decideFirst(place, input, signal);
  gate.announce({ ...place, callId, toolName, server, agent, decided, caller: input });
  return {};
}

const NOT_HOOKED =
  'The call did not run: its server was added to the query without hooks. Add it in the options, or by setMcpServers of a hookedQuery.';
