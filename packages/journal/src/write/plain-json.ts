import { canonicalJson } from '../record/line.ts';

/** The canonical JSON of each value, and the names of values without a JSON form, such as cycles. */
export function plainJson(values: Readonly<Record<string, unknown>>): {
  readonly texts: Map<string, string>;
  readonly omitted: readonly string[];
} {
  const omitted: string[] = [];
  const texts = new Map<string, string>();
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const text = textOf(value);
    if (text === undefined) omitted.push(name);
    else texts.set(name, text);
  }
  return { texts, omitted };
}

/** The canonical JSON of the value. If it has none, of what `JSON.stringify` makes of it. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  try {
    return canonicalJson(value);
  } catch {
    return lossyTextOf(value);
  }
}

function lossyTextOf(value: unknown): string | undefined {
  try {
    const text = JSON.stringify(value, (_key, nested: unknown) => {
      if (typeof nested === 'bigint') return String(nested);
      return typeof nested === 'string' ? nested.toWellFormed() : nested;
    });
    return text === undefined ? undefined : canonicalJson(JSON.parse(text));
  } catch {
    return undefined;
  }
}
