import { checkArgument, expecting } from '../options.ts';
import { jsonStringsIn } from '../redact/json-strings.ts';
import { inOrder, placeIn } from '../redact/part.ts';
import { visibleText } from '../redact/visible.ts';
import { isPiiKind, PII_RULES, type PiiKind, type PiiRule } from './kinds.ts';

/** Personal data in a text: its kind and position (`text.slice(start, end)`). */
export interface FoundPii {
  readonly kind: PiiKind;
  readonly start: number;
  readonly end: number;
  /** The value, where the text writes it with escapes or entities, so that it is not `text.slice(start, end)`. */
  readonly value?: string;
}

/**
 * Finds personal data, in order and without overlaps: email addresses, phone numbers (international, and North American
 * without a country code), card numbers and IBANs with a valid checksum, IP addresses. Runs in linear time. No text makes it
 * throw.
 *
 * @param kinds what to find. Default: all kinds
 * @throws HooksError `CONFIG_INVALID` if `kinds` is no set of kinds, or empty
 */
export function findPii(text: string, kinds?: ReadonlySet<PiiKind>): readonly FoundPii[] {
  if (kinds !== undefined) checkArgument('findPii', 'kinds', kinds, kindSet);
  const rules = PII_RULES.filter(({ kind }) => kinds === undefined || kinds.has(kind));
  const found = piiWithin(text, rules, DEEPEST);
  found.sort(inOrder);
  const separate: FoundPii[] = [];
  for (const next of found) {
    const last = separate.at(-1);
    if (last === undefined || last.end <= next.start) separate.push(next);
    else if (last.end >= next.end) continue;
    // A number that looks like a part of two: none of it is left.
    else if (last.kind === next.kind)
      separate[separate.length - 1] = { kind: last.kind, start: last.start, end: next.end };
    else separate.push({ kind: next.kind, start: last.end, end: next.end });
  }
  return separate;
}

/** JSON in JSON in JSON. */
const DEEPEST = 3;

/** The personal data in a text, and in what its parts say. */
function piiWithin(text: string, rules: readonly PiiRule[], deeper: number): FoundPii[] {
  const plain = withoutEscapes(text);
  const found = rules.flatMap((rule) => matches(rule, plain));
  if (deeper === 0) return found;
  for (const part of [visibleText(text), jsonStringsIn(text)]) {
    if (part === undefined) continue;
    for (const one of piiWithin(part.text, rules, deeper - 1))
      found.push({ kind: one.kind, ...placeIn(text, part, one) });
  }
  return found;
}

/**
 * Escapes of JSON and of programs, also within JSON within JSON: the `n` of `\n` and the `c` of `\u003c` are no part of an address
 * behind them. What they stand for is read by {@link visibleText} and {@link jsonStringsIn}.
 */
const ESCAPES = /\\{1,7}(?:[nrtbfv0]|u[\da-f]{4}|x[\da-f]{2})/gi;

/** The text with a space in place of each character of an escape. */
function withoutEscapes(text: string): string {
  return text.replace(ESCAPES, (one) => ' '.repeat(one.length));
}

const kindSet = expecting(
  `a set of ${PII_RULES.map(({ kind }) => kind).join(', ')}`,
  (value) => value instanceof Set && value.size > 0 && [...value].every(isPiiKind),
);

function matches({ kind, pattern, accept }: PiiRule, text: string): FoundPii[] {
  const found: FoundPii[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const { index } = match;
    const value = accept(match[0]);
    if (value !== undefined) found.push({ kind, start: index, end: index + value.length });
    // Another one may begin within it: a number that is a card by chance may end with the beginning of a card.
    pattern.lastIndex = index + 1;
  }
  return found;
}
