import type { SupportCell, SupportTable } from '@hooks/core';
import type { Need } from './need.ts';

/** The cell of a need. A cell that the table does not list is `none`. */
function cellOf(table: SupportTable, need: Need, stream: boolean): SupportCell {
  const event = table.events[need.event];
  if (event === undefined) return { level: 'none', note: `${need.event} is not in the table` };
  if (event.fires.level === 'none') return event.fires;
  const fires = (stream ? event.streamed?.['fires'] : undefined) ?? event.fires;
  if (need.tool !== undefined) return event.tools?.[need.tool] ?? unlisted(need, need.tool);
  if (need.kind !== undefined) return event.kinds?.[need.kind] ?? fires;
  if (need.decision === undefined) return fires;
  const streamed = stream ? event.streamed?.[need.decision] : undefined;
  return streamed ?? event.decisions?.[need.decision] ?? unlisted(need, need.decision);
}

/** The first need that the adapter does not meet, as a sentence; undefined if it meets all. */
export function unmet(table: SupportTable, needs: readonly Need[], stream: boolean): string | undefined {
  for (const need of needs) {
    const cell = cellOf(table, need, stream);
    if (cell.level !== 'none') continue;
    const what = need.decision ?? need.tool ?? need.kind;
    return `${need.event}${what === undefined ? '' : ` ${what}`} is not possible: ${cell.note ?? 'the table has no note about it'}`;
  }
  return undefined;
}

function unlisted({ event }: Need, what: string): SupportCell {
  return { level: 'none', note: `the table does not list ${what} on ${event}` };
}
