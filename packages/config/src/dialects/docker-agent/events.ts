import type { EventData } from '../../events.ts';
import type { StdinFields, WireEvent } from '../dialect.ts';

/** docker-agent's events: the corresponding event of ours, its fields on stdin, and what its hooks may answer. */
export const dockerAgentEvents: Readonly<Record<string, WireEvent>> = {
  pre_tool_use: {
    event: 'before_tool_call',
    stdin: toolCall(),
    takes: ['deny', 'approval', 'input', 'stop'],
    matched: toolName,
  },
  tool_input_transform: {
    event: 'before_tool_call',
    stdin: toolCall(),
    takes: ['deny', 'input', 'stop'],
    matched: toolName,
    phase: 'first',
  },
  tool_guard: {
    event: 'before_tool_call',
    stdin: toolCall(),
    takes: ['deny', 'ask', 'stop'],
    matched: toolName,
    phase: 'last',
  },
  tool_response_transform: {
    event: 'transform_tool_result',
    stdin: { ...toolCall(), tool_response: toolResponse },
    takes: ['output'],
    matched: toolName,
  },
  post_tool_use: {
    event: 'after_tool_call',
    fires: didRun,
    stdin: { ...toolCall(), tool_response: toolResponse, tool_error: hasFailed },
    takes: ['deny', 'stop', 'context', 'text'],
    matched: toolName,
    refusal: 'stops',
  },
  permission_request: {
    event: 'permission_request',
    stdin: toolCall(),
    takes: ['deny', 'approval', 'input', 'stop'],
    matched: toolName,
  },
  session_start: { event: 'session_start', stdin: { source: 'source' }, takes: ['context', 'text'] },
  user_prompt_submit: {
    event: 'user_prompt_submit',
    fires: ({ fields }) => !['steering', 'followup'].includes(String(fields['delivery'])),
    stdin: { prompt: 'prompt' },
    takes: ['deny', 'stop', 'context', 'text'],
  },
  user_steering_messages_submit: {
    event: 'user_prompt_submit',
    fires: ({ fields }) => fields['delivery'] === 'steering',
    stdin: { steering_messages: ({ fields }) => [fields['prompt']] },
    takes: ['deny', 'stop', 'context', 'text'],
  },
  user_followup_submit: {
    event: 'user_prompt_submit',
    fires: ({ fields }) => fields['delivery'] === 'followup',
    stdin: { prompt: 'prompt' },
    takes: ['deny', 'stop', 'context', 'text'],
  },
  before_agent_run: {
    event: 'before_run',
    stdin: { agent_name: 'agent', prompt: 'message' },
    takes: ['deny', 'stop'],
  },
  turn_start: { event: 'turn_start', stdin: {}, takes: ['context', 'text'] },
  turn_end: { event: 'turn_end', stdin: { agent_name: 'agent', reason: 'reason' }, takes: [] },
  before_llm_call: { event: 'before_model_call', stdin: { iteration: 'iteration' }, takes: ['deny', 'stop'] },
  after_llm_call: { event: 'after_model_call', stdin: answered(), takes: [] },
  session_end: { event: 'session_end', stdin: { reason: sessionEndReason }, takes: [] },
  pre_compact: {
    event: 'before_compaction',
    fires: reportedAs('pre_compact'),
    stdin: { source: 'source' },
    takes: ['deny', 'stop', 'context', 'text'],
  },
  before_compaction: {
    event: 'before_compaction',
    fires: reportedAs('before_compaction'),
    stdin: compaction(),
    takes: ['deny', 'stop', 'summary'],
  },
  after_compaction: { event: 'after_compaction', stdin: { ...compaction(), summary: 'summary' }, takes: [] },
  subagent_stop: {
    event: 'subagent_stop',
    stdin: {
      session_id: (event) => event.fields['subagentSession'] ?? event.sessionId,
      agent_name: 'subagent',
      parent_session_id: (event) => event.sessionId,
      stop_response: 'response',
    },
    takes: [],
  },
  on_user_input: { event: 'user_input_required', stdin: {}, takes: [] },
  stop: { event: 'stop', stdin: answered(), takes: ['context', 'text'] },
  notification: { event: 'notification', stdin: notification('level'), takes: [] },
  on_error: { event: 'agent_error', stdin: notification(() => 'error'), takes: [] },
  on_max_iterations: { event: 'max_iterations', stdin: notification(() => 'warning'), takes: [] },
  on_agent_switch: {
    event: 'agent_switch',
    stdin: { from_agent: 'from', to_agent: 'to', agent_switch_kind: 'switchKind' },
    takes: [],
  },
  on_session_resume: {
    event: 'session_resume',
    stdin: { previous_max_iterations: 'previousMaxIterations', new_max_iterations: 'newMaxIterations' },
    takes: [],
    notice:
      'only docker-agent itself fires it, under `hooks run`: in no framework can a person let a run go on past its limit',
  },
  on_tool_approval_decision: {
    event: 'tool_approval_decision',
    stdin: { ...toolCall(), approval_decision: 'approval', approval_source: 'source' },
    takes: [],
    matched: toolName,
  },
};

/** docker-agent's events that no agent reports. */
export const dockerAgentNeverFire: readonly string[] = ['worktree_create'];

/** The name that a matcher of a tool event is compared with. */
export function toolName(event: EventData): string | undefined {
  const name = event.fields['toolName'];
  return typeof name === 'string' ? name : undefined;
}

/** The tool's output, or the text of its error. */
export function toolResponse(event: EventData): unknown {
  return hasFailed(event) ? failureText(event) : event.fields['output'];
}

/** Whether the tool failed or did not run. */
export function hasFailed(event: EventData): boolean {
  const { status, error } = event.fields;
  return status === undefined ? error !== undefined : status !== 'ok';
}

/** Other programs only report calls with a result. */
export function didRun(event: EventData): boolean {
  return event.fields['ran'] !== false || event.fields['answered'] === true;
}

/** Why the tool failed or did not run. */
export function failureText(event: EventData): string {
  const { errorMessage, error, reason } = event.fields;
  return String(errorMessage ?? (error instanceof Error ? error.message : (error ?? reason ?? '')));
}

/** Other programs have no evicted sessions. */
export function sessionEndReason(event: EventData): unknown {
  const reason = event.fields['reason'];
  return reason === 'evicted' ? 'other' : reason;
}

/** docker-agent reports each compaction as two events. Under `hooks run` each has its own hooks; elsewhere one event has both. */
function reportedAs(name: string): (event: EventData) => boolean {
  return ({ fields: { reportedAs: reported } }) => reported === undefined || reported === name;
}

function toolCall(): StdinFields {
  return { tool_name: 'toolName', tool_use_id: 'callId', tool_input: 'input' };
}

function answered(): StdinFields {
  return { agent_name: 'agent', stop_response: responseText, last_user_message: 'lastUserMessage' };
}

/** The text of the model's answer. A model call has it in its response. */
function responseText(event: EventData): unknown {
  const { response } = event.fields;
  return typeof response === 'object' && response !== null && 'text' in response ? response.text : response;
}

function compaction(): StdinFields {
  return {
    input_tokens: 'inputTokens',
    output_tokens: 'outputTokens',
    context_limit: 'contextLimit',
    compaction_reason: 'reason',
  };
}

function notification(level: string | (() => string)): StdinFields {
  return { notification_level: level, notification_message: 'message' };
}
