import type { BeforeModelCall, EventPayload, SupportTable } from '@hooks/core';

/**
 * Writes a run's events as lines, `type {fields}`, with everything that all frameworks have in common. Ids are replaced
 * by numbers; times and the framework's own objects are left out. Sessions are listed one after the other, and so are
 * the parallel calls of a turn.
 */
export function linesOf(
  events: readonly EventPayload[],
  { leaveOut = [] }: { readonly leaveOut?: readonly string[] },
): readonly string[] {
  const bySession = Map.groupBy(events, ({ session }) => session.id);
  const label = counting();
  return [...bySession.values()].flatMap(inOrder).map((event) => {
    const fields = Object.entries(event).filter(
      ([field, value]) => value !== undefined && !LEFT_OUT.has(field) && !leaveOut.includes(field),
    );
    const within = event.session.parent === undefined ? [] : [['subagent', true] as const];
    const told = [...within, ...fields].map(
      ([field, value]) => [field, tell(field, value, event, label)] as const,
    );
    return `${event.type} ${JSON.stringify(Object.fromEntries(told.toSorted(([one], [other]) => (one < other ? -1 : 1))))}`;
  });
}

/** Drops the lines that a table declares as unsupported. */
export function withoutUnsupported(lines: readonly string[], { events }: SupportTable): readonly string[] {
  return lines.flatMap((line) => {
    const at = line.indexOf(' ');
    const type = line.slice(0, at);
    const told: { readonly switchKind?: string; readonly subagent?: unknown } = JSON.parse(line.slice(at));
    const { fires, fields = {}, kinds = {} } = events[type] ?? { fires: { level: 'none' } };
    const kindOf = told.subagent === true ? 'subagent' : told.switchKind;
    const kind = kindOf === undefined ? fires : (kinds[kindOf] ?? fires);
    if (fires.level === 'none' || kind.level === 'none') return [];
    const kept = Object.entries(told).filter(([field]) => fields[field]?.level !== 'none');
    return [`${type} ${JSON.stringify(Object.fromEntries(kept))}`];
  });
}

const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['type', 'native', 'durationMs', 'execute'],
  // Nothing else in the events has these ids.
  ...['executionId', 'approvalId'],
]);

type Label = (kind: string, id: unknown) => string;

/** Names ids in order of appearance: `run 1`, `run 2`. */
function counting(): Label {
  const known = new Map<string, Map<unknown, string>>();
  return (kind, id) => {
    const ids = known.get(kind) ?? new Map<unknown, string>();
    known.set(kind, ids);
    const label = ids.get(id) ?? `${kind} ${ids.size + 1}`;
    ids.set(id, label);
    return label;
  };
}

/** The events of one session, with parallel calls one after the other. */
function inOrder(events: readonly EventPayload[]): readonly EventPayload[] {
  const callOf = (event: EventPayload): string | undefined =>
    'callId' in event && typeof event.callId === 'string' ? event.callId : undefined;
  const stretches: EventPayload[][] = [];
  for (const event of events) {
    const last = stretches.at(-1);
    const goesOn = last?.[0] !== undefined && callOf(last[0]) !== undefined && callOf(event) !== undefined;
    if (goesOn) last?.push(event);
    else stretches.push([event]);
  }
  return stretches.flatMap((stretch) =>
    stretch.toSorted((one, other) => (callOf(one) ?? '').localeCompare(callOf(other) ?? '')),
  );
}

function tell(field: string, value: unknown, event: EventPayload, label: Label): unknown {
  switch (field) {
    case 'session':
      return label('session', event.session.id);
    case 'subagentSession':
      return label('session', value);
    case 'run':
    case 'turn':
    case 'model':
    case 'provider':
      return label(field, value);
    case 'error':
      return '(error)';
    case 'message':
      // The framework words errors and limits itself.
      return ['agent_error', 'max_iterations', 'notification'].includes(event.type) ? '(text)' : value;
    case 'messages':
      return messagesOf(value as BeforeModelCall['messages']);
    default:
      return plain(value);
  }
}

/** Texts of a conversation. Some frameworks use one message per parallel call, and their own words for errors. */
function messagesOf(messages: BeforeModelCall['messages']): unknown {
  const told = messages.map(({ role, text }) => `${role}: ${text.includes('error') ? '(error)' : text}`);
  return told.filter((line, at) => line !== 'assistant: ' || line !== told[at - 1]);
}

/** A value without the framework's own objects. The name and arguments of an agent as a tool are the framework's. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'string' && value.includes('meteorologist') && !value.includes(' '))
    return 'meteorologist';
  if (typeof value !== 'object' || value === null) return value;
  const { native: _native, ref: _ref, ...fields } = { native: undefined, ref: undefined, ...value };
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, part]) => part !== undefined)
      .map(([field, part]) => [field, plain(part)])
      .toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
  );
}
