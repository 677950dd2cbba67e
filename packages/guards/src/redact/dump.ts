import type { Part } from './part.ts';

/** An offset, then one to 32 bytes in groups of one or two, then perhaps what they say. */
const LINE =
  /^([0-9a-f]{6,8}(:?)[ \t]{1,3})((?:[0-9a-f]{2}){1,2}(?:[ \t]{1,3}(?:[0-9a-f]{2}){1,2}){0,31})(?:[ \t]{1,80}[|>]?[^\n]{0,40})?$/gim;

/** Finds the dumps in a text. */
export function dumpsIn(text: string): readonly Part[] {
  // Most texts have none, and `matchAll` compiles the expression again.
  if (text.search(LINE) === -1) return [];
  const dumps: Part[] = [];
  let bytes: string[] = [];
  let lines: { readonly from: number; readonly start: number; readonly end: number }[] = [];
  const close = (): void => {
    if (bytes.length > 0) dumps.push(dumpOf(bytes.join(''), lines));
    bytes = [];
    lines = [];
  };
  let count = 0;
  for (const { 0: line, 1: offset = '', 2: colon, 3: digits = '', index } of text.matchAll(LINE)) {
    if (lines.at(-1) !== undefined && lines.at(-1)?.end !== index - 1) {
      close();
      count = 0;
    }
    const groups = digits.split(/[ \t]+/);
    // `hexdump` without options writes two bytes as one number, whose second byte stands first.
    const swapped = colon === '' && groups.some(({ length }) => length === 4);
    const read = groups.map((group) => bytesOf(group, swapped)).join('');
    lines.push({ from: count, start: index + offset.length, end: index + line.length });
    bytes.push(read);
    count += read.length;
  }
  close();
  return dumps;
}

function bytesOf(group: string, swapped: boolean): string {
  const codes = (group.match(/../g) ?? []).map((pair) => String.fromCharCode(Number.parseInt(pair, 16)));
  return (swapped ? codes.reverse() : codes).join('');
}

function dumpOf(
  text: string,
  lines: readonly { readonly from: number; readonly start: number; readonly end: number }[],
): Part {
  const lineOf = (index: number) => lines[lines.findLastIndex(({ from }) => from <= index)];
  return {
    text,
    span: (start, end) => ({ start: lineOf(start)?.start ?? 0, end: lineOf(end - 1)?.end ?? 0 }),
  };
}
