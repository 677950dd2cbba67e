import type { EventData } from '../../events.ts';
import type { StdinFields, WireEvent } from '../dialect.ts';
import { didRun, failureText, hasFailed, sessionEndReason, toolName } from '../docker-agent/events.ts';

/** Claude Code's events that fire here: the corresponding event of ours, its stdin, and what its hooks may answer. */
export const claudeCodeEvents: Readonly<Record<string, WireEvent>> = {
  PreToolUse: {
    event: 'before_tool_call',
    stdin: toolCall(),
    takes: ['deny', 'approval', 'input', 'context', 'stop'],
    matched: toolName,
  },
  PermissionRequest: {
    event: 'permission_request',
    stdin: { tool_name: 'toolName', tool_input: 'input' },
    takes: ['deny', 'approval', 'input', 'stop'],
    matched: toolName,
    exit2: 'ignored',
  },
  PermissionDenied: {
    event: 'tool_approval_decision',
    fires: (event) => event.fields['approval'] === 'deny',
    stdin: { ...toolCall(), reason: (event) => event.fields['reason'] ?? event.fields['source'] },
    takes: [],
    matched: toolName,
  },
  PostToolUse: {
    event: 'after_tool_call',
    fires: (event) => !hasFailed(event),
    stdin: { ...toolCall(), tool_response: 'output', duration_ms: 'durationMs' },
    takes: ['deny', 'context', 'output', 'stop'],
    matched: toolName,
    refusal: 'context',
  },
  PostToolUseFailure: {
    event: 'after_tool_call',
    fires: (event) => event.fields['status'] === 'error' && didRun(event),
    stdin: { ...toolCall(), error: failureText, duration_ms: 'durationMs' },
    takes: ['context', 'stop'],
    matched: toolName,
    exit2: 'context',
  },
  UserPromptSubmit: {
    event: 'user_prompt_submit',
    stdin: { prompt: 'prompt' },
    takes: ['deny', 'context', 'text', 'stop'],
    timeoutMs: 30_000,
  },
  Stop: {
    event: 'stop',
    stdin: { stop_hook_active: stopHookActive, last_assistant_message: 'response' },
    takes: ['deny', 'stop'],
  },
  SubagentStop: {
    event: 'subagent_stop',
    stdin: {
      stop_hook_active: () => false,
      agent_id: 'subagentSession',
      agent_type: 'subagent',
      agent_transcript_path: () => '',
      last_assistant_message: 'response',
    },
    takes: [],
    matched: fieldOf('subagent'),
    // In Claude Code it would keep the subagent working.
    exit2: 'messages',
  },
  SubagentStart: {
    event: 'subagent_start',
    stdin: { agent_id: 'subagentSession', agent_type: 'subagent' },
    takes: [],
    matched: fieldOf('subagent'),
    exit2: 'messages',
  },
  StopFailure: {
    event: 'agent_error',
    stdin: { error: () => 'unknown', error_details: 'message' },
    takes: [],
    matched: () => 'unknown',
  },
  SessionStart: {
    event: 'session_start',
    stdin: { source: 'source', model: 'model' },
    takes: ['context', 'text'],
    matched: fieldOf('source'),
    exit2: 'messages',
  },
  SessionEnd: {
    event: 'session_end',
    stdin: { reason: sessionEndReason },
    takes: [],
    matched: (event) => textOf(sessionEndReason(event)),
    exit2: 'messages',
    timeoutMs: 1500,
  },
  Notification: {
    event: 'notification',
    stdin: { message: 'message', notification_type: 'level' },
    takes: [],
    matched: fieldOf('level'),
  },
  PreCompact: {
    event: 'before_compaction',
    stdin: { trigger, custom_instructions: () => '' },
    takes: ['deny', 'stop'],
    matched: trigger,
  },
  PostCompact: {
    event: 'after_compaction',
    stdin: { trigger, compact_summary: 'summary' },
    takes: [],
    matched: trigger,
    exit2: 'messages',
  },
};

/** Events whose hooks may answer in Claude Code but only observe here, with the answers that have no effect. */
export const claudeCodeOnlyWatched: Readonly<Record<string, string>> = {
  SubagentStart: 'additionalContext',
  SubagentStop: 'decision, additionalContext',
  Notification: 'additionalContext',
  PermissionDenied: 'retry',
};

/** Claude Code's events that no agent reports, and whose hooks refuse what agents here do as well. */
export const claudeCodeUnsupportedGates: readonly string[] = ['PostToolBatch', 'Elicitation'];

/** Claude Code's other events that no agent reports. */
export const claudeCodeNeverFire: readonly string[] = [
  'UserPromptExpansion',
  'Setup',
  'MessageDisplay',
  'PreModelSwitch',
  'PostModelSwitch',
  'TaskCreated',
  'TaskCompleted',
  'TeammateIdle',
  'ConfigChange',
  'InstructionsLoaded',
  'CwdChanged',
  'DirectoryAdded',
  'FileChanged',
  'WorktreeCreate',
  'WorktreeRemove',
  'ElicitationResult',
];

function toolCall(): StdinFields {
  return { tool_name: 'toolName', tool_input: 'input', tool_use_id: 'callId', mcp_server: mcpServer };
}

function mcpServer(event: EventData): string | undefined {
  return /^mcp__(.+?)__/.exec(toolName(event) ?? '')?.[1];
}

/** Whether the model continues because of a Stop hook. */
function stopHookActive(event: EventData): boolean {
  return Number(event.fields['continuations'] ?? 0) > 0;
}

function trigger(event: EventData): string {
  return event.fields['source'] === 'manual' || event.fields['reason'] === 'manual' ? 'manual' : 'auto';
}

function fieldOf(name: string): (event: EventData) => string | undefined {
  return (event) => textOf(event.fields[name]);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
