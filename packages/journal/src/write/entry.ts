import type { Approval, DispatchTrace, HookDecision, ToolDescriptor, TracedHook } from '@hooks/core';
import { canonicalJson, sha256 } from '../record/line.ts';
import type { JournalData, JournalRecord, RecordedDecision, RecordedHook } from '../record/types.ts';
import { repeatsTooMuch } from './plain-json.ts';
import { toolSchemaDigest } from './tool-schema.ts';

/** The content of an event's record. The writer adds its place in the journal. */
export type Content = Omit<
  JournalRecord,
  'specversion' | 'id' | 'source' | 'dataschema' | 'sequence' | 'previous' | 'commitment' | 'blob'
>;

/** A record and its data before they have a place. */
export interface JournalEntry {
  readonly content: Content;
  readonly data: Omit<JournalData, 'salt'>;
}

/** The ids of a span, as W3C Trace Context has them: 32 and 16 hexadecimal digits. */
export interface SpanIds {
  readonly traceId: string;
  readonly spanId: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Events of which every dispatch is recorded: their observers are the journal's own. Of others those that asked a hook. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  user_prompt_submit: ['prompt', 'context'],
  session_start: ['context'],
  turn_start: ['context'],
  before_model_call: ['context'],
  before_tool_call: ['input', 'context'],
  permission_request: ['input', 'reason'],
  tool_approval_decision: ['input', 'reason'],
  // The output is recorded with AfterToolCall, because hooks there may still replace it.
  transform_tool_result: ['context'],
  after_tool_call: ['input', 'output', 'errorMessage', 'reason', 'context'],
  before_compaction: ['summary', 'context'],
  stop: ['response'],
  subagent_stop: ['response'],
  notification: ['message'],
  agent_error: ['message'],
  max_iterations: ['message'],
  user_input_required: ['message'],
};

/** Facts that are kept with the record, by the names of the payload. */
const DETAILS = [
  'iteration',
  'model',
  'provider',
  'delivery',
  'subagent',
  'subagentSession',
  'from',
  'to',
  'switchKind',
  'level',
  'maxIterations',
  'continuations',
  'last',
] as const;

/** Payloads whose `reason` or `source` is one of a few words. */
const WITH_REASON: ReadonlySet<string> = new Set([
  'turn_end',
  'session_end',
  'before_compaction',
  'after_compaction',
]);

/** What to record of a dispatch: the event as hooks left it, and nothing of what they replaced. */
export function entryOf(
  { before, event, hooks, decision, at, durationMs }: DispatchTrace,
  policy: string,
  span: SpanIds | undefined,
): JournalEntry {
  const { type, session, agent, run, turn, principal } = event;
  const fields = event as unknown as Fields;
  const deciders = hooks.filter(({ verb, error }) => verb !== 'observe' || error !== undefined);
  const said = deciders.map((hook) => saidOf(hook));
  const content: Content = {
    type: `hooks.${type}`,
    time: new Date(at).toISOString(),
    session: session.id,
    ...(session.parent && { parentSession: session.parent.id }),
    ...(agent !== undefined && { agent }),
    ...(run !== undefined && { run }),
    ...(turn !== undefined && { turn }),
    policy,
    ...(principal?.tenant !== undefined && { tenant: principal.tenant }),
    ...spanOf(span),
    durationMs,
    decision: decisionOf(decision, fields),
    hooks: deciders.map((hook) => hookOf(hook, fields)),
    ...toolOf(fields),
    ...detailsOf(type, fields),
  };
  const reason = 'reason' in decision ? decision.reason : undefined;
  const replaced = replacedIn(before as unknown as Fields, fields, decision);
  const data: Omit<JournalData, 'salt'> = {
    ...valuesOf(type, fields, decision),
    ...hashesOf(type, before as unknown as Fields, fields),
    ...(type === 'tool_approval_decision' &&
      fields['by'] !== undefined && { approvedBy: String(fields['by']) }),
    ...(principal && { principal: { ...principal } }),
    ...(reason !== undefined && { reason }),
    ...(replaced.length > 0 && { replaced }),
    ...(said.some(Boolean) && {
      hooks: Object.fromEntries(said.flatMap((texts, index) => (texts ? [[index, texts]] : []))),
    }),
  };
  return { content, data };
}

