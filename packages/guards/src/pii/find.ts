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
  return found.filter((next) => {
    if (next.start < end) return false;
    end = next.end;
    return true;
  });
}

function matches({ kind, pattern, accept }: PiiRule, text: string): FoundPii[] {
  const found: FoundPii[] = [];
  for (const match of text.matchAll(pattern)) {
    const value = accept(match[0]);
    if (value !== undefined) found.push({ kind, start: match.index, end: match.index + value.length });
  }
  return found;
}
