import type { JournalReading } from '../read/parse.ts';
import type { JournalRecord } from '../record/types.ts';

type Value = string | number | boolean | undefined;

/** Records of one request. */
const BATCH = 500;

/**
 * A journal as OpenTelemetry logs: requests in the JSON encoding of OTLP, one per yielded object, as its file exporter writes them and
 * the Collector's `otlpjsonfile` receiver reads them. Attributes follow the GenAI conventions where these have them. Inputs, outputs and
 * texts are left out.
 */
export async function* toOtlpLogs(readings: AsyncIterable<JournalReading>): AsyncGenerator<object> {
  let logRecords: object[] = [];
  for await (const { record, hash } of readings) {
    logRecords.push(logRecordOf(record, hash));
    if (logRecords.length < BATCH) continue;
    yield requestOf(logRecords);
    logRecords = [];
  }
  if (logRecords.length > 0) yield requestOf(logRecords);
}

function requestOf(logRecords: readonly object[]): object {
  return { resourceLogs: [{ resource: {}, scopeLogs: [{ scope: { name: '@hooks/journal' }, logRecords }] }] };
}

function logRecordOf(record: JournalRecord, hash: string): object {
  const { type, time, decision, status, hooks } = record;
  const failed = status === 'error' || hooks?.some(({ error }) => error !== undefined);
  const [severityNumber, severityText] = failed
    ? [17, 'ERROR']
    : decision?.kind === 'block'
      ? [13, 'WARN']
      : [9, 'INFO'];
  return {
    timeUnixNano: `${Date.parse(time)}000000`,
    severityNumber,
    severityText,
    eventName: type,
    body: { stringValue: describe(record) },
    attributes: attributesOf({
      'gen_ai.conversation.id': record.session,
      'gen_ai.agent.name': record.agent,
      'gen_ai.tool.name': record.tool?.name,
      'gen_ai.tool.call.id': record.tool?.callId,
      'gen_ai.request.model': record.details?.model,
      'gen_ai.usage.input_tokens': record.details?.inputTokens,
      'gen_ai.usage.output_tokens': record.details?.outputTokens,
      'hooks.decision': decision?.kind,
      'hooks.hook': decision?.by,
      'hooks.tool.status': status,
      'hooks.tool.ran': record.ran,
      'hooks.tool.attempt': record.attempt,
      'hooks.approval': record.approval?.decision,
      'hooks.approval.source': record.approval?.source,
      'hooks.policy': record.policy,
      'hooks.run': record.run,
      'hooks.turn': record.turn,
      'hooks.record.source': record.source,
      'hooks.record.id': record.id,
      'hooks.record.hash': hash,
    }),
  };
}

function attributesOf(values: Readonly<Record<string, Value>>): readonly object[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  );
}

/** 64-bit integers are texts in the JSON encoding. */
function anyValue(value: Exclude<Value, undefined>): object {
  if (typeof value === 'string') return { stringValue: value };
  return typeof value === 'number' ? { intValue: String(value) } : { boolValue: value };
}

function describe({ type, tool, decision, status }: JournalRecord): string {
  return [type, tool?.name, status ?? decision?.kind].filter((word) => word !== undefined).join(' ');
}
