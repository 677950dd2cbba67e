import type { DispatchTrace, EventSupport, SupportCell, SupportTable } from '@hooks/core';
import type { Need } from './need.ts';

/** The name of a support table's cell: `before_tool_call`, `before_tool_call block`, `before_tool_call mcp`. */
export function cellName({ event, decision, tool, kind }: Need): string {
  return [event, decision ?? tool ?? kind].filter((word) => word !== undefined).join(' ');
}

/** The cells that a dispatch proves: the event fired, with this decision, for this kind of tool or event. */
export function cellsOf({ before, decision }: DispatchTrace): readonly string[] {
  const { type, tool, switchKind } = before as typeof before & {
    readonly tool?: { readonly kind: string };
    readonly switchKind?: string;
  };
  const decided =
    decision.kind === 'modify'
      ? Object.keys(decision.patch).map((field) => `modify.${field}`)
      : [decision.kind];
  const words = [...decided, tool?.kind, switchKind].filter((word) => word !== undefined);
  return [type, ...words.map((word) => `${type} ${word}`)];
}

/** The cells that a table claims for plain or streamed runs: everything except `none`. */
export function claimsOf({ events }: SupportTable, stream: boolean): readonly string[] {
  return Object.entries(events).flatMap(([event, support]) => {
    const { fires, ...cells } = stream ? streamedCells(support) : cellsIn(support);
    if (!isPossible(fires)) return [];
    const words = Object.keys(cells).filter((word) => isPossible(cells[word]));
    return [event, ...words.map((word) => `${event} ${word}`)];
  });
}

function cellsIn({ fires, decisions, tools, kinds }: EventSupport): Cells {
  return { ...decisions, ...tools, ...kinds, fires };
}

function streamedCells(support: EventSupport): Cells {
  return { ...cellsIn(support), ...support.streamed };
}

type Cells = { readonly fires: SupportCell } & { readonly [word: string]: SupportCell | undefined };

function isPossible(cell: SupportCell | undefined): boolean {
  return cell !== undefined && cell.level !== 'none';
}
