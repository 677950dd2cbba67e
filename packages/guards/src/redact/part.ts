/** A part of a text that says something else than it looks like: bytes in a dump, strings in JSON. */
export interface Part {
  /** What it says. */
  readonly text: string;
  /** Where these characters stand. */
  span(start: number, end: number): { readonly start: number; readonly end: number };
}
