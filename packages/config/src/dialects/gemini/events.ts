import type { EventData } from '../../events.ts';
import type { StdinFields, WireEvent } from '../dialect.ts';
import { didRun, failureText, hasFailed, sessionEndReason, toolName } from '../docker-agent/events.ts';
import { exact } from '../matcher.ts';

/** Gemini CLI's events: the corresponding event of ours, its stdin, and what its hooks may answer. */
export const geminiEvents: Readonly<Record<string, WireEvent>> = {
  BeforeTool: {
    event: 'before_tool_call',
    stdin: toolCall(),
    takes: ['deny', 'ask', 'input', 'stop'],
    matched: toolName,
  },
  AfterTool: {
    event: 'after_tool_call',
    fires: didRun,
    stdin: { ...toolCall(), tool_response: toolResponse },
    takes: ['deny', 'context', 'stop'],
    matched: toolName,
  },
  BeforeAgent: {
    event: 'user_prompt_submit',
    stdin: { prompt: 'prompt' },
    takes: ['deny', 'context', 'stop'],
  },
  AfterAgent: {
    event: 'stop',
    stdin: {
      prompt: ({ fields }) => fields['lastUserMessage'] ?? '',
      prompt_response: ({ fields }) => fields['response'] ?? '',
      stop_hook_active: ({ fields }) => Number(fields['continuations'] ?? 0) > 0,
    },
    takes: ['deny', 'stop'],
  },
  BeforeModel: {
    event: 'before_model_call',
    stdin: { llm_request: request },
    takes: ['deny', 'stop'],
  },
  AfterModel: {
    event: 'after_model_call',
    stdin: { llm_request: request, llm_response: response },
    takes: ['deny', 'stop'],
  },
  SessionStart: {
    event: 'session_start',
    stdin: { source: 'source' },
    takes: ['context'],
    matched: ({ fields }) => textOf(fields['source']),
    matches: exact,
    exit2: 'messages',
  },
  SessionEnd: {
    event: 'session_end',
    stdin: { reason: sessionEndReason },
    takes: [],
    matched: (event) => textOf(sessionEndReason(event)),
    matches: exact,
    exit2: 'messages',
  },
  Notification: {
    event: 'notification',
    stdin: { notification_type: 'level', message: 'message', details: () => ({}) },
    takes: [],
    matched: ({ fields }) => textOf(fields['level']),
    matches: exact,
    exit2: 'messages',
  },
  PreCompress: {
    event: 'before_compaction',
    stdin: { trigger },
    takes: [],
    matched: trigger,
    matches: exact,
    exit2: 'messages',
  },
};

function toolCall(): StdinFields {
  return { tool_name: 'toolName', tool_input: 'input' };
}

function toolResponse(event: EventData): unknown {
  const { output } = event.fields;
  if (hasFailed(event)) {
    const message = failureText(event);
    return { llmContent: message, returnDisplay: message, error: { message } };
  }
  const isResponse = typeof output === 'object' && output !== null && 'llmContent' in output;
  return isResponse ? output : { llmContent: output, returnDisplay: output };
}

/** Gemini CLI's form of a request: texts only, and its names of the roles. */
function request({ fields }: EventData): unknown {
  const messages = Array.isArray(fields['messages']) ? fields['messages'] : [];
  return {
    model: fields['model'] ?? '',
    messages: messages.map((message: Readonly<Record<string, unknown>>) => ({
      role: message['role'] === 'assistant' ? 'model' : message['role'],
      content: message['text'] ?? '',
    })),
    config: fields['settings'] ?? {},
  };
}

function response({ fields }: EventData): unknown {
  const text: unknown = Object(fields['response'])['text'] ?? '';
  return { candidates: [{ content: { role: 'model', parts: [text] }, finishReason: 'STOP' }] };
}

function trigger({ fields }: EventData): string {
  return fields['source'] === 'manual' || fields['reason'] === 'manual' ? 'manual' : 'auto';
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
