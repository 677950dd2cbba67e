import type { Approver, InputCheck, ToolCallOutcome, ToolDescriptor } from '@hooks/core';
import {
  type AgentRun,
  errorText,
  failureText,
  type InnerRegistries,
  pendingApproval,
  type RunToolCall,
  SAME_ID,
  unapproved,
} from '@hooks/core/adapter';
import type { BeginOptions, Begun, ToolResult } from '@hooks/core/tool-call';
import { answerFor, unanswered } from '../approval/pending.ts';
import type { Registries } from '../registries.ts';
import type { BegunCall, Conversation } from '../run/conversation.ts';
import type { Gate } from '../run/gate.ts';
import { type HookAnswer, type InputOf, isRecord, type ToolInput } from '../sdk.ts';
import { removeKept } from './kept-files.ts';
import { readContent, shapedAs } from './shape.ts';

/*
 * Tools that Claude Code runs, or another process for it: hooks decide in PreToolUse, and on the result in PostToolUse.
 */

/** A call is about to run: in Claude Code, or in this process, where hooks decide on it. */
export async function beforeCall(
  gate: Gate,
  conversation: Conversation,
  input: InputOf<'PreToolUse'>,
  signal: AbortSignal,
): Promise<HookAnswer> {
  const { source, name = '' } = input.mcp_server ?? {};
  if (source !== 'sdk') return beforeTool(conversation, input, signal);
  const own = gate.own.get(name);
  if (own === undefined) return refused(NOT_HOOKED);
  await own.announce({ run: await conversation.runOf(input.agent_id), conversation }, input, signal);
  return {};
}

const NOT_HOOKED =
  'The call did not run: its server was added to the query without hooks. Add it in the options, or by setMcpServers of a hookedQuery.';

/** Asks whether a tool of Claude Code may run. */
async function beforeTool(
  conversation: Conversation,
  input: InputOf<'PreToolUse'>,
  signal: AbortSignal,
): Promise<HookAnswer> {
  const run = await conversation.runOf(input.agent_id);
  const stop = run.stop ?? run.parent?.stop;
  if (stop !== undefined) return refused(stop.reason, { stop: true });
  if (conversation.begun.has(keyOf(input))) return refused(SAME_ID);
  // A sub-agent would go on with the history that has an original.
  if (input.tool_name === 'SendMessage' && conversation.closed !== undefined)
    return refused(conversation.closed);
  const hidden = hiddenOutput(conversation.setting.registries, input);
  if (hidden !== undefined) return refused(hidden);
  const call = { ...callOf(input), signal, ...(await answerFor(conversation, input)) };
  const ofMain = conversation.setting.seesPrompts ? defer(conversation) : ONLY_IN_QUERY;
  const pause = input.agent_id === undefined ? ofMain : NOT_IN_SUBAGENT;
  const options = { check: hasFields, capabilities: { ask: true }, pause };
  const begun = await decided(conversation, run, call, options);
  if (begun === 'deferred' || begun.kind !== 'run') unanswered(call);
  // Claude Code would tell the model of another refusal, although the user has aborted.
  if (run.signal?.aborted === true) return refused('The user aborted the query.', { stop: true });
  // Claude Code keeps the call, and ends the query.
  if (begun === 'deferred') return { permissionDecision: 'defer' };
  if (begun.kind === 'ask') return refused(begun.request.reason);
  const context = conversation.contextOf(run);
  if (begun.kind === 'done')
    return refused(failureText(begun.outcome), { stop: begun.outcome.stop, context });
  conversation.begun.set(keyOf(input), begun);
  const updatedInput = begun.input === input.tool_input ? undefined : asFields(begun.input);
  if (begun.approved) conversation.allowed.set(callKeyOf(input), updatedInput ?? input.tool_input);
  return {
    // A person has approved this very call, so Claude Code does not ask again.
    ...(begun.approved && { permissionDecision: 'allow' }),
    ...(updatedInput && { updatedInput }),
    ...context,
  };
}

/** Passes through core as control flow: a call waits for a person, and the query ends. */
const DEFERRED: Error = new Error('The call waits for a person.');

/** Asks a person: Claude Code keeps the call, which is the only one, and the query ends. */
function defer(conversation: Conversation): Approver {
  return (request) => {
    if (conversation.deferred !== undefined) return unapproved(request.reason, ONE_AT_A_TIME);
    // An answer names the tool as Claude Code does.
    const { nativeToolName: toolName = request.toolName, ...pending } = pendingApproval(request);
    conversation.deferred = { ...pending, toolName };
    throw DEFERRED;
  };
}

