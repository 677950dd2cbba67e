import { canonicalJson } from '../record/line.ts';

/** The canonical JSON of each value, and the names of values without a JSON form, such as cycles, and of longer ones. */
export function plainJson(
  values: Readonly<Record<string, unknown>>,
  maxLength: number = Number.POSITIVE_INFINITY,
): {
  readonly texts: Map<string, string>;
  readonly omitted: readonly string[];
} {
  const omitted: string[] = [];
  const texts = new Map<string, string>();
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const text = textOf(value);
    if (text === undefined || text.length > maxLength) omitted.push(name);
    else texts.set(name, text);
  }
  return { texts, omitted };
}

/** How many values may be written again because an object stands in several places. */
const MAX_REPEATED = 100_000;

/**
 * Whether JSON, which writes an object again in each of its places, would have far more values than there are. So it is for
 * 24 objects that each hold the next one twice, and for a cycle.
 */
export function repeatsTooMuch(value: unknown): boolean {
  const seen = new Set<object>();
  const waiting: unknown[] = [value];
  let repeated = 0;
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (typeof one !== 'object' || one === null) continue;
    const entries: readonly unknown[] = Object.values(one);
    if (seen.has(one)) repeated += entries.length + 1;
    else seen.add(one);
    if (repeated > MAX_REPEATED) return true;
    for (const entry of entries) if (typeof entry === 'object' && entry !== null) waiting.push(entry);
  }
  return false;
}

/** The canonical JSON of the value. If it has none, of what `JSON.stringify` makes of it. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  try {
    return repeatsTooMuch(value) ? undefined : canonicalJson(value);
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
