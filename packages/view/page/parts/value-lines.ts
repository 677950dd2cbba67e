/** A line of a value. */
export interface ValueLine {
  readonly indent: string;
  readonly text: string;
  readonly sign: '' | '+' | '−';
  /** Whether it is part of a multi-line text, which is marked so that it cannot imitate the fields around it. */
  readonly isText?: boolean;
}

/** The placeholder of a value that hooks replaced, which is not recorded. */
const NOT_RECORDED = '(not recorded)';

/**
 * Formats a value as lines of JSON, except for multi-line texts.
 *
 * @param replaced JSON Pointers to the parts of the value that hooks replaced
 */
export function linesOf(value: unknown, replaced: readonly string[]): readonly ValueLine[] {
  const changed = new Set(replaced);
  // A single text needs no quotes.
  if (typeof value === 'string' && !changed.has(''))
    return value.split('\n').map((text) => ({ indent: '', text, sign: '' }));
  const gone = replaced.filter((pointer) => pointer !== '' && !exists(value, pointer));
  return [
    ...written(value, { pointer: '', indent: '', key: '', comma: '', sign: '' }, changed),
    // Of a removed value, only the pointer is known.
    ...gone.map((pointer): ValueLine => ({ indent: '', text: `${pointer} ${NOT_RECORDED}`, sign: '−' })),
  ];
}

interface Place {
  readonly pointer: string;
  readonly indent: string;
  readonly key: string;
  readonly comma: string;
  readonly sign: '' | '+';
}

function written(value: unknown, place: Place, changed: ReadonlySet<string>): readonly ValueLine[] {
  const { pointer, indent, key, comma, sign } = place;
  if (sign === '' && changed.has(pointer))
    return [
      { indent, text: `${key}${NOT_RECORDED}`, sign: '−' },
      ...written(value, { ...place, sign: '+' }, changed),
    ];
  const line = (text: string): ValueLine => ({ indent, text, sign });
  if (typeof value === 'string' && value.includes('\n'))
    return [
      line(`${key}"""`),
      ...value.split('\n').map((text) => ({ ...line(text), isText: true })),
      line(`"""${comma}`),
    ];
  if (typeof value !== 'object' || value === null)
    return [line(`${key}${JSON.stringify(value) ?? 'undefined'}${comma}`)];
  const isArray = Array.isArray(value);
  const [open, close] = isArray ? ['[', ']'] : ['{', '}'];
  const entries = Object.entries(value);
  if (entries.length === 0) return [line(`${key}${open}${close}${comma}`)];
  const inside = entries.flatMap(([name, part], index) =>
    written(
      part,
      {
        pointer: `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
        indent: `${indent}  `,
        key: isArray ? '' : `${JSON.stringify(name)}: `,
        comma: index < entries.length - 1 ? ',' : '',
        sign,
      },
      changed,
    ),
  );
  return [line(`${key}${open}`), ...inside, line(`${close}${comma}`)];
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