function valuesOf(type: string, fields: Fields, decision: HookDecision): Fields {
  const values: { [field: string]: unknown } = {};
  for (const field of VALUES[type] ?? [])
    if (fields[field] !== undefined && (field !== 'context' || notEmpty(fields[field])))
      values[field] = fields[field];
  if (type === 'after_model_call') values['response'] = (fields['response'] as { text: string }).text;
  if (decision.kind !== 'block') return values;
  // What a Block withholds nobody is to read, here neither.
  for (const field of ['output', 'errorMessage', 'response']) delete values[field];
  return values;
}

/** A span that is none, as where nothing is sampled, is left out. */
function spanOf(span: SpanIds | undefined): Partial<Content> {
  if (span === undefined || !/^(?!0{32})[0-9a-f]{32}$/.test(span.traceId)) return {};
  if (!/^(?!0{16})[0-9a-f]{16}$/.test(span.spanId)) return {};
  return { traceId: span.traceId, spanId: span.spanId };
}

/** What the model asked, what hooks made of it, and what was approved, as they can be compared with an approval's `hash`. */
function hashesOf(type: string, before: Fields, after: Fields): Partial<JournalData> {
  if (type === 'before_tool_call') {
    const askedHash = hashOf(before['input']);
    const inputHash = before['input'] === after['input'] ? askedHash : hashOf(after['input']);
    return { ...(askedHash && { askedHash }), ...(inputHash && { inputHash }) };
  }
  if (type !== 'tool_approval_decision' || after['approval'] !== 'allow') return {};
  const approvedHash = hashOf(after['input']);
  return approvedHash === undefined ? {} : { approvedHash };
}

/** Undefined for what has no JSON form. */
function hashOf(input: unknown): string | undefined {
  try {
    return sha256(canonicalJson(input));
  } catch {
    return undefined;
  }
}

function notEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function toolOf(fields: Fields): Partial<Content> {
  const { toolName, callId, nativeToolName, renamedTo, parentCallId, tool, execute, type } = fields as {
    readonly type: string;
    readonly toolName?: string;
    readonly callId?: string;
    readonly nativeToolName?: string;
    readonly renamedTo?: string;
    readonly parentCallId?: string;
    readonly tool?: ToolDescriptor;
    readonly execute?: { readonly route?: { readonly provider: string; readonly isolated: boolean } };
  };
  if (toolName === undefined || callId === undefined) return {};
  const schemaDigest = toolSchemaDigest(tool?.ref);
  const { route } = execute ?? {};
  const about: Partial<Content> = {
    tool: {
      name: toolName,
      callId,
      ...(nativeToolName !== undefined && nativeToolName !== toolName && { nativeName: nativeToolName }),
      ...(renamedTo !== undefined && { renamedTo }),
      ...(parentCallId !== undefined && { parentCallId }),
      ...(tool && { kind: tool.kind }),
      ...(schemaDigest !== undefined && { schemaDigest }),
      ...(route && { route: { provider: route.provider, isolated: route.isolated } }),
    },
  };
  const { status, ran, answered, attempt, code, durationMs, approval, source } = fields as {
    readonly status?: NonNullable<Content['status']>;
    readonly ran?: boolean;
    readonly answered?: true;
    readonly attempt?: number;
    readonly code?: 'INVALID_INPUT';
    readonly durationMs?: number;
    readonly approval?: unknown;
    readonly source?: string;
  };
  return {
    ...about,
    ...(status !== undefined && { status }),
    ...(ran !== undefined && { ran }),
    ...(answered && { answered }),
    ...(attempt !== undefined && { attempt }),
    ...(code !== undefined && { code }),
    ...(durationMs !== undefined && { toolMs: durationMs }),
    ...(type === 'tool_approval_decision' && {
      approval: { decision: approval as 'allow' | 'deny' | 'canceled', source: String(source) },
    }),
  };
}

