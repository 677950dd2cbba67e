import type { LeftOut } from '../api.ts';

/** How many values and characters of an input a page gets. A person reads no more, and a browser takes seconds for a million. */
const VALUES = 1_000;
const CHARACTERS = 100_000;

/** The beginning of a value, and how much is left out behind it. */
export function partOf(value: unknown): { readonly part: unknown; readonly leftOut?: LeftOut } {
  let [values, characters] = [VALUES, CHARACTERS];
  const leftOut = { values: 0, characters: 0 };
  const text = (whole: string): string => {
    const part = whole.slice(0, characters);
    characters -= part.length;
    leftOut.characters += whole.length - part.length;
    return part;
  };
  const take = (whole: unknown): unknown => {
    if (typeof whole === 'string') return text(whole);
    if (typeof whole !== 'object' || whole === null) return whole;
    const names = Array.isArray(whole) ? undefined : Object.keys(whole);
    const count = names?.length ?? (whole as readonly unknown[]).length;
    const taken: [string, unknown][] = [];
    for (let at = 0; at < count; at++) {
      const name = names?.[at] ?? String(at);
      // A name that is cut off would be that of another value.
      if (values === 0 || name.length > characters) {
        leftOut.values += count - at;
        break;
      }
      values--;
      if (names) characters -= name.length;
      taken.push([name, take((whole as { readonly [name: string]: unknown })[name])]);
    }
    return names ? Object.fromEntries(taken) : taken.map(([, each]) => each);
  };
  const part = take(value);
  return leftOut.values + leftOut.characters === 0 ? { part } : { part, leftOut };
}

/** How much of a text beside an input a page gets: a hook may quote what the model wrote. */
const TEXT = 10_000;

/** The beginning of a text, and how much is left out behind it. */
export function beginningOf(text: string): string {
  if (text.length <= TEXT) return text;
  const more = (text.length - TEXT).toLocaleString('en-GB');
  return `${text.slice(0, TEXT)}… (${more} more characters)`;
}
