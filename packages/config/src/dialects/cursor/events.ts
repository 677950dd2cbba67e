import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { EventData } from '../../events.ts';
import type { StdinFields, WireEvent } from '../dialect.ts';
import { didRun, failureText, hasFailed, sessionEndReason, toolName } from '../docker-agent/events.ts';

/** Cursor's events for agents: the corresponding event of ours, its stdin, and what its hooks may answer. */
export const cursorEvents: Readonly<Record<string, WireEvent>> = {
  preToolUse: {
    event: 'before_tool_call',
    stdin: toolCall(),
    takes: ['deny', 'approval', 'input'],
    matched: toolName,
  },
  beforeShellExecution: {
    event: 'before_tool_call',
    fires: isShell,
    stdin: { command, cwd: (event) => event.cwd, sandbox: () => false },
    takes: ['deny', 'approval'],
    matched: command,
  },
  beforeMCPExecution: {
    event: 'before_tool_call',
    fires: isMcp,
    stdin: { tool_name: mcpTool, tool_input: (event) => asJson(event.fields['input']) },
    takes: ['deny', 'approval'],
    matched: toolName,
  },
  beforeReadFile: {
    event: 'before_tool_call',
    fires: (event) => toolName(event) === 'Read',
    stdin: { file_path: filePath, content, attachments: () => [] },
    takes: ['deny', 'approval'],
    matched: toolName,
  },
  postToolUse: {
    event: 'after_tool_call',
    fires: (event) => !hasFailed(event),
    stdin: {
      ...toolCall(),
      tool_output: (event) => asJson(event.fields['output']),
      duration: 'durationMs',
    },
    takes: ['context', 'output'],
    matched: toolName,
  },
  postToolUseFailure: {
    event: 'after_tool_call',
    fires: hasFailed,
    stdin: {
      ...toolCall(),
      error_message: failureText,
      failure_type: (event) => (didRun(event) ? 'error' : 'permission_denied'),
      duration: 'durationMs',
      is_interrupt: () => false,
    },
    takes: [],
    matched: toolName,
  },
  afterShellExecution: {
    event: 'after_tool_call',
    fires: (event) => isShell(event) && didRun(event),
    stdin: { command, output: result, duration: 'durationMs', sandbox: () => false },
    takes: [],
    matched: command,
  },
  afterMCPExecution: {
    event: 'after_tool_call',
    fires: (event) => isMcp(event) && didRun(event),
    stdin: {
      tool_name: mcpTool,
      tool_input: (event) => asJson(event.fields['input']),
      result_json: (event) => asJson(event.fields['output']),
      duration: 'durationMs',
    },
    takes: [],
    matched: toolName,
  },
  afterFileEdit: {
    event: 'after_tool_call',
    fires: (event) => toolName(event) === 'Write' && !hasFailed(event),
    stdin: { file_path: filePath, edits },
    takes: [],
    matched: toolName,
  },
  beforeSubmitPrompt: {
    event: 'user_prompt_submit',
    stdin: { prompt: 'prompt', attachments: () => [] },
    takes: ['deny'],
    matched: () => 'UserPromptSubmit',
  },
  afterAgentResponse: {
    event: 'after_model_call',
    fires: (event) => responseText(event) !== '',
    stdin: { text: responseText },
    takes: [],
    matched: () => 'AgentResponse',
  },
  stop: {
    event: 'stop',
    stdin: { status: () => 'completed', loop_count: (event) => event.fields['continuations'] ?? 0 },
    takes: ['retry'],
    matched: () => 'Stop',
  },
  subagentStart: {
    event: 'subagent_start',
    stdin: { subagent_id: 'subagentSession', subagent_type: 'subagent' },
    takes: [],
    matched: subagent,
    notice: 'it cannot refuse a subagent here; use preToolUse on the tool that starts one',
  },
  subagentStop: {
    event: 'subagent_stop',
    stdin: { subagent_type: 'subagent', status: () => 'completed', summary: 'response', loop_count: () => 0 },
    takes: [],
    matched: subagent,
    notice: 'its followup_message is ignored here',
  },
  sessionStart: {
    event: 'session_start',
    stdin: {
      session_id: (event) => event.sessionId,
      is_background_agent: () => false,
      composer_mode: () => 'agent',
    },
    takes: ['context'],
    notice: 'its env is ignored here',
  },
  sessionEnd: {
    event: 'session_end',
    stdin: { session_id: (event) => event.sessionId, reason: sessionEndReason },
    takes: [],
  },
  preCompact: {
    event: 'before_compaction',
    stdin: { trigger, context_tokens: 'inputTokens', context_window_size: 'contextLimit' },
    takes: [],
  },
};

/** Cursor's events that no agent reports. */
export const cursorNeverFire: readonly string[] = [
  'afterAgentThought',
  'beforeTabFileRead',
  'afterTabFileEdit',
  'workspaceOpen',
];

/** What started a compaction, in Cursor's and Copilot's words. */
export function trigger(event: EventData): 'auto' | 'manual' {
  return event.fields['source'] === 'manual' ? 'manual' : 'auto';
}

function toolCall(): StdinFields {
  return {
    tool_name: 'toolName',
    tool_input: 'input',
    tool_use_id: 'callId',
    cwd: (event) => event.cwd,
  };
}

function isShell(event: EventData): boolean {
  return toolName(event) === 'Shell';
}

function isMcp(event: EventData): boolean {
  return toolName(event)?.startsWith('MCP:') ?? false;
}

function mcpTool(event: EventData): string | undefined {
  return toolName(event)?.slice('MCP:'.length);
}

function command(event: EventData): string | undefined {
  const given = argument(event, 'command');
  return Array.isArray(given) ? given.join(' ') : text(given);
}

function filePath(event: EventData): string | undefined {
  const path = text(argument(event, 'file_path'));
  return path === undefined ? undefined : resolve(event.cwd, path);
}

/** The content of the file to be read; empty if it is not a local file. */
function content(event: EventData): string {
  try {
    return readFileSync(filePath(event) ?? '', 'utf8');
  } catch {
    return '';
  }
}

/** The replaced and the new text. A file that is written as a whole has no replaced text. */
function edits(event: EventData): unknown {
  const written = argument(event, 'new_string') ?? argument(event, 'content');
  return [{ old_string: argument(event, 'old_string') ?? '', new_string: written ?? '' }];
}

function result(event: EventData): string {
  if (hasFailed(event)) return failureText(event);
  const { output } = event.fields;
  return text(output) ?? asJson(output);
}

function responseText({ fields }: EventData): string {
  const { response } = fields;
  return text(response) ?? text(Object(response).text) ?? '';
}

function subagent({ fields }: EventData): string | undefined {
  return text(fields['subagent']);
}

function argument({ fields }: EventData, name: string): unknown {
  return Object(fields['input'])[name];
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function asJson(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}
