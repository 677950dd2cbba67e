import * as z from 'zod';
import type {
  Checkpoint,
  Erasure,
  Gap,
  JournalData,
  JournalLine,
  JournalRecord,
  KeyRotation,
  Pruning,
  RecordedDecision,
  RecordedDetails,
  RecordedHook,
  RecordedTool,
  RegisteredHook,
  TornLine,
} from './types.ts';

/** The version of the format that this package writes, and the newest that it reads. */
export const JOURNAL_VERSION = 1;

/** `dataschema` of a record: names the format and its version. */
export const DATA_SCHEMA = 'urn:hooks:journal:1';

/** Types of records that are not dispatches of an event. */
export const OWN_TYPES = {
  /** The registered hooks, recorded at the start and whenever they change. */
  policy: 'hooks.policy',
  checkpoint: 'hooks.checkpoint',
  /** Recorded before a tool call may run, if the journal is required. */
  intent: 'hooks.tool_call_intent',
  /** Records were lost. */
  gap: 'hooks.gap',
  /** Names torn lines. */
  torn: 'hooks.torn_line',
  /** The data of sessions was erased. */
  erasure: 'hooks.erasure',
  /** The oldest days were removed. */
  pruning: 'hooks.pruning',
  /** The journal has a new key. */
  rotation: 'hooks.key',
} as const;

const text = z.string();
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().nonnegative();
const duration = z.number().nonnegative();
const verb = z.enum(['on', 'guard', 'observe']);
const optional = z.exactOptional;

const decision: z.ZodType<RecordedDecision> = z.strictObject({
  kind: z.enum(['proceed', 'block', 'modify', 'retry']),
  by: optional(text),
  failed: optional(z.literal(true)),
  stop: optional(z.literal(true)),
  source: optional(text),
  delayMs: optional(duration),
  fields: optional(z.array(text)),
  superseded: optional(z.array(text)),
  approval: optional(
    z.strictObject({
      kind: z.enum(['required', 'granted']),
      by: optional(z.literal('person')),
      source: optional(text),
    }),
  ),
  toolName: optional(text),
});

const askedHook: z.ZodType<RecordedHook> = z.strictObject({
  id: text,
  verb,
  decision: optional(decision),
  error: optional(text),
  external: optional(text),
  durationMs: duration,
});

const tool: z.ZodType<RecordedTool> = z.strictObject({
  name: text,
  nativeName: optional(text),
  renamedTo: optional(text),
  callId: text,
  parentCallId: optional(text),
  kind: optional(z.enum(['function', 'mcp', 'agent', 'framework', 'hosted'])),
  schemaDigest: optional(hash),
  route: optional(z.strictObject({ provider: text, isolated: z.boolean() })),
});

const details: z.ZodType<RecordedDetails> = z.strictObject({
  iteration: optional(count),
  model: optional(text),
  provider: optional(text),
  inputTokens: optional(count),
  outputTokens: optional(count),
  delivery: optional(text),
  source: optional(text),
  reason: optional(text),
  subagent: optional(text),
  subagentSession: optional(text),
  from: optional(text),
  to: optional(text),
  switchKind: optional(text),
  level: optional(text),
  maxIterations: optional(count),
  continuations: optional(count),
  last: optional(z.boolean()),
});

const registeredHook: z.ZodType<RegisteredHook> = z.strictObject({
  id: text,
  verb,
  event: text,
  priority: z.number(),
  matcher: optional(text),
  agents: optional(text),
  version: optional(text),
});

const checkpoint: z.ZodType<Checkpoint> = z.strictObject({
  size: count,
  root: hash,
  final: z.boolean(),
  key: optional(hash),
  signature: optional(text),
});

const timestamp = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const writerId = z.string().regex(/^urn:uuid:[0-9a-f-]{36}$/);
const responsible = { by: optional(text), why: optional(text) };

const gap: z.ZodType<Gap> = z.strictObject({ lost: count, since: timestamp, until: timestamp });

