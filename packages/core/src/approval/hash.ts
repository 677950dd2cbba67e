/**
 * SHA-256 of a value's canonical JSON (keys sorted), in hexadecimal: equal inputs have equal hashes, in any process.
 *
 * @throws TypeError if the value cannot be written as JSON (a cycle, a bigint)
 */
export async function hashInput(input: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalJson(input));
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** JSON with sorted keys: the same text for the same data. */
function canonicalJson(value: unknown): string {
  const sorted = (_key: string, nested: unknown): unknown =>
    typeof nested === 'object' && nested !== null && !Array.isArray(nested)
      ? Object.fromEntries(Object.entries(nested).sort(([a], [b]) => (a < b ? -1 : 1)))
      : nested;
  return JSON.stringify(value, sorted) ?? 'undefined';
}

/** Canonical JSON; undefined if the value has no JSON form. */
export function jsonOf(value: unknown): string | undefined {
  try {
    return canonicalJson(value);
  } catch {
    return undefined;
  }
}
