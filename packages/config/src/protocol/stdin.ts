import type { Dialect, WireEvent } from '../dialects/dialect.ts';
import type { EventData } from '../events.ts';

/** The stdin of a hook in the dialect for this event, as plain JSON data. */
export function stdinOf(dialect: Dialect, wireEvent: string, event: EventData): unknown {
  const { stdin } = wireEventOf(dialect, wireEvent);
  const fields: Record<string, unknown> = {};
  for (const [name, source] of Object.entries(stdin)) {
    const value = typeof source === 'string' ? event.fields[source] : source(event);
    if (value !== undefined) fields[name] = value;
  }
  return dialect.stdin(event, wireEvent, fields);
}

/** The dialect's description of an event. */
export function wireEventOf(dialect: Dialect, wireEvent: string): WireEvent {
  const found = dialect.events[wireEvent];
  if (!found) throw new Error(`${dialect.name} has no event ${wireEvent}`);
  return found;
}

/** The same as JSON text. Values without a JSON form become text. */
export function stdinText(dialect: Dialect, wireEvent: string, event: EventData): string {
  const ancestors: object[] = [];
  return JSON.stringify(stdinOf(dialect, wireEvent, event), function (this: object, _key, value: unknown) {
    if (typeof value === 'bigint') return value.toString();
    if (value instanceof Error) return value.message;
    if (typeof value !== 'object' || value === null) return value;
    // `this` is the parent of the value. A value that is its own ancestor would recurse forever.
    while (ancestors.length > 0 && ancestors.at(-1) !== this) ancestors.pop();
    if (ancestors.includes(value)) return '[circular]';
    ancestors.push(value);
    return value;
  });
}
