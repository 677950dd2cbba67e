import type { Dialect } from '../dialects/dialect.ts';
import type { HookEntry } from '../entry.ts';
import type { EventType } from '../events.ts';

/**
 * The hooks that could refuse, if the agent reported their events. An option that stands for several hooks, such as
 * `redact_secrets: true`, counts only if none of them fires.
 */
export function unfiredGates(
  entries: readonly HookEntry[],
  { events }: Dialect,
  fires: ReadonlySet<EventType>,
): readonly HookEntry[] {
  const firing = new Set(entries.filter(({ event }) => fires.has(event)).map(placeOf));
  return entries.filter((entry) => {
    const takes = events[entry.wireEvent]?.takes ?? [];
    const refuses = takes.some((what) => /^(?:deny|stop|ask|approval)$/.test(what));
    return refuses && !fires.has(entry.event) && !firing.has(placeOf(entry));
  });
}

function placeOf({ origin }: HookEntry): string {
  return `${origin.file}:${origin.line}:${origin.column}`;
}
