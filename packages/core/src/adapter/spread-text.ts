/**
 * Writes a changed text over the texts that it was joined from, so that what belongs to each of them can stay: an image
 * between two, a cache mark. Texts that still stand at the beginning and at the end stay as they are. If the others have
 * as many lines as before, as after a redaction, each gets its own; otherwise the first of them gets the rest.
 *
 * @param texts not empty, as they were joined
 * @returns the new text of each; undefined for those that are gone
 */
export function spreadText(
  texts: readonly string[],
  separator: string,
  text: string,
): readonly (string | undefined)[] {
  const spread: (string | undefined)[] = texts.map(() => undefined);
  let rest = text;
  let first = 0;
  for (; first < texts.length - 1; first++) {
    const start = `${texts[first]}${separator}`;
    if (!rest.startsWith(start)) break;
    spread[first] = texts[first];
    rest = rest.slice(start.length);
  }
  // The others may be gone as a whole.
  for (let from = first; from <= texts.length; from++) {
    const others = texts.slice(from);
    if (others.join(separator) === rest) return spread.toSpliced(from, others.length, ...others);
  }
  let end = texts.length - 1;
  for (; end > first; end--) {
    const tail = `${separator}${texts[end]}`;
    if (!rest.endsWith(tail)) break;
    spread[end] = texts[end];
    rest = rest.slice(0, -tail.length);
  }
  const others = texts.slice(first, end + 1);
  if (others.length === 0) return spread;
  const own = linesOfEach(others, separator, rest) ?? [rest];
  return spread.toSpliced(first, own.length, ...own);
}

/** Which lines of a text belong to each of the texts that it was joined from; undefined if it has more or fewer. */
function linesOfEach(
  texts: readonly string[],
  separator: string,
  text: string,
): readonly string[] | undefined {
  if (separator === '') return undefined;
  const lines = text.split(separator);
  const counts = texts.map((one) => one.split(separator).length);
  if (counts.reduce((sum, count) => sum + count) !== lines.length) return undefined;
  return counts.map((count) => lines.splice(0, count).join(separator));
}

/** A part of a message's content, in the form that most frameworks have: `{ type: 'text', text }`, or another type. */
interface ContentPart {
  readonly type: string;
  readonly text?: unknown;
}

/** How a framework's parts are read and written, where that is not as usual. */
export interface TextParts<Part, Written = Part> {
  /** The text of a part; empty for one without. */
  textOf?(part: Part): string;
  /** A part with another text, or a new one. */
  write?(text: string, part?: Part): Written;
  /** Whether a part stays without its text. */
  stays?(part: Part): boolean;
}

/** The text of a message's parts. */
export function joinParts<Part extends ContentPart>(
  parts: readonly Part[],
  separator: string,
  { textOf = usualText }: TextParts<Part> = {},
): string {
  const texts = parts.map(textOf);
  return texts.filter((one) => one !== '').join(separator);
}

/** What the parts of a message have besides their text: other parts, and the further fields of texts. */
export function besideText(content: string | readonly ContentPart[], textType = 'text'): readonly object[] {
  if (typeof content === 'string') return [];
  return content.map((part): object => {
    if (part.type !== textType) return part;
    const { type: _type, text: _text, ...fields } = part;
    return fields;
  });
}

/**
 * The parts of a message with another text. Those whose text is untouched, and those without text, stay. If none has a text,
 * a new one comes first.
 */
export function spreadParts<Part extends ContentPart, Written = Part>(
  parts: readonly Part[],
  text: string,
  separator: string,
  { textOf = usualText, write = usualPart, stays }: TextParts<Part, Written> = {},
): (Part | Written)[] {
  const texts = parts.map(textOf).filter((one) => one !== '');
  if (texts.length === 0) return [write(text), ...parts];
  const left = [...spreadText(texts, separator, text)];
  const written = parts.flatMap((part): (Part | Written)[] => {
    const own = textOf(part);
    const changed = own === '' ? own : left.shift();
    if (changed === own) return [part];
    return changed === undefined && stays?.(part) !== true ? [] : [write(changed ?? '', part)];
  });
  return written.length > 0 ? written : [write(text)];
}

function usualText({ type, text }: ContentPart): string {
  return type === 'text' && typeof text === 'string' ? text : '';
}

function usualPart<Written>(text: string, part?: object): Written {
  return { ...part, type: 'text', text } as Written; // a part of the same kind
}
