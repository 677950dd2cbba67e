import type { EventData, EventType } from '@hooks/config';
import {
  type Agent,
  type AgentEvent,
  eventName,
  eventsOf,
  isGate,
  type Outcome,
  type Patch,
  type Reply,
  reportedBy,
  unknownEvent,
} from './agent.ts';
import type { Capabilities } from './carries.ts';
import { settle } from './decisions.ts';
import { textOf } from './text.ts';

const capabilities: Capabilities = {
  title: 'Gemini CLI',
  carries: {
    call: {
      block: 'yes',
      'block, stop': 'yes',
      'modify.input': 'yes',
      'modify.toolName': 'refused',
      'modify.execute': 'refused',
      'modify.context': 'left out',
      // Versions without `ask` would run the call.
      'require approval': 'refused',
      'grant approval': 'left out',
    },
    result: {
      block: 'yes',
      'block, stop': 'yes',
      'modify.output': 'yes',
      'modify.context': 'yes',
      retry: 'refused',
    },
    'failed result': {
      block: 'yes',
      'block, stop': 'yes',
      'modify.errorMessage': 'yes',
      'modify.context': 'left out',
      retry: 'refused',
    },
    prompt: { block: 'yes', 'block, stop': 'yes', 'modify.prompt': 'refused', 'modify.context': 'yes' },
    start: { 'modify.context': 'yes' },
    stop: { block: 'yes', retry: 'yes' },
    compaction: { block: 'left out', 'modify.summary': 'left out', 'modify.context': 'left out' },
  },
};

interface GeminiEvent {
  readonly type: EventType;
  readonly fields: (json: Readonly<Record<string, unknown>>) => Record<string, unknown>;
}

/** Events of Gemini CLI that no policy handles. */
const neverFire: readonly string[] = ['BeforeModel', 'AfterModel', 'BeforeToolSelection'];

const compaction = { inputTokens: 0, outputTokens: 0, contextLimit: 0 } as const;

const events: Readonly<Record<string, GeminiEvent>> = {
  BeforeTool: { type: 'before_tool_call', fields: toolCall },
  AfterTool: {
    type: 'after_tool_call',
    fields: (json) => ({
      ...toolCall(json),
      ...resultOf(json['tool_response']),
      ran: true,
      attempt: 1,
      durationMs: 0,
    }),
  },
  BeforeAgent: { type: 'user_prompt_submit', fields: ({ prompt }) => ({ prompt }) },
  AfterAgent: {
    type: 'stop',
    fields: (json) => ({
      response: json['prompt_response'] ?? '',
      continuations: json['stop_hook_active'] ? 1 : 0,
    }),
  },
  SessionStart: { type: 'session_start', fields: ({ source }) => ({ source }) },
  SessionEnd: { type: 'session_end', fields: ({ reason }) => ({ reason }) },
  Notification: { type: 'notification', fields: ({ message }) => ({ level: 'warning', message }) },
  PreCompress: {
    type: 'before_compaction',
    fields: ({ trigger }) => {
      const manual = trigger === 'manual';
      return { ...compaction, reason: manual ? 'manual' : 'threshold', source: manual ? 'manual' : 'auto' };
    },
  },
};

/** Gemini CLI. Its stdout may contain only JSON, and it merges a new input into the old one. */
export const gemini: Agent = {
  ...capabilities,
  events: reportedBy(Object.values(events).map(({ type }) => type)),
  read,
  write,
};

function read(json: unknown): AgentEvent | string | undefined {
  const given: Readonly<Record<string, unknown>> = Object(json);
  const name = eventName(json);
  const row = Object.hasOwn(events, name) ? events[name] : undefined;
  if (!row) return neverFire.includes(name) ? undefined : unknownEvent('Gemini CLI', name);
  const data: EventData = {
    type: row.type,
    sessionId: String(given['session_id'] ?? 'hooks'),
    cwd: String(given['cwd'] ?? process.cwd()),
    fields: row.fields(given),
  };
  return { name, data, as: eventsOf(row.type), gate: isGate(row.type) };
}

function write(event: AgentEvent, outcome: Outcome): Reply {
  const taken = fieldTakenOut(event.data, outcome.patch);
  const closed = outcome.block ?? (taken === undefined ? undefined : { reason: taken, stop: false });
  const { block, retry, patch, warning } = settle(
    capabilities,
    event,
    closed ? { block: closed, patch: {} } : outcome,
  );
  const told = warning === undefined ? {} : { systemMessage: warning };
  const { input, output, errorMessage, context = [] } = patch;
  const replaced = output ?? errorMessage;
  const reason = block?.reason ?? retry;
  if (reason !== undefined) {
    const ends = block?.stop ? { continue: false, stopReason: reason } : {};
    if (event.name === 'AfterAgent' && block) return { exitCode: 0, stdout: { ...told, ...ends } };
    return { exitCode: 0, stdout: { ...told, decision: 'deny', reason, ...ends } };
  }
  if (replaced !== undefined) {
    // The reason of a denial replaces the result. Separate context would be lost.
    const text = [modelText(replaced), ...context].join('\n\n') || 'a hook removed the whole result';
    return { exitCode: 0, stdout: { ...told, decision: 'deny', reason: text } };
  }
  const specific = {
    ...(input !== undefined && { tool_input: input }),
    ...(context.length > 0 && { additionalContext: context.join('\n\n') }),
  };
  const stdout =
    Object.keys(specific).length === 0
      ? told
      : { ...told, hookSpecificOutput: { hookEventName: event.name, ...specific } };
  return { exitCode: 0, stdout };
}

/** The text that the model would read: the result itself, or its `llmContent`. */
function modelText(result: unknown): string {
  return textOf(Object(result)['llmContent'] ?? result);
}

/** The reason for a refusal if a hook removed a field. Gemini CLI merges inputs, so the field would stay. */
function fieldTakenOut({ fields }: EventData, { input }: Patch): string | undefined {
  if (input === undefined) return undefined;
  const gone = Object.keys(Object(fields['input'])).find((field) => !Object.hasOwn(Object(input), field));
  return gone === undefined
    ? undefined
    : `a hook removed ${gone} from the input, which Gemini CLI cannot carry out`;
}

/**
 * Gemini CLI gives calls no id, so each event gets its own, and no two calls are taken for the same. Not a UUID, because
 * loading `crypto` would slow down the start.
 */
function toolCall(json: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (typeof json['tool_name'] !== 'string') throw new Error('the event on stdin has no tool_name');
  return {
    toolName: json['tool_name'],
    input: json['tool_input'],
    callId: json['tool_use_id'] ?? newId(),
  };
}

/** The result of a tool. A failed tool has an `error` besides the text for the model. */
function resultOf(response: unknown): Record<string, unknown> {
  const { error, llmContent } = Object(response);
  if (error === undefined || error === null) return { status: 'ok', output: response };
  return { status: 'error', error, errorMessage: textOf(Object(error)['message'] ?? llmContent ?? error) };
}

function newId(): string {
  return `call-${process.pid}-${process.hrtime.bigint()}`;
}
