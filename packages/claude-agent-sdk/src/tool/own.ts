import { isNative, type RunToolCall } from '@hooks/core/adapter';
import { answerFor } from '../approval/pending.ts';
import type { Conversation } from '../run/conversation.ts';
import type { Gate } from '../run/gate.ts';
import type { HookAnswer, InputOf } from '../sdk.ts';
import { callOf, decided, deferred } from './builtin.ts';

/**
 * Notes where a call of a tool of this process comes from. Hooks decide where it runs, unless the call may have to wait
 * for a person: only here can Claude Code keep it.
 */
export async function announceOwn(
  gate: Gate,
  conversation: Conversation,
  input: InputOf<'PreToolUse'>,
  signal: AbortSignal,
): Promise<HookAnswer> {
  const { tool_name: toolName, tool_use_id: callId, mcp_server: server } = input;
  const run = await conversation.runOf(input.agent_id);
  const place = { callId, toolName, server: server?.name ?? '', run, conversation };
  if (gate.setting.registries.some(isNative) && run.stop === undefined) {
    const hooked = gate.own.get(place.server);
    const call = { ...callOf(input), signal, resumed: answerFor(conversation, callId) };
    const described: RunToolCall & { readonly callId: string } = { ...call, ...hooked?.describe(toolName) };
    const begun = await decided(conversation, run, described, {
      runsIn: 'callTool',
      inner: hooked?.innerOf(toolName) ?? [],
      check: hooked?.checkOf(toolName),
      capabilities: {
        ask: true,
        retry: true,
        route: true,
        rename: hooked && ((name) => hooked.renamed(name)),
      },
    });
    if (begun === 'deferred') return deferred();
  }
  gate.announce(place);
  return {};
}
