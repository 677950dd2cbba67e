import type { SupportCell, SupportTable } from '@hooks/core';

const BEGIN = '<!-- supports:begin -->\n';
const END = '<!-- supports:end -->';

/**
 * Replaces the support table of a Markdown text, between `<!-- supports:begin -->` and `<!-- supports:end -->`, by one
 * made from `supports`: with notes for one adapter, side by side for several.
 *
 * @example
 * ```ts
 * writeFileSync(file, withSupportTable(readFileSync(file, 'utf8'), [supports]));
 * ```
 */
export function withSupportTable(readme: string, tables: readonly SupportTable[]): string {
  const [before = '', rest = ''] = readme.split(BEGIN);
  const [, after = ''] = rest.split(END);
  return `${before}${BEGIN}${supportTable(tables)}${END}${after}`;
}

/** Renders the table as Markdown. */
export function supportTable(tables: readonly SupportTable[]): string {
  const [first] = tables;
  if (first === undefined) return '';
  const columns = tables.length === 1 ? ['support', 'how'] : tables.map(({ adapter }) => `\`${adapter}\``);
  const head = ['event', 'decision', ...columns];
  const rows = Object.keys(first.events).flatMap((event) => eventRows(event, tables));
  const all = [...rows, ...refusedRows(tables)];
  return [head, head.map(() => '---'), ...all].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** The forms of a refused run, if an adapter sees runs. */
function refusedRows(tables: readonly SupportTable[]): readonly (readonly string[])[] {
  if (tables.every(({ refused }) => refused === undefined)) return [];
  return (['return', 'throw'] as const).map((form, nth) => [
    nth === 0 ? 'a refused run' : '',
    `refused: '${form}'`,
    ...levels(tables.map(({ refused }) => refused?.[form])),
  ]);
}

function levels(cells: readonly (SupportCell | undefined)[]): readonly string[] {
  return cells.length === 1 ? [level(cells[0]), cells[0]?.note ?? ''] : cells.map(level);
}

function eventRows(event: string, tables: readonly SupportTable[]): readonly (readonly string[])[] {
  const of = (
    read: (support: SupportTable['events'][string]) => SupportCell | undefined,
  ): readonly string[] =>
    levels(tables.map(({ events }) => (events[event] === undefined ? undefined : read(events[event]))));
  const named = (part: 'decisions' | 'fields' | 'kinds' | 'streamed'): readonly string[] => [
    ...new Set(tables.flatMap(({ events }) => Object.keys(events[event]?.[part] ?? {}))),
  ];
  return [
    [`\`${event}\``, '', ...of(({ fires }) => fires)],
    ...named('decisions').map((name) => ['', name, ...of(({ decisions }) => decisions?.[name])]),
    ...named('fields').map((name) => [
      '',
      `field ${name}`,
      ...of(({ fields, fires }) => fields?.[name] ?? fires),
    ]),
    ...named('kinds').map((name) => [
      '',
      `kind ${name}`,
      ...of(({ kinds, fires }) => kinds?.[name] ?? fires),
    ]),
    ...named('streamed').map((name) => [
      '',
      `${name}, streamed`,
      ...of(({ streamed, decisions, fires }) => streamed?.[name] ?? decisions?.[name] ?? fires),
    ]),
  ];
}

function level(cell: SupportCell | undefined): string {
  return cell === undefined || cell.level === 'none' ? 'no' : cell.level;
}
