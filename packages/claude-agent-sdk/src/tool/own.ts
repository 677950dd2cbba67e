import type { RunToolCall } from '@hooks/core/adapter';
import { CANNOT_WAIT } from '../approval/deferral.ts';
import { ASKS, approverOf } from '../approval/user-approver.ts';
import type { Conversation } from '../run/conversation.ts';
import type { Gate } from '../run/gate.ts';
import type { HookAnswer, InputOf } from '../sdk.ts';
import { beforeTool, callOf, decided, refused } from './builtin.ts';

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
  const { tool_name: toolName, tool_use_id: callId, mcp_server: server } = input;
  const run = await conversation.runOf(input.agent_id);
  const own = gate.own.get(server?.name ?? '');
  if (own === undefined) return refused(NOT_HOOKED);
  const asks = own.asks(toolName);
  const decidesHere = asks && run.stop === undefined;
  if (decidesHere) {
    const call: RunToolCall & { readonly callId: string } = {
      ...callOf(input),
      signal,
      needsApproval: ASKS,
      ...own.describe(toolName),
      ...own.principalOf(toolName, { run, conversation }),
    };
    await decided(conversation, run, call, {
      runsIn: 'callTool',
      inner: own.innerOf(toolName),
      check: own.checkOf(toolName),
      approval: approverOf(gate.setting.options),
      pause: CANNOT_WAIT,
      capabilities: {
        ask: true,
        retry: true,
        route: true,
        rename: (name) => own.renamed(name),
      },
    });
  }
  gate.announce({
    callId,
    toolName,
    server: server?.name ?? '',
    agent: input.agent_id,
    run,
    conversation,
    decided: decidesHere,
  });
  return {};
}

const NOT_HOOKED =
  'The call did not run: its server was added to the query without hooks. Add it in the options, or by setMcpServers of a hookedQuery.';
