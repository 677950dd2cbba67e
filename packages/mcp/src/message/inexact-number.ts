import { endOfString } from './repeated-keys.ts';

/**
 * Whether a JSON text has a number that JavaScript cannot represent: an integer of too many digits, or a number that
 * becomes 0 or infinite. Parsers of other languages may read another number than hooks saw.
 *
 * @param json valid JSON
 */
export function hasInexactNumber(json: string): boolean {
  for (let at = 0; at < json.length; ) {
    const quote = json.indexOf('"', at);
    const end = quote < 0 ? json.length : quote;
    for (const [literal] of json.slice(at, end).matchAll(NUMBERS)) if (isInexact(literal)) return true;
    at = quote < 0 ? end : endOfString(json, quote) + 1;
  }
  return false;
}

const NUMBERS = /-?\d[\d.eE+-]*/g;

function isInexact(literal: string): boolean {
  const value = Number(literal);
  if (!Number.isFinite(value)) return true;
  if (value === 0) return /[1-9]/.test(literal.replace(/e.*/i, ''));
  return /^-?\d+$/.test(literal) && !Number.isSafeInteger(value) && BigInt(literal) !== BigInt(value);
}