const tornLine: z.ZodType<TornLine> = z.strictObject({
  bytes: count,
  sha256: hash,
  again: optional(z.literal(true)),
});

const erasure: z.ZodType<Erasure> = z.strictObject({
  sessions: z.array(text),
  records: count,
  last: optional(z.array(z.strictObject({ source: writerId, id: count }))),
  torn: optional(z.array(tornLine)),
  replaces: optional(z.array(hash)),
  ...responsible,
});

const pruning: z.ZodType<Pruning> = z.strictObject({
  before: z.string().regex(/^\d{4}-\d\d-\d\d$/),
  records: count,
  position: optional(count),
  writers: z.array(
    z.strictObject({ source: writerId, size: count, roots: z.array(hash), checkpoint: optional(hash) }),
  ),
  rotations: optional(z.array(text)),
  ...responsible,
});

const rotation: z.ZodType<KeyRotation> = z.strictObject({
  key: hash,
  publicKey: text,
  by: hash,
  signature: optional(text),
});

/** The schema of {@link JournalRecord}. */
export const journalRecordSchema: z.ZodType<JournalRecord> = z.strictObject({
  specversion: z.literal('1.0'),
  id: z.string().regex(/^\d+$/),
  source: writerId,
  type: z.string().startsWith('hooks.'),
  time: timestamp,
  dataschema: z.literal(DATA_SCHEMA),
  session: optional(text),
  parentSession: optional(text),
  sequence: count,
  previous: hash.nullable(),
  agent: optional(text),
  run: optional(text),
  turn: optional(text),
  policy: optional(hash),
  tenant: optional(text),
  traceId: optional(z.string().regex(/^[0-9a-f]{32}$/)),
  spanId: optional(z.string().regex(/^[0-9a-f]{16}$/)),
  durationMs: optional(duration),
  decision: optional(decision),
  hooks: optional(z.array(askedHook)),
  tool: optional(tool),
  attempt: optional(count),
  status: optional(z.enum(['ok', 'error', 'blocked', 'denied'])),
  ran: optional(z.boolean()),
  answered: optional(z.literal(true)),
  code: optional(z.literal('INVALID_INPUT')),
  toolMs: optional(duration),
  approval: optional(z.strictObject({ decision: z.enum(['allow', 'deny', 'canceled']), source: text })),
  details: optional(details),
  registered: optional(z.array(registeredHook)),
  checkpoint: optional(checkpoint),
  gap: optional(gap),
  erasure: optional(erasure),
  pruning: optional(pruning),
  rotation: optional(rotation),
  omitted: optional(z.array(text)),
  commitment: optional(hash),
  blob: optional(z.literal(true)),
});

/** The schema of {@link JournalData}. */
export const journalDataSchema: z.ZodType<JournalData> = z.strictObject({
  salt: text,
  input: optional(z.unknown()),
  output: optional(z.unknown()),
  errorMessage: optional(text),
  prompt: optional(text),
  response: optional(text),
  message: optional(text),
  summary: optional(text),
  context: optional(z.array(text)),
  principal: optional(z.looseObject({ id: text, roles: optional(z.array(text)), tenant: optional(text) })),
  reason: optional(text),
  askedHash: optional(hash),
  inputHash: optional(hash),
  approvedHash: optional(hash),
  approvedBy: optional(text),
  replaced: optional(z.array(text)),
  hooks: optional(z.record(text, z.strictObject({ reason: optional(text), note: optional(text) }))),
  torn: optional(z.array(tornLine)),
});

/** The schema of {@link JournalLine}. */
export const journalLineSchema: z.ZodType<JournalLine> = z.strictObject({
  data: optional(journalDataSchema.nullable()),
  hash,
  record: journalRecordSchema,
});

/** The JSON Schema (draft 2020-12) of a line; also published as `@hooks/journal/schemas/line.json`. */
export function journalJsonSchema(): object {
  return z.toJSONSchema(journalLineSchema, { target: 'draft-2020-12' });
}
