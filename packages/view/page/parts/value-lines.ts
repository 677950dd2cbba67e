/** A line of a value. */
export interface ValueLine {
  readonly indent: string;
  readonly text: string;
  readonly sign: '' | '+' | '−';
}

/** What stands for a value that hooks replaced: it is recorded nowhere. */
export const NOT_RECORDED = '(not recorded)';

/**
 * Writes a value as lines, as JSON does but for texts of several lines.
 *
 * @param replaced where hooks changed it: JSON Pointers within the value
 */
export function linesOf(value: unknown, replaced: readonly string[]): readonly ValueLine[] {
  const lines: ValueLine[] = [];
  const changed = new Set(replaced);
  const write = (
    item: unknown,
    pointer: string,
    indent: string,
    key: string,
    comma: string,
    sign: '' | '+',
  ): void => {
    let mark = sign;
    if (sign === '' && changed.has(pointer)) {
      lines.push({ indent, text: `${key}${NOT_RECORDED}`, sign: '−' });
      mark = '+';
    }
    const line = (text: string): void => void lines.push({ indent, text, sign: mark });
    if (typeof item === 'string') return writeText(item, line, key, comma);
    if (typeof item !== 'object' || item === null)
      return line(`${key}${JSON.stringify(item) ?? 'undefined'}${comma}`);
    const [open, close] = Array.isArray(item) ? ['[', ']'] : ['{', '}'];
    const entries = Object.entries(item);
    if (entries.length === 0) return line(`${key}${open}${close}${comma}`);
    line(`${key}${open}`);
    for (const [index, [name, part]] of entries.entries()) {
      const below = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const label = Array.isArray(item) ? '' : `${JSON.stringify(name)}: `;
      write(part, below, `${indent}  `, label, index < entries.length - 1 ? ',' : '', mark);
    }
    line(`${close}${comma}`);
  };
  // A text alone needs no quotes.
  if (typeof value === 'string' && !changed.has(''))
    return value.split('\n').map((text) => ({ indent: '', text, sign: '' }));
  write(value, '', '', '', '', '');
  // What was removed is there no more: only its place is known.
  for (const pointer of replaced)
    if (pointer !== '' && !exists(value, pointer))
      lines.push({ indent: '', text: `${pointer} ${NOT_RECORDED}`, sign: '−' });
  return lines;
}

function writeText(item: string, line: (text: string) => void, key: string, comma: string): void {
  if (!item.includes('\n')) return line(`${key}${JSON.stringify(item)}${comma}`);
  line(`${key}"""`);
  for (const part of item.split('\n')) line(part);
  line(`"""${comma}`);
}

function exists(value: unknown, pointer: string): boolean {
  let found = value;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return false;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return true;
}
