import type { ToolDescriptor } from '@hooks/core';
import { argumentsOf } from '../dialects/ai4j/dialect.ts';
import type { Dialect } from '../dialects/dialect.ts';
import type { EventData } from '../events.ts';

/**
 * The inverse of `stdinOf`: the event that a program sends to its hook, by core's names. For a program that is itself
 * run as a hook.
 * @throws Error if the JSON has no known event of the dialect, or a tool event has no tool
 */
export function readStdin(
  dialect: Dialect,
  json: unknown,
): { readonly wireEvent: string; readonly event: EventData } {
  if (!isRecord(json)) throw new Error('expected a JSON object');
  const wireEvent = dialect.name === 'ai4j' ? ai4jEvent(json) : String(json['hook_event_name']);
  const row = Object.hasOwn(dialect.events, wireEvent) ? dialect.events[wireEvent] : undefined;
  if (!row) {
    const known = Object.keys(dialect.events).join(', ');
    const unnamed = dialect.name !== 'ai4j' && json['hook_event_name'] === undefined;
    const wrong = unnamed ? 'it has no hook_event_name' : `${dialect.name} has no event "${wireEvent}"`;
    throw new Error(`${wrong}; expected one of: ${known}`);
  }

  const given = dialect.name === 'ai4j' ? fromAi4j(json) : json;
  for (const wire of TEXTS) requireText(wire, given[wire]);
  const fields: Record<string, unknown> = {};
  for (const [wire, source] of Object.entries(row.stdin)) {
    const value = given[wire];
    // A null is a value of a tool's input or output. Elsewhere it is what some agents send for a text that is missing.
    const has = value !== undefined && (value !== null || source === 'input' || source === 'output');
    if (typeof source === 'string' && TEXT_SOURCES.includes(source)) requireText(wire, value);
    if (typeof source === 'string' && has) fields[source] = value;
    // The tool's name selects the hooks: without one, no hook would run.
    if (source === 'toolName' && typeof given[wire] !== 'string') throw new Error(`it has no ${wire}`);
  }
  return {
    wireEvent,
    event: {
      type: row.event,
      sessionId: textOf(given['parent_session_id'] ?? given['session_id'] ?? given['sessionId']) ?? 'hooks',
      cwd: textOf(given['cwd']) ?? process.cwd(),
      fields: {
        ...common(given),
        ...principalIn(dialect, given),
        ...computed(row.event, given),
        ...fields,
        ...toolOf(dialect, fields['toolName'], given),
      },
    },
  };
}

/** Core's fields that are texts, whatever a dialect calls them. A hook that trims another value would fail. */
const TEXT_SOURCES: readonly string[] = [
  ...['prompt', 'response', 'message', 'summary', 'reason', 'source', 'level', 'model', 'agent'],
  ...['subagent', 'subagentSession'],
];

/** Texts on stdin that are parts of core's fields. */
const TEXTS: readonly string[] = [
  ...['stop_response', 'last_user_message', 'notification_message', 'agent_name', 'agent_type'],
];

function requireText(field: string, value: unknown): void {
  if (value === undefined || value === null || typeof value === 'string') return;
  throw new Error(`its ${field} is no text`);
}

/** Claude Code's and Codex's own fields of each event, for hooks in its dialect. */
function common(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { transcript_path: transcriptPath, permission_mode: permissionMode, agent_id: agentId } = given;
  const { turn_id: run } = given;
  return {
    ...(typeof transcriptPath === 'string' && { transcriptPath }),
    ...(typeof permissionMode === 'string' && { permissionMode }),
    ...(typeof agentId === 'string' && { agentId }),
    ...(typeof run === 'string' && { run }),
  };
}

/** Of Claude Code's tools, those that are not of an MCP server are its own. */
function toolOf(dialect: Dialect, toolName: unknown, given: Readonly<Record<string, unknown>>): object {
  if (dialect.name !== 'claude-code' || typeof toolName !== 'string' || toolName.startsWith('mcp__'))
    return serverOf(toolName, given);
  const isAgent = toolName === 'Agent' || toolName === 'Task';
  return { tool: { kind: isAgent ? 'agent' : 'framework' } satisfies ToolDescriptor };
}

/**
 * The tool of an MCP server, whose name alone does not tell the server: Gemini CLI says it beside the name
 * (`mcp_github_get_issue`), and Cursor (`MCP:get_issue`) does not.
 */
function serverOf(toolName: unknown, { mcp_context: context }: Readonly<Record<string, unknown>>): object {
  if (typeof toolName !== 'string') return {};
  const server = isRecord(context) ? textOf(context['server_name']) : undefined;
  if (server === undefined && !/^(?:mcp_(?!_)|MCP:)/.test(toolName)) return {};
  return { tool: { kind: 'mcp', ...(server !== undefined && { server }) } satisfies ToolDescriptor };
}

