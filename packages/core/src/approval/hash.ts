import { canonicalJson } from '../plain.ts';

/**
 * SHA-256 of a value's canonical JSON (keys sorted), in hexadecimal: equal inputs have equal hashes, in any process, and
 * different ones have different hashes. Follows the rule of `ToolCall.input` for what is not JSON.
 *
 * @throws HooksError `INVALID_INPUT` if JSON cannot show the value (a Map, a bigint, a cycle)
 */
export async function hashInput(input: unknown): Promise<string> {
  return hashText(canonicalJson(input));
}

/** SHA-256 of a text, in hexadecimal. */
export async function hashText(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * The hash of an input that a person is shown, or has answered. An input that JSON cannot show, such as one with a number that is
 * too large, has none: this is then an empty text, which covers no call.
 */
export async function shownHash(input: unknown): Promise<string> {
  return hashInput(input).catch(() => '');
}
