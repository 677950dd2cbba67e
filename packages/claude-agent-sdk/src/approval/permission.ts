import type { CanUseTool, Options, PermissionResult } from '@anthropic-ai/claude-agent-sdk';
import { isSameInput } from '@hooks/core/adapter';
import type { Conversation } from '../run/conversation.ts';
import type { Gate } from '../run/gate.ts';
import type { InputOf } from '../sdk.ts';
import { callKeyOf, keyOf } from '../tool/builtin.ts';
import { beforeCall } from '../tool/own.ts';

type Asked = Parameters<CanUseTool>;

/**
 * Claude Code's question whether a call may run. A call that hooks and people have decided on is not asked about again.
 * About others the user's `canUseTool` is asked, and an input that it changes is decided on as a new one.
 */
export function permissionsOf(gate: Gate, given: Options): CanUseTool {
  const { canUseTool } = given;
  return async (toolName, input, options) => {
    const { toolUseID: callId, agentID: agent } = options;
    const { setting } = gate;
    const current = gate.current && gate.conversation(gate.current.sessionId, agent);
    if (current === undefined) return denied('No hook was asked about the prompt.');
    const called = {
      ...(agent !== undefined && { agent_id: agent }),
      tool_use_id: callId,
      tool_name: toolName,
    };
    if (gate.isDecided(callId, toolName, agent) || current.allowed.has(callKeyOf(called)))
      return { behavior: 'allow', updatedInput: input };
    // A resumed session may run the call that waited before it knows the hooks. Then this is the only question.
    const isLate = setting.answers.some(
      (answer) => answer.callId === callId && answer.toolName === toolName && !current.answered.has(answer),
    );
    const isOwn = options.mcpServer?.source === 'sdk';
    const { late } = current;
    if (isLate && !late.has(callKeyOf(called)))
      late.set(callKeyOf(called), decide(gate, current, [toolName, input, options]));
    const known = late.get(callKeyOf(called));
    if (known !== undefined) return known;
    if (setting.answers.length > 0) {
      const resumed = await ofResumed(gate, given, current, [toolName, input, options]);
      if (resumed !== undefined) return resumed;
    }
    if (canUseTool === undefined)
      return denied(`Claude requested permissions to use ${toolName}, but you haven't granted it yet.`);
    // A copy: it may change it in place, and that is a change, too.
    const answer = await canUseTool(toolName, structuredClone(input), options);
    const changed = changedInput(answer, input);
    // A tool of this process is decided on where it runs, with what arrives.
    if (changed === undefined || isOwn) return answer;
    const again = await decide(gate, current, [toolName, changed, options]);
    return again.behavior === 'allow' ? { ...answer, ...again } : again;
  };
}

/** About a call of a session that was resumed with answers. Undefined if the user is asked. */
async function ofResumed(
  gate: Gate,
  given: Options,
  conversation: Conversation,
  asked: Asked,
): Promise<PermissionResult | undefined> {
  const [toolName, input, { agentID: agent, toolUseID: callId, mcpServer }] = asked;
  const key = keyOf({ ...(agent !== undefined && { agent_id: agent }), tool_use_id: callId });
  if (mcpServer?.source !== 'sdk' && !conversation.begun.has(key)) {
    // Another call that waited, of which no answer tells.
    const decided = await decide(gate, conversation, asked);
    if (decided.behavior !== 'allow' || !isSameInput(decided.updatedInput, input)) return decided;
  }
  const isAllowed = conversation.begun.has(key) && runsUnasked(given, toolName);
  return isAllowed ? { behavior: 'allow', updatedInput: input } : undefined;
}

/** The input with which the user lets a call run, if it is another one. */
function changedInput(answer: PermissionResult | null, input: Asked[1]): Asked[1] | undefined {
  if (answer?.behavior !== 'allow' || answer.updatedInput === undefined) return undefined;
  return isSameInput(answer.updatedInput, input) ? undefined : answer.updatedInput;
}

/** Whether only this package's rule for resumed sessions makes Claude Code ask about a tool. */
function runsUnasked(
  { permissionMode, allowedTools = [], settings, settingSources, managedSettings }: Options,
  toolName: string,
): boolean {
  const hasOwnRules =
    settings !== undefined || settingSources?.length !== 0 || managedSettings?.permissions?.ask !== undefined;
  return !hasOwnRules && (permissionMode === 'bypassPermissions' || allowedTools.includes(toolName));
}

/** Lets hooks decide on a call, as in PreToolUse. */
async function decide(
  gate: Gate,
  conversation: Conversation,
  [toolName, input, { toolUseID, agentID, mcpServer, signal }]: Asked,
): Promise<PermissionResult> {
  const asked: InputOf<'PreToolUse'> = {
    hook_event_name: 'PreToolUse',
    session_id: conversation.sessionId,
    transcript_path: '',
    cwd: '',
    tool_name: toolName,
    tool_use_id: toolUseID,
    tool_input: input,
    ...(agentID !== undefined && { agent_id: agentID }),
    // The same description, in the type of another callback.
    ...(mcpServer && { mcp_server: mcpServer as NonNullable<InputOf<'PreToolUse'>['mcp_server']> }),
  };
  conversation.begun.delete(keyOf(asked));
  const answer = await beforeCall(gate, conversation, asked, signal);
  const { permissionDecision: decision, permissionDecisionReason: reason, updatedInput = input } = answer;
  return decision === 'deny' || decision === 'defer'
    ? denied(reason ?? 'The call needs another approval, and cannot wait for it: call the tool again.')
    : { behavior: 'allow', updatedInput };
}

function denied(message: string): PermissionResult {
  return { behavior: 'deny', message };
}
