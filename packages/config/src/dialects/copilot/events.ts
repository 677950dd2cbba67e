import type { EventData } from '../../events.ts';
import { trigger } from '../cursor/events.ts';
import type { StdinFields, WireEvent } from '../dialect.ts';
import { didRun, failureText, hasFailed, toolName } from '../docker-agent/events.ts';

/** Copilot's events: the corresponding event of ours, its stdin, and what its hooks may answer. */
export const copilotEvents: Readonly<Record<string, WireEvent>> = {
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

function toolCall(): StdinFields {
  return { toolName: 'toolName', toolArgs: 'input' };
}
