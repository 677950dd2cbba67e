/** `{a,b}/c` as `a/c` and `b/c`; ranges stay as they are. */
export function expandBraces(text: string): string[] {
  let fields = [text];
  for (let round = 0; round < 4; round++) {
    const next = fields.flatMap(expandOneBrace);
    if (next.length === fields.length) break;
    fields = next.slice(0, MAX_FIELDS);
  }
  return fields;
}

function expandOneBrace(text: string): string[] {
  const match = /\{([^{},]*,[^{}]*)\}/.exec(text);
  if (!match) return [text];
  const before = text.slice(0, match.index);
  const after = text.slice(match.index + match[0].length);
  return (match[1] ?? '').split(',').map((piece) => before + piece + after);
}

const MAX_FIELDS = 128;
