/**
 * The keys that occur twice in an object of a JSON text: parsers differ in which value they take.
 * @param json valid JSON
 */
export function repeatedKeys(json: string): ReadonlySet<string> {
  const repeated = new Set<string>();
  /** The keys of the enclosing objects; undefined for an array. */
  const around: (Set<string> | undefined)[] = [];
  let isKey = false;
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfString(json, at);
        const keys = around.at(-1);
        if (isKey && keys !== undefined) {
          const written = json.slice(at + 1, end);
          // Most keys have no escape, and parsing one takes longer than the rest of it.
          const key: string = written.includes('\\') ? JSON.parse(`"${written}"`) : written;
          if (keys.has(key)) repeated.add(key);
          keys.add(key);
          isKey = false;
        }
        at = end;
        break;
      }
      case OBJECT:
        around.push(new Set());
        isKey = true;
        break;
      case ARRAY:
        around.push(undefined);
        isKey = false;
        break;
      case OBJECT_END:
      case ARRAY_END:
        around.pop();
        isKey = false;
        break;
      case COMMA:
        isKey = around.at(-1) !== undefined;
    }
  }
  return repeated;
}

const [QUOTE, BACKSLASH, OBJECT, OBJECT_END, ARRAY, ARRAY_END, COMMA] = [...'"\\{}[],'].map((sign) =>
  sign.charCodeAt(0),
);

/** The end of the string that begins here. */
export function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); ; end = json.indexOf('"', end + 1)) {
    let escapes = 0;
    while (json.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
}