/** The principal, which only our own dialect has. Where it is none, core refuses the event: dropping it would let nobody act. */
function principalIn(dialect: Dialect, { principal }: Readonly<Record<string, unknown>>): object {
  return dialect.name === 'hooks' && principal !== undefined && principal !== null ? { principal } : {};
}

/** Fields with a special form on stdin, and core's fields that stdin lacks. */
function computed(type: string, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  // Claude Code names the type of the subagent in which the event happens.
  const name = given['agent_name'] ?? given['agent_type'];
  const agent = name === undefined ? {} : { agent: name };
  switch (type) {
    case 'user_prompt_submit': {
      const messages = given['steering_messages'];
      if (Array.isArray(messages)) return { ...agent, prompt: messages.join('\n'), delivery: 'steering' };
      if (!isUsers(given)) return { ...agent, delivery: 'notification' };
      const isFollowup = given['hook_event_name'] === 'user_followup_submit';
      return { ...agent, ...(isFollowup && { delivery: 'followup' }) };
    }
    case 'transform_tool_result':
    case 'after_tool_call': {
      const failed = given['tool_error'] === true || given['error'] !== undefined;
      const response = given['tool_response'] ?? given['output'] ?? given['error'];
      const result = failed
        ? { status: 'error', errorMessage: String(response ?? ''), error: response }
        : { status: 'ok', output: response };
      return { ...agent, ran: true, attempt: 1, durationMs: 0, ...result };
    }
    case 'tool_approval_decision':
      return { ...agent, approval: 'deny', source: 'user_rejected', answered: true, reason: given['reason'] };
    case 'after_model_call': {
      const response = { text: given['stop_response'] ?? '', toolCalls: [] };
      return { ...agent, iteration: 1, attempt: 1, response, lastUserMessage: given['last_user_message'] };
    }
    case 'stop':
      return {
        ...agent,
        response: given['stop_response'] ?? '',
        continuations: given['stop_hook_active'] ? 1 : 0,
      };
    case 'subagent_start':
    case 'subagent_stop': {
      const parent = given['parent_session_id'] === undefined ? {} : { subagentSession: given['session_id'] };
      return type === 'subagent_stop' ? { ...parent, response: '' } : parent;
    }
    case 'before_model_call':
      return { ...agent, iteration: 1, messages: given['messages'] ?? [], tools: given['tools'] ?? [] };
    case 'turn_start':
    case 'turn_end':
      return { ...agent, iteration: 1 };
    case 'before_compaction':
    case 'after_compaction': {
      const manual = given['trigger'] === 'manual';
      const numbers = { inputTokens: 0, outputTokens: 0, contextLimit: 0 };
      return {
        ...agent,
        ...numbers,
        reason: manual ? 'manual' : 'threshold',
        source: manual ? 'manual' : 'auto',
      };
    }
    case 'agent_error':
      return { ...agent, error: given['error'] ?? given['notification_message'] };
    case 'session_end':
      return { reason: given['reason'] };
    default:
      return agent;
  }
}

/**
 * Whether a user wrote a prompt. Claude Code fires its event also for the end of a background task, for messages of other agents,
 * and for reminders that a model has written. Some of its versions do not say so. In a sub-agent, a model wrote it.
 */
function isUsers(given: Readonly<Record<string, unknown>>): boolean {
  const { hook_event_name: name, source, prompt, agent_id: subagent } = given;
  if (name !== 'UserPromptSubmit') return true;
  if (subagent !== undefined) return false;
  return typeof source === 'string'
    ? source === 'user' || source === 'sdk'
    : !/<(?:task-notification|teammate-message|cross-session-message|channel)[\s>]/.test(String(prompt));
}

/** ai4j's events differ only in their shape. */
function ai4jEvent(json: Readonly<Record<string, unknown>>): string {
  if (json['call'] !== undefined) return 'postToolUse';
  if (json['arguments'] !== undefined) return 'preToolUse';
  if (json['input'] !== undefined) return 'userPromptSubmit';
  const byType: Readonly<Record<string, string>> = {
    AFTER_TURN: 'stop',
    ON_COMPACT: 'preCompact',
    SESSION_START: 'sessionStart',
    SESSION_END: 'sessionEnd',
  };
  return byType[String(json['type'])] ?? String(json['type']);
}

function fromAi4j(json: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const call = isRecord(json['call']) ? json['call'] : json;
  const given = call['arguments'];
  return {
    ...json,
    tool_name: call['name'],
    tool_use_id: call['callId'],
    tool_input: typeof given === 'string' ? argumentsOf(given) : given,
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
