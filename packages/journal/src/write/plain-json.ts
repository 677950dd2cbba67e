import { canonicalJson } from '../record/line.ts';

type Values = Readonly<Record<string, unknown>>;

/** Values as JSON holds them, and the names of those that it cannot hold: cycles, for example. */
export function plainJson(values: Values): { readonly values: Values; readonly omitted: readonly string[] } {
  const omitted: string[] = [];
  const plain: { [name: string]: unknown } = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const held = plainOf(value);
    if (held === undefined) omitted.push(name);
    else plain[name] = held.value;
  }
  return { values: plain, omitted };
}

/** The value itself where canonical JSON takes it, else what `JSON.stringify` makes of it. */
function plainOf(value: unknown): { readonly value: unknown } | undefined {
  if (typeof value === 'string') return { value: value.toWellFormed() };
  if (typeof value !== 'object' || value === null) return jsonOf(value);
  try {
    canonicalJson(value);
    return { value };
  } catch {
    return jsonOf(value);
  }
}

function jsonOf(value: unknown): { readonly value: unknown } | undefined {
  try {
    const text = JSON.stringify(value, (_key, nested: unknown) => {
      if (typeof nested === 'bigint') return String(nested);
      return typeof nested === 'string' ? nested.toWellFormed() : nested;
    });
    return text === undefined ? undefined : { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
