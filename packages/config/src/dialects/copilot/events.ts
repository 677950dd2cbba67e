import type { EventData } from '../../events.ts';
import { trigger } from '../cursor/events.ts';
import type { StdinFields, WireEvent } from '../dialect.ts';
import { didRun, failureText, hasFailed, toolName } from '../docker-agent/events.ts';
import { anchored } from '../matcher.ts';

/** The events with names as `preToolUse`. */
const camelCase: Readonly<Record<string, WireEvent>> = {
  preToolUse: {
    event: 'before_tool_call',
    stdin: toolCall(),
    takes: ['deny', 'approval', 'input'],
    matched: toolName,
  },
  permissionRequest: {
    event: 'permission_request',
    stdin: { toolName: 'toolName', toolInput: 'input' },
    takes: ['deny', 'approval', 'stop'],
    matched: toolName,
  },
  postToolUse: {
    event: 'after_tool_call',
    fires: (event) => !hasFailed(event),
    stdin: {
      ...toolCall(),
      toolResult: ({ fields: { output } }) => ({
        resultType: 'success',
        textResultForLlm: typeof output === 'string' ? output : (JSON.stringify(output) ?? ''),
      }),
    },
    takes: ['deny', 'output', 'context'],
    matched: toolName,
    exit2: 'messages',
  },
  postToolUseFailure: {
    event: 'after_tool_call',
    fires: (event) => hasFailed(event) && didRun(event),
    stdin: { ...toolCall(), error: failureText },
    takes: ['context'],
    matched: toolName,
    exit2: 'context',
  },
  userPromptSubmitted: {
    event: 'user_prompt_submit',
    stdin: { prompt: 'prompt' },
    takes: ['deny', 'prompt', 'context'],
    exit2: 'messages',
  },
  userPromptTransformed: {
    event: 'user_prompt_submit',
    stdin: { prompt: 'prompt', transformedPrompt: 'prompt' },
    takes: ['prompt'],
    exit2: 'messages',
  },
  agentStop: {
    event: 'stop',
    stdin: {
      transcriptPath: () => '',
      stopReason: () => 'end_turn',
      stop_hook_active: ({ fields }) => Number(fields['continuations'] ?? 0) > 0,
    },
    takes: ['retry'],
    exit2: 'messages',
  },
  subagentStart: {
    event: 'subagent_start',
    stdin: { transcriptPath: () => '', agentName: 'subagent' },
    takes: [],
    matched: ({ fields }) => String(fields['subagent'] ?? ''),
    exit2: 'messages',
    notice: 'its additionalContext is ignored here',
  },
  subagentStop: {
    event: 'subagent_stop',
    stdin: {
      transcriptPath: () => '',
      agentId: 'subagentSession',
      agentType: 'subagent',
      agentName: 'subagent',
      response: 'response',
      stopReason: () => 'end_turn',
    },
    takes: [],
    exit2: 'messages',
    notice: 'its answer is ignored here',
  },
  sessionStart: {
    event: 'session_start',
    stdin: { source: 'source' },
    takes: ['context'],
    exit2: 'messages',
  },
  sessionEnd: {
    event: 'session_end',
    stdin: { reason: ({ fields: { reason } }) => (reason === 'other' ? 'complete' : 'user_exit') },
    takes: [],
    exit2: 'messages',
  },
  preCompact: {
    event: 'before_compaction',
    stdin: { transcriptPath: () => '', trigger, customInstructions: () => '' },
    takes: [],
    matched: trigger,
    exit2: 'messages',
  },
  errorOccurred: {
    event: 'agent_error',
    stdin: {
      error: ({ fields }) => ({ name: 'Error', message: String(fields['message'] ?? fields['error'] ?? '') }),
      errorContext: () => 'system',
      recoverable: () => false,
    },
    takes: [],
    exit2: 'messages',
  },
  notification: {
    event: 'notification',
    stdin: { hook_event_name: () => 'Notification', message: 'message', notification_type: 'level' },
    takes: ['context'],
    matched: ({ fields }: EventData) => String(fields['level'] ?? ''),
  },
};

/** Those that Copilot names otherwise in the other case, and one that it does not have there. */
const RENAMED: Readonly<Record<string, string | undefined>> = {
  userPromptSubmitted: 'UserPromptSubmit',
  agentStop: 'Stop',
  userPromptTransformed: undefined,
};

/** Those whose hooks receive the same in both cases. */
const UNCHANGED: readonly string[] = ['PermissionRequest', 'Notification'];

/** Whether hooks of the event receive fields as `tool_name`, by the case of its name. */
export function isSnakeCase(wireEvent: string): boolean {
  return /^[A-Z]/.test(wireEvent) && !UNCHANGED.includes(wireEvent);
}

/**
 * Copilot's events: the corresponding event of ours, its stdin, and what its hooks may answer. In the names of VS Code and Claude
 * Code (`PreToolUse`), they have other fields and Claude Code's names of tools. Tried with 1.0.102.
 */
export const copilotEvents: Readonly<Record<string, WireEvent>> = {
  ...camelCase,
  ...Object.fromEntries(Object.entries(camelCase).flatMap(([name, row]) => inPascalCase(name, row))),
};

function inPascalCase(camel: string, row: WireEvent): readonly (readonly [string, WireEvent])[] {
  const name = Object.hasOwn(RENAMED, camel)
    ? RENAMED[camel]
    : `${camel.charAt(0).toUpperCase()}${camel.slice(1)}`;
  if (name === undefined) return [];
  const stdin = Object.fromEntries(
    Object.entries(row.stdin).map(([field, value]) => [snakeCase(field), inSnakeCase(field, value)]),
  );
  const matches = row.matched === toolName ? { matches: matchesEither } : {};
  return [[name, { ...row, ...matches, ...(isSnakeCase(name) && { stdin }) }]];
}

function snakeCase(field: string): string {
  return field === 'toolArgs'
    ? 'tool_input'
    : field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function inSnakeCase(field: string, value: StdinFields[string]): StdinFields[string] {
  if (field === 'toolName') return (event) => claudeName(toolName(event) ?? '');
  if (field !== 'toolResult' || typeof value === 'string') return value;
  return (event) =>
    Object.fromEntries(Object.entries(Object(value(event))).map(([name, part]) => [snakeCase(name), part]));
}

/** Claude Code's names of Copilot's tools. All others keep theirs. */
const CLAUDE_NAMES: Readonly<Record<string, string>> = {
  bash: 'Bash',
  view: 'Read',
  create: 'Write',
  edit: 'Edit',
  grep: 'Grep',
  glob: 'Glob',
  web_fetch: 'WebFetch',
  task: 'Agent',
};

function claudeName(name: string): string {
  return (Object.hasOwn(CLAUDE_NAMES, name) && CLAUDE_NAMES[name]) || name;
}

/** A matcher may have Copilot's name of a tool, or Claude Code's. */
function matchesEither(matcher: string, name: string): boolean {
  return anchored(matcher, name) || anchored(matcher, claudeName(name));
}

function toolCall(): StdinFields {
  return { toolName: 'toolName', toolArgs: 'input' };
}