/** Why a second call cannot wait. */
const ONE_AT_A_TIME =
  'another call of this answer waits for approval already, and Claude Code keeps only one: call the tool again when that one is decided';

/** Why a call cannot wait where prompts and messages do not go through `hookedQuery`, which shows what waits and takes the answers. */
const ONLY_IN_QUERY = "with `approval: 'native'` a call can wait only in hookedQuery";

/** Why a call of a sub-agent cannot wait. */
const NOT_IN_SUBAGENT =
  'a call of a sub-agent cannot wait, since Claude Code ends the sub-agent without it: set `approval` to a function';

/** Claude Code would run the original input in place of one that is no object. */
const hasFields: InputCheck = async (input) =>
  isRecord(input) ? undefined : { message: 'the input of a tool of Claude Code is an object' };

/** Begins a call, and asks for the approval that hooks require. */
export async function decided(
  conversation: Conversation,
  run: AgentRun,
  call: RunToolCall & { readonly callId: string },
  options: BeginOptions & InnerRegistries,
): Promise<(BegunCall & { readonly approved: boolean }) | Exclude<Begun, BegunCall> | 'deferred'> {
  const begun = await run.beginTool(call, options);
  try {
    if (begun.kind === 'run') return { ...begun, approved: call.resumed?.decision === 'allow' };
    if (begun.kind === 'done') return begun;
    // Whoever decided, or was asked, it is the same call.
    const { resumed, approvalId } = call;
    // It waited in this process, and hooks have decided on it.
    const isAnswered = resumed !== undefined && resumed.hash === begun.request.hash;
    const isControlFlow = (error: unknown) => error === DEFERRED;
    const answered = await run.answerTool(call, isAnswered ? { ...resumed, approvalId } : { isControlFlow });
    if (answered === undefined || answered.kind === 'ask') return begun;
    return answered.kind === 'run' ? { ...answered, approved: true } : answered;
  } catch (error) {
    if (error !== DEFERRED) throw error;
    return 'deferred';
  } finally {
    if (options.runsIn === undefined && conversation.deferred?.callId !== call.callId)
      run.pending.forget(call);
  }
}

/** Refuses the call, and ends the run where a hook wants so. */
export function refused(reason: string, { stop = false, context = {} }: Refusal = {}): HookAnswer {
  const deny = { permissionDecision: 'deny', permissionDecisionReason: reason } as const;
  return { ...(stop && { stop: reason }), ...deny, ...context };
}

interface Refusal {
  readonly stop?: boolean;
  readonly context?: HookAnswer;
}

/** Lets hooks decide on what a tool of Claude Code returned. */
export async function afterTool(
  conversation: Conversation,
  input: InputOf<'PostToolUse'>,
): Promise<HookAnswer> {
  const original = input.tool_response;
  if (!conversation.begun.has(keyOf(input))) return unasked(conversation, input);
  // Claude Code says nothing of a sub-agent whose run a hook has ended.
  const agent = isRecord(original) && original['status'] === 'completed' ? original['agentId'] : undefined;
  const ended = typeof agent === 'string' ? await conversation.endAgent(agent, { kind: 'done' }) : undefined;
  const output = input.mcp_server === undefined ? (ended ?? original) : readContent(original);
  const { run, outcome } = await finished(conversation, input, { output });
  const answer = { ...(outcome.stop && { stop: failureText(outcome) }), ...conversation.contextOf(run) };
  const replaced = outcome.status === 'ok' ? outcome.output : failureText(outcome);
  if (replaced === original || (replaced === output && ended === undefined)) return answer;
  const shaped = shapedAs(original, replaced);
  if (shaped === undefined || !(await removeKept(input)))
    return unread(conversation, run, input, unreplaced('result', input));
  conversation.replaced.set(input.tool_use_id, undefined);
  if (input.mcp_server !== undefined && typeof original === 'string')
    run.warnOnce(
      `A hook replaced a result of ${input.tool_name} that has structuredContent, which Claude Code's transcript keeps. Put the proxy of @hooks/mcp before that server, or set persistSession: false.`,
    );
  return { ...answer, updatedToolOutput: shaped.value };
}

