import type { EventData, EventType } from '../../events.ts';
import type { WireEvent } from '../dialect.ts';
import { dockerAgentEvents, hasFailed, toolName, toolResponse } from '../docker-agent/events.ts';

/**
 * Our own dialect: our event names, docker-agent's fields on stdin plus more, and every answer that the event permits.
 */
export const hooksEvents: Readonly<Record<EventType, WireEvent>> = {
  session_start: like('session_start', { model: 'model' }),
  user_prompt_submit: {
    event: 'user_prompt_submit',
    stdin: { prompt: 'prompt', delivery: 'delivery', metadata: 'metadata' },
    takes: ['deny', 'stop', 'prompt', 'context', 'text', 'patch'],
  },
  before_run: {
    event: 'before_run',
    stdin: { message: 'message', metadata: 'metadata', model: 'model', settings: 'settings' },
    takes: ['deny', 'stop', 'patch'],
  },
  turn_start: like('turn_start'),
  before_model_call: {
    ...like('before_llm_call', { model: 'model', messages, tools }),
    takes: ['deny', 'stop', 'context', 'text', 'patch'],
  },
  after_model_call: {
    ...like('after_llm_call', { model: 'model' }),
    takes: ['deny', 'stop', 'retry', 'patch'],
  },
  before_tool_call: {
    ...like('pre_tool_use'),
    takes: ['deny', 'approval', 'input', 'toolName', 'context', 'stop', 'output', 'route'],
  },
  permission_request: like('permission_request', { reason: 'reason' }),
  tool_approval_decision: like('on_tool_approval_decision'),
  transform_tool_result: like('tool_response_transform', { tool_error: hasFailed }),
  after_tool_call: {
    event: 'after_tool_call',
    stdin: {
      ...like('post_tool_use').stdin,
      tool_response: toolResponse,
      status: 'status',
      ran: 'ran',
      answered: 'answered',
      attempt: 'attempt',
      duration_ms: 'durationMs',
    },
    takes: ['deny', 'stop', 'output', 'retry', 'context', 'text'],
    matched: toolName,
  },
  turn_end: like('turn_end'),
  stop: { ...like('stop'), takes: ['deny', 'retry'] },
  subagent_start: { event: 'subagent_start', stdin: like('subagent_stop').stdin, takes: [] },
  subagent_stop: like('subagent_stop'),
  agent_switch: like('on_agent_switch'),
  before_compaction: {
    ...like('before_compaction', { source: 'source' }),
    takes: ['deny', 'stop', 'summary', 'context', 'text'],
  },
  after_compaction: like('after_compaction'),
  user_input_required: like('on_user_input'),
  notification: like('notification'),
  agent_error: like('on_error'),
  max_iterations: like('on_max_iterations'),
  session_resume: like('on_session_resume'),
  session_end: { ...like('session_end'), stdin: { reason: 'reason' } },
};

/** Without the framework's own objects. */
function messages({ fields }: EventData): unknown {
  return plain(fields['messages'], ['role', 'text']);
}

function tools({ fields }: EventData): unknown {
  return plain(fields['tools'], ['name', 'description']);
}

function plain(list: unknown, keys: readonly string[]): unknown {
  if (!Array.isArray(list)) return undefined;
  return list.map((item: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(keys.map((key) => [key, item[key]])),
  );
}

/** docker-agent's event, with more fields on stdin. */
function like(name: string, more: WireEvent['stdin'] = {}): WireEvent {
  const found = dockerAgentEvents[name];
  if (!found) throw new Error(`docker-agent has no event ${name}`);
  return { ...found, stdin: { ...found.stdin, ...more } };
}
