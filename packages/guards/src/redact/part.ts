/** A part of a text that says something else than it looks like: bytes in a dump, strings in JSON. */
export interface Part {
  /** What it says. */
  readonly text: string;
  /** Where these characters stand. */
  span(start: number, end: number): { readonly start: number; readonly end: number };
}

/** Where something stands in a text, and what it says if that is not what stands there. */
interface Place {
  readonly start: number;
  readonly end: number;
  readonly value?: string;
}

/** Where in a text stands what was found in a part of it. */
export function placeIn(text: string, part: Part, found: Place): Place {
  const { start, end } = part.span(found.start, found.end);
  const value = found.value ?? part.text.slice(found.start, found.end);
  return { start, end, ...(value !== text.slice(start, end) && { value }) };
}

/** First what begins first. Of what begins together, the longest; of that, what has the fewest escapes left. */
export function inOrder(a: Place, b: Place): number {
  return a.start - b.start || b.end - a.end || lengthOf(a) - lengthOf(b);
}

function lengthOf({ start, end, value }: Place): number {
  return value?.length ?? end - start;
}
