import type { CanUseTool, Options, PermissionResult } from '@anthropic-ai/claude-agent-sdk';
import type { Approver } from '@hooks/core';
import { isSameInput } from '@hooks/core/adapter';
import type { Conversation } from '../run/conversation.ts';
import type { Gate } from '../run/gate.ts';
import { type InputOf, isRecord } from '../sdk.ts';
import { beforeCall, callKeyOf, keyOf } from '../tool/builtin.ts';

type Asked = Parameters<CanUseTool>;
type Fields = Asked[1];

/**
 * Claude Code's question whether a call may run. A call that hooks and people have decided on is not asked about again.
 * About others the user's `canUseTool` is asked, and an input that it changes is decided on as a new one.
 */
export function permissionsOf(gate: Gate, given: Options): CanUseTool {
  return async (...asked) => {
    const [toolName, , { agentID }] = asked;
    const { setting, current } = gate;
    if (current === undefined) return denied('No hook was asked about the prompt.');
    const question = questionOf(gate, gate.conversation(current.sessionId, agentID), asked);
    const known = approved(question);
    if (known !== undefined) return known;
    if (setting.answers.length === 0) return askUser(question, given, asked);
    const decided = await decideResumed(question);
    if (decided.behavior !== 'allow') return decided;
    const answered = approved(question);
    if (answered !== undefined) return answered;
    return runsUnasked(given, toolName) ? decided : askUser(question, given, asked, decided.updatedInput);
  };
}

/** A question of Claude Code's. */
interface Question {
  readonly gate: Gate;
  readonly conversation: Conversation;
  /** The call, as PreToolUse announces it. */
  readonly call: InputOf<'PreToolUse'>;
  readonly signal: AbortSignal;
  /** Whether it is for a tool of this process, which is decided on where it runs, with what arrives. */
  readonly isOwn: boolean;
}

function questionOf(gate: Gate, conversation: Conversation, asked: Asked): Question {
  const [, , { signal, mcpServer }] = asked;
  const isOwn = mcpServer?.source === 'sdk';
  return { gate, conversation, call: callOf(conversation, asked), signal, isOwn };
}

/** The answer that hooks and people have given before, with the input that they let run. */
function approved({ conversation, call }: Question): PermissionResult | undefined {
  const allowed = conversation.allowed.get(callKeyOf(call));
  return isRecord(allowed) ? { behavior: 'allow', updatedInput: { ...allowed } } : undefined;
}

/**
 * Lets hooks decide on a call of a resumed session that they have not decided on: Claude Code may run the calls that waited
 * before it knows the hooks. Then this is the only question.
 */
async function decideResumed(question: Question): Promise<PermissionResult> {
  const { conversation, call, isOwn } = question;
  if (isOwn || conversation.begun.has(keyOf(call)))
    return { behavior: 'allow', updatedInput: call.tool_input as Fields };
  return decide(question);
}

/** Asks the user's `canUseTool`, where there is one. */
async function askUser(
  question: Question,
  { canUseTool }: Options,
  [toolName, input, options]: Asked,
  effective = input,
): Promise<PermissionResult | null> {
  if (canUseTool === undefined)
    return denied(`Claude requested permissions to use ${toolName}, but you haven't granted it yet.`);
  // A copy: it may change it in place, and that is a change, too.
  const answer = await canUseTool(toolName, structuredClone(effective), options);
  if (answer?.behavior !== 'allow') return answer;
  const changed = changedInput(answer, effective);
  if (changed === undefined || question.isOwn) return { updatedInput: effective, ...answer };
  const { conversation, call } = question;
  conversation.begun.delete(keyOf(call));
  const again = await decide(question, changed);
  return again.behavior === 'allow' ? { ...answer, ...again } : again;
}

/** The input with which the user lets a call run, if it is another one. */
function changedInput(answer: PermissionResult | null, input: unknown): Fields | undefined {
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

/** A call that Claude Code asks about, as PreToolUse announces it. */
function callOf(
  { sessionId }: Conversation,
  [toolName, input, { toolUseID, agentID, mcpServer }]: Asked,
): InputOf<'PreToolUse'> {
  return {
    hook_event_name: 'PreToolUse',
    session_id: sessionId,
    transcript_path: '',
    cwd: '',
    tool_name: toolName,
    tool_use_id: toolUseID,
    tool_input: input,
    ...(agentID !== undefined && { agent_id: agentID }),
    // The same description, in the type of another callback.
    ...(mcpServer && { mcp_server: mcpServer as NonNullable<InputOf<'PreToolUse'>['mcp_server']> }),
  };
}

/** Lets hooks decide on a call, as in PreToolUse. */
async function decide(
  { gate, conversation, call, signal }: Question,
  input = call.tool_input,
): Promise<PermissionResult> {
  const answer = await beforeCall(gate, conversation, { ...call, tool_input: input }, signal);
  const { permissionDecision: decision, permissionDecisionReason: reason, updatedInput } = answer;
  return decision === 'deny' || decision === 'defer'
    ? denied(reason ?? 'The call needs another approval, and cannot wait for it: call the tool again.')
    : { behavior: 'allow', updatedInput: updatedInput ?? (input as Fields) };
}

function denied(message: string): PermissionResult {
  return { behavior: 'deny', message };
}

/** Why a tool whose server says `always_ask` needs approval. */
export const ASKS = 'The tool requires approval.';

/** The user's `canUseTool` as an approver, for tools that require approval by themselves. Undefined without one. */
export function approverOf({ canUseTool }: Options): Approver | undefined {
  if (canUseTool === undefined) return undefined;
  return async ({ callId, toolName, input, reason }, { signal = new AbortController().signal }) => {
    const answer = await canUseTool(toolName, isRecord(input) ? structuredClone(input) : {}, {
      signal,
      toolUseID: callId,
      decisionReason: reason,
      requestId: callId,
    });
    // Null leaves the question to another host, which a hook's question has not.
    if (answer === null) return { decision: 'canceled' };
    if (answer.behavior === 'deny') return { decision: 'deny', reason: answer.message };
    const changed = changedInput(answer, input);
    return { decision: 'allow', ...(changed && { input: changed }) };
  };
}