/** Lets hooks hear of a tool that failed. Claude Code takes no other error text, so the run ends where they want one. */
export async function afterFailure(
  conversation: Conversation,
  input: InputOf<'PostToolUseFailure'>,
): Promise<HookAnswer> {
  if (!conversation.begun.has(keyOf(input))) return unasked(conversation, input);
  const error = new Error(input.error);
  const { run, outcome } = await finished(conversation, input, { error });
  const context = conversation.contextOf(run);
  if (outcome.status === 'error' && (outcome.error === error || errorText(outcome.error) === input.error))
    return context;
  return unread(conversation, run, input, unreplaced('error', input));
}

/** A call ran without being announced: something goes round the hooks, so nothing goes on. */
async function unasked(
  conversation: Conversation,
  input: InputOf<'PostToolUse'> | InputOf<'PostToolUseFailure'>,
): Promise<HookAnswer> {
  const run = await conversation.runOf(input.agent_id);
  const why = `Claude Code ran ${input.tool_name} without asking the hooks, so the run ended.`;
  run.warnOnce(why);
  return unread(conversation, run, input, why);
}

/** The model does not read a result, as no hook has decided on it. */
export function withheld({ tool_response: original }: InputOf<'PostToolUse'>, why: string): HookAnswer {
  const shaped = shapedAs(original, why);
  return { stop: why, ...(shaped && { updatedToolOutput: shaped.value }) };
}

/** Claude Code keeps what the model must not read: the run ends, and no later prompt sends the history. */
function unread(conversation: Conversation, run: AgentRun, input: ToolInput, why: string): HookAnswer {
  const { reason } = run.endBy({ reason: why });
  conversation.closeHistory(reason);
  conversation.replaced.set(input.tool_use_id, reason);
  return { stop: reason };
}

function unreplaced(what: string, { tool_name: tool }: ToolInput): string {
  return `A hook replaced the ${what} of ${tool}, which Claude Code does not support, so the run ended before the model could read the original.`;
}

async function finished(
  conversation: Conversation,
  input: InputOf<'PostToolUse'> | InputOf<'PostToolUseFailure'>,
  result: ToolResult,
): Promise<{ readonly run: AgentRun; readonly outcome: ToolCallOutcome }> {
  const run = await conversation.runOf(input.agent_id);
  const begun = conversation.begun.get(keyOf(input));
  conversation.begun.delete(keyOf(input));
  conversation.allowed.delete(callKeyOf(input));
  return { run, outcome: await run.finishTool(callOf(input), result, { begun }) };
}

/** Why a call would write output where no hook sees it. */
function hiddenOutput(
  registries: Registries,
  { tool_name: tool, tool_input: given }: ToolInput,
): string | undefined {
  if (!registries.decidesResult(tool)) return undefined;
  if (tool === 'Workflow')
    return 'Hooks decide on the results of Workflow, which Claude Code tells the model in a message that no hook can change: use Agent.';
  if (tool === 'Monitor')
    return 'Hooks decide on the results of Monitor, and do not see what a command writes while it is watched: run it with Bash.';
  const isInBackground = isRecord(given) && given['run_in_background'] === true;
  // A sub-agent waits where hooks decide on its results: Claude Code runs nothing in the background.
  return isInBackground && tool !== 'Agent' && tool !== 'Task'
    ? `Hooks decide on the results of ${tool}, and do not see what a command writes in the background: run it without run_in_background.`
    : undefined;
}

/** A call as core gets it. */
export function callOf(input: ToolInput): RunToolCall & { readonly callId: string } {
  const { tool_name: toolName, tool_use_id: callId, tool_input } = input;
  return { toolName, callId, input: tool_input, tool: descriptorOf(input), native: input };
}

function descriptorOf({ tool_name: name, mcp_server: server }: ToolInput): ToolDescriptor {
  if (server !== undefined)
    return { kind: server.source === 'sdk' ? 'function' : 'mcp', server: server.name };
  return { kind: name === 'Agent' || name === 'Task' ? 'agent' : 'framework' };
}

/** Two agents may give their calls the same id. */
export function keyOf({
  agent_id: agent = '',
  tool_use_id: id,
}: Pick<ToolInput, 'agent_id' | 'tool_use_id'>): string {
  return `${agent}\n${id}`;
}

/** Calls of two tools may have the same id, too. */
export function callKeyOf(input: Pick<ToolInput, 'agent_id' | 'tool_use_id' | 'tool_name'>): string {
  return `${keyOf(input)}\n${input.tool_name}`;
}

function asFields(input: unknown): Record<string, unknown> | undefined {
  return isRecord(input) ? { ...input } : undefined;
}
