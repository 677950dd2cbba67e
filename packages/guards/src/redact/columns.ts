import type { Named } from './assignment.ts';
import { kindOfName, type NamedKind } from './name.ts';
import type { FindSecretsOptions } from './rule.ts';
import { isSecret } from './value.ts';

/** The secrets in columns that a first line names: CSV, tab-separated values, tables of a database's client. */
export function secretsInColumns(text: string, options: FindSecretsOptions = {}): readonly Named[] {
  const found: Named[] = [];
  readTables(linesOf(text), (table, cells) => {
    for (const [nth, kind] of table.secret) {
      const cell = cells[nth];
      if (cell === undefined || cell.text.length < SHORTEST || cell.text.length > LONGEST) continue;
      if (!isSecret(kind, { text: cell.text, quoted: true, joined: 'sign' }, options)) continue;
      found.push({ id: kind.id, start: cell.start, end: cell.start + cell.text.length });
    }
  });
  return found;
}

/** The line that names the columns of a table with secrets, where the last whole line of a text is one of its rows. */
export function headerOfLastTable(text: string): Cell | undefined {
  return readTables(linesOf(text).slice(0, -1), () => {})?.header;
}

/** Reads rows of tables. Returns the table that the last line is in. */
function readTables(
  lines: readonly Cell[],
  onRow: (table: Table, cells: readonly Cell[]) => void,
): Table | undefined {
  let table: Table | undefined;
  for (const line of lines) {
    if (table !== undefined && RULER.test(line.text)) continue;
    const cells: readonly Cell[] | undefined = table && cellsOf(line, table.separator);
    if (table === undefined || cells?.length !== table.width) table = tableOf(line);
    else onRow(table, cells);
  }
  return table;
}

const SHORTEST = 6;
const LONGEST = 1024;

interface Cell {
  readonly text: string;
  readonly start: number;
}

/** A line of names, some of which are those of secrets. */
interface Table {
  readonly header: Cell;
  readonly separator: string;
  readonly width: number;
  /** The columns with secrets. */
  readonly secret: ReadonlyMap<number, NamedKind>;
}

function tableOf(line: Cell): Table | undefined {
  if (line.text.length > LONGEST || !STEM.test(line.text)) return undefined;
  for (const separator of SEPARATORS) {
    if (!line.text.includes(separator)) continue;
    const names = cellsOf(line, separator);
    const named = names.filter(({ text }) => text !== '');
    // Empty cells stand at the edges of a table with bars. Elsewhere, such a line is an item of a list in a program.
    if (named.length < 2 || (named.length < names.length && !BARS.includes(separator))) continue;
    if (named.some(({ text }) => !NAME.test(text))) continue;
    const secret = new Map<number, NamedKind>();
    for (const [nth, { text }] of names.entries()) {
      const kind = kindOfName(text);
      if (kind !== undefined) secret.set(nth, kind);
    }
    if (secret.size > 0) return { header: line, separator, width: names.length, secret };
  }
  return undefined;
}

const BARS = ['|', '│'];
const SEPARATORS = [',', '\t', ';', ...BARS];
const STEM = /pass|pwd|secret|token|key|auth|cred/i;
const NAME = /^[A-Za-z][\w .-]{0,40}$/;
/** `-----+------` or `|---|---|`. */
const RULER = /^[\s|+:=\u2500-\u257f-]+$/;

function linesOf(text: string): readonly Cell[] {
  let start = 0;
  return text.split('\n').map((line) => {
    const at = start;
    start += line.length + 1;
    return { text: line, start: at };
  });
}

/** The cells of a line, without spaces and quotes around them. */
function cellsOf(line: Cell, separator: string): readonly Cell[] {
  const cells: Cell[] = [];
  for (let at = 0; at <= line.text.length; ) {
    let end = line.text.indexOf(separator, at);
    if (line.text[at] === '"') {
      const closed = line.text.indexOf('"', at + 1);
      if (closed > 0) end = line.text.indexOf(separator, closed);
    }
    if (end === -1) end = line.text.length;
    const whole = line.text.slice(at, end);
    const [text = ''] = /[^\s"].*[^\s"]|[^\s"]/.exec(whole) ?? [];
    cells.push({ text, start: line.start + at + whole.indexOf(text) });
    at = end + 1;
  }
  return cells;
}
