import { PII_RULES, type PiiKind, type PiiRule } from './kinds.ts';

/** Personal data in a text: its kind and position (`text.slice(start, end)`). */
export interface FoundPii {
  readonly kind: PiiKind;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds personal data, in order and without overlaps: email addresses, phone numbers (international, and North American
 * without a country code), card numbers and IBANs with a valid checksum, IP addresses. Runs in linear time and never
 * throws.
 */
export function findPii(text: string, kinds?: ReadonlySet<PiiKind>): readonly FoundPii[] {
  const found: FoundPii[] = [];
  for (const rule of PII_RULES)
    if (kinds === undefined || kinds.has(rule.kind)) found.push(...matches(rule, text));
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return found.flatMap((next) => {
    if (next.end <= end) return [];
    // A number that looks like a part of two kinds: none of it is left.
    const start = Math.max(next.start, end);
    end = next.end;
    return [{ ...next, start }];
  });
}

function matches({ kind, pattern, accept }: PiiRule, text: string): FoundPii[] {
  const found: FoundPii[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const { index } = match;
    const value = accept(match[0]);
    if (value !== undefined) found.push({ kind, start: index, end: index + value.length });
    // The rest of the match may be another one, or the beginning of it.
    pattern.lastIndex = index + (value?.length ?? 1);
  }
  return found;
}