function detailsOf(type: string, fields: Fields): Partial<Content> {
  const details: { [field: string]: unknown } = {};
  for (const field of DETAILS) if (fields[field] !== undefined) details[field] = fields[field];
  if (WITH_REASON.has(type) && fields['reason'] !== undefined) details['reason'] = fields['reason'];
  if (type === 'session_start' || type.endsWith('_compaction')) details['source'] = fields['source'];
  const { usage } = (fields['response'] ?? {}) as {
    readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number };
  };
  if (usage?.inputTokens !== undefined) details['inputTokens'] = usage.inputTokens;
  if (usage?.outputTokens !== undefined) details['outputTokens'] = usage.outputTokens;
  return Object.keys(details).length === 0 ? {} : { details };
}

function hookOf(
  { id, verb, decision, error, external, durationMs }: TracedHook,
  event: Fields,
): RecordedHook {
  return {
    id,
    verb,
    durationMs,
    ...(decision && { decision: decisionOf(decision, event) }),
    ...(error && { error: error.code }),
    ...(external !== undefined && { external }),
  };
}

function saidOf({ decision }: TracedHook): { reason?: string; note?: string } | undefined {
  if (decision === undefined) return undefined;
  if ('reason' in decision) return { reason: decision.reason };
  if (decision.kind === 'proceed') return decision.note === undefined ? undefined : { note: decision.note };
  const { approval } = decision.kind === 'modify' ? (decision.patch as { approval?: Approval }) : {};
  return approval && { reason: approval.reason };
}

function decisionOf(decision: HookDecision, event: Fields): RecordedDecision {
  switch (decision.kind) {
    case 'proceed':
      return { kind: 'proceed' };
    case 'block': {
      const { by, failed, stop, source } = decision;
      return {
        kind: 'block',
        ...(by !== undefined && { by }),
        ...(failed && { failed }),
        ...(stop && { stop: true }),
        ...(source !== undefined && { source }),
      };
    }
    case 'retry': {
      const { by, delayMs } = decision;
      return { kind: 'retry', ...(by !== undefined && { by }), ...(delayMs !== undefined && { delayMs }) };
    }
    case 'modify': {
      const patch = decision.patch as Fields & { readonly approval?: Approval; readonly toolName?: string };
      const fields = Object.keys(patch);
      // These add up; any other field has the value of the last hook that set it.
      const superseded = fields.filter((field) => !ADDED_UP.has(field) && patch[field] !== event[field]);
      const { approval, toolName } = patch;
      return {
        kind: 'modify',
        fields,
        ...(superseded.length > 0 && { superseded }),
        ...(approval && { approval: approvalOf(approval) }),
        ...(toolName !== undefined && { toolName }),
      };
    }
    default:
      return decision satisfies never;
  }
}

const ADDED_UP: ReadonlySet<string> = new Set(['approval', 'context', 'metadata']);

function approvalOf(approval: Approval): NonNullable<RecordedDecision['approval']> {
  if (approval.kind === 'required') return { kind: 'required', ...(approval.by && { by: approval.by }) };
  return { kind: 'granted', ...(approval.source !== undefined && { source: approval.source }) };
}

/** Where hooks changed values, as JSON Pointers. */
function replacedIn(before: Fields, after: Fields, decision: HookDecision): string[] {
  if (decision.kind !== 'modify') return [];
  const pointers: string[] = [];
  for (const field of ['input', 'output', 'errorMessage', 'prompt', 'response'])
    if (field in decision.patch) {
      // What is not recorded either has no places worth naming.
      if (repeatsTooMuch(before[field]) || repeatsTooMuch(after[field])) pointers.push(`/${field}`);
      else compare(before[field], after[field], `/${field}`, pointers);
    }
  return pointers;
}

function compare(one: unknown, other: unknown, pointer: string, found: string[]): void {
  if (Object.is(one, other)) return;
  if (!isContainer(one) || !isContainer(other) || Array.isArray(one) !== Array.isArray(other)) {
    found.push(pointer);
    return;
  }
  if (pointer.length > 1_000) return;
  // A key that a hook removed may be what it redacted: then the object has changed.
  const removed = Object.keys(one).filter((key) => !Object.hasOwn(other, key));
  if (removed.length > 0 && !Array.isArray(one)) found.push(pointer);
  for (const key of [...Object.keys(other), ...(Array.isArray(one) ? removed : [])]) {
    if (key === 'native') continue;
    const escaped = key.replaceAll('~', '~0').replaceAll('/', '~1');
    compare(one[key], other[key], `${pointer}/${escaped}`, found);
  }
}

function isContainer(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
