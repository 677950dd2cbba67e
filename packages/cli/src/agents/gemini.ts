import type { Dialect, EventData } from '@hooks/config';
import { DIALECTS } from '@hooks/config/protocol';
import {
  type Agent,
  type AgentEvent,
  eventsIn,
  newCallId,
  type Outcome,
  type Patch,
  type Reply,
  readEvent,
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

const { BeforeModel: _request, AfterModel: _answer, ...events } = DIALECTS.gemini.events;

/** The dialect without the events of model calls, which no policy handles here. */
const dialect: Dialect = {
  ...DIALECTS.gemini,
  events,
  unsupportedGates: [...(DIALECTS.gemini.unsupportedGates ?? []), 'BeforeModel', 'AfterModel'],
};

type Fields = Readonly<Record<string, unknown>>;

/** The fields that stand elsewhere in Gemini CLI's events than in those of others. */
const ownFields: Readonly<Record<string, (json: Fields) => Fields>> = {
  BeforeTool: callId,
  AfterTool: (json) => ({ ...callId(json), ...resultOf(json['tool_response']) }),
  AfterAgent: (json) => ({ response: json['prompt_response'] ?? '' }),
  Notification: () => ({ level: 'warning' }),
};

/** Gemini CLI. Its stdout may contain only JSON, and it merges a new input into the old one. */
export const gemini: Agent = {
  ...capabilities,
  events: eventsIn(dialect),
  read,
  write,
};

function read(json: unknown): AgentEvent | string | undefined {
  const event = readEvent(dialect, capabilities.title, json);
  if (typeof event !== 'object') return event;
  const { name, data } = event;
  return { ...event, data: { ...data, fields: { ...data.fields, ...ownFields[name]?.(Object(json)) } } };
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

function callId(json: Fields): Fields {
  return { callId: json['tool_use_id'] ?? newCallId() };
}

/** The result of a tool. A failed tool has an `error` besides the text for the model. */
function resultOf(response: unknown): Fields {
  const { error, llmContent } = Object(response);
  if (error === undefined || error === null) return { status: 'ok', output: response };
  return { status: 'error', error, errorMessage: textOf(Object(error)['message'] ?? llmContent ?? error) };
}
