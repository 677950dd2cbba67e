import type { EventData, EventType } from '@hooks/config';
import {
  type Agent,
  type AgentEvent,
  cannot,
  eventName,
  eventsOf,
  isGate,
  type Outcome,
  type Patch,
  passOver,
  type Reply,
} from './agent.ts';

/** Gemini CLI. Its stdout may hold JSON only; a new input is merged over the old one there. */
export const gemini: Agent = { read, write };

interface GeminiEvent {
  readonly type: EventType;
  readonly fields: (json: Readonly<Record<string, unknown>>) => Record<string, unknown>;
  readonly can: readonly (keyof Patch)[];
}

/** Events of Gemini CLI that no policy knows. */
const neverFire: readonly string[] = ['BeforeModel', 'AfterModel', 'BeforeToolSelection'];

const compaction = { inputTokens: 0, outputTokens: 0, contextLimit: 0 } as const;

const events: Readonly<Record<string, GeminiEvent>> = {
  BeforeTool: { type: 'before_tool_call', fields: toolCall, can: ['input'] },
  AfterTool: {
    type: 'after_tool_call',
    fields: (json) => ({
      ...toolCall(json),
      status: 'ok',
      ran: true,
      attempt: 1,
      durationMs: 0,
      output: json['tool_response'],
    }),
    can: ['context'],
  },
  BeforeAgent: { type: 'user_prompt_submit', fields: ({ prompt }) => ({ prompt }), can: ['context'] },
  AfterAgent: {
    type: 'stop',
    fields: (json) => ({
      response: json['prompt_response'] ?? '',
      continuations: json['stop_hook_active'] ? 1 : 0,
    }),
    can: [],
  },
  SessionStart: { type: 'session_start', fields: ({ source }) => ({ source }), can: ['context'] },
  SessionEnd: { type: 'session_end', fields: ({ reason }) => ({ reason }), can: [] },
  Notification: { type: 'notification', fields: ({ message }) => ({ level: 'warning', message }), can: [] },
  PreCompress: {
    type: 'before_compaction',
    fields: ({ trigger }) => {
      const manual = trigger === 'manual';
      return { ...compaction, reason: manual ? 'manual' : 'threshold', source: manual ? 'manual' : 'auto' };
    },
    can: [],
  },
};

function read(json: unknown): AgentEvent | string | undefined {
  const given: Readonly<Record<string, unknown>> = Object(json);
  const name = eventName(json);
  const row = Object.hasOwn(events, name) ? events[name] : undefined;
  if (!row) return neverFire.includes(name) ? undefined : passOver('Gemini CLI', name);
  const data: EventData = {
    type: row.type,
    sessionId: String(given['session_id'] ?? 'hooks'),
    cwd: String(given['cwd'] ?? process.cwd()),
    fields: row.fields(given),
  };
  return { name, data, as: eventsOf(row.type), gate: isGate(row.type) };
}

function write({ name, data, gate }: AgentEvent, outcome: Outcome): Reply {
  const { patch } = outcome;
  const asks = patch.approval?.kind === 'required' ? patch.approval.reason : undefined;
  const { approval: _, ...rest } = patch;
  const impossible = cannot('Gemini CLI', { patch: rest }, events[name]?.can ?? []) ?? lost(data, rest);
  const reason = outcome.block?.reason ?? outcome.retry ?? asks ?? (gate ? impossible : undefined);
  if (reason !== undefined) {
    const ends = outcome.block?.stop ? { continue: false, stopReason: reason } : {};
    return { exitCode: 0, stdout: { decision: 'deny', reason, ...ends } };
  }
  const specific = {
    ...(patch.input !== undefined && { tool_input: patch.input }),
    ...(patch.context && patch.context.length > 0 && { additionalContext: patch.context.join('\n\n') }),
  };
  if (Object.keys(specific).length === 0) return { exitCode: 0, stdout: {} };
  return { exitCode: 0, stdout: { hookSpecificOutput: { hookEventName: name, ...specific } } };
}

/** A field that a hook took out would stay, as inputs are merged. */
function lost({ fields }: EventData, { input }: Patch): string | undefined {
  if (input === undefined) return undefined;
  const gone = Object.keys(Object(fields['input'])).find((field) => !Object.hasOwn(Object(input), field));
  return gone === undefined
    ? undefined
    : `a hook took ${gone} out of the input, which Gemini CLI cannot carry out`;
}

function toolCall(json: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (typeof json['tool_name'] !== 'string') throw new Error('the event on stdin has no tool_name');
  return { toolName: json['tool_name'], input: json['tool_input'], callId: json['tool_use_id'] ?? 'call' };
}
