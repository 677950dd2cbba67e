import type { EventData } from '../../events.ts';
import type { StdinFields, WireEvent } from '../dialect.ts';
import { didRun, toolName, toolResponse } from '../docker-agent/events.ts';

/** ai4j's events: the corresponding event of ours, its stdin, and what its hooks may answer. */
export const ai4jEvents: Readonly<Record<string, WireEvent>> = {
  preToolUse: {
    event: 'before_tool_call',
    stdin: call(),
    takes: ['deny', 'input', 'toolName'],
    matched: toolName,
  },
  postToolUse: {
    event: 'after_tool_call',
    fires: didRun,
    stdin: { ...call(), output: (event) => asText(toolResponse(event)) },
    takes: ['deny'],
    matched: toolName,
  },
  userPromptSubmit: { event: 'user_prompt_submit', stdin: { input: 'prompt' }, takes: ['deny', 'prompt'] },
  stop: { event: 'turn_end', stdin: lifecycle('AFTER_TURN'), takes: [] },
  preCompact: { event: 'before_compaction', stdin: lifecycle('ON_COMPACT'), takes: [] },
  sessionStart: { event: 'session_start', stdin: lifecycle('SESSION_START'), takes: [] },
  sessionEnd: { event: 'session_end', stdin: lifecycle('SESSION_END'), takes: [] },
};

/** The fields of the call; `stdin` of the dialect arranges them. */
function call(): StdinFields {
  return { tool_name: 'toolName', tool_use_id: 'callId', tool_input: 'input' };
}

function lifecycle(type: string): StdinFields {
  return { type: () => type, sessionId: (event: EventData) => event.sessionId };
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
